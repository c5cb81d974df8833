/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Off-CPU: who was blocked, where, for how long, woken by whom. */
#ifndef IOTOP_DATA_STACK_OFFCPU_H
#define IOTOP_DATA_STACK_OFFCPU_H

#include "data/entity.h"
#include "data/sample.h"
#include "data/stack/frames.h"

/* Sums, then the maximum. */
struct offcpu_counters {
	uint64_t blocked_ns;
	uint64_t count;		/* blocks; one that goes on counts in each interval */
	uint64_t io_ns;		/* latency of the requests that ended them */
	uint64_t max_ns;	/* longest, from its begin on */
};

#define OFFCPU_COUNTERS_MAX 1
#define OFFCPU_COUNTERS_SUM \
	(sizeof(struct offcpu_counters) / sizeof(uint64_t) - OFFCPU_COUNTERS_MAX)

enum offcpu_stack {
	OFFCPU_KERNEL,
	OFFCPU_USER,
	OFFCPU_WAKER_KERNEL,
	OFFCPU_WAKER_USER,
	OFFCPU_STACKS,
};

/* What a kernel stack says of a wait; looked at once. */
struct offcpu_wait {
	bool known;			/* all of its stacks had names when this was looked at */
	const char *reason;	/* NULL: nothing */
	enum wait_lock unlocked;	/* what its waker gave free, as far as it is known */
	char *function;		/* of the file system, where it was entered; NULL: none */
};

struct offcpu_row {
	struct row row;
	struct task_id id, waker_id;
	uint64_t pid, tid;		/* 0: not one */
	uint64_t waker_pid;		/* 0: not one task */
	enum wait_lock lock;		/* that it waited for */
	struct task_id holder_id;	/* of it; 0: nobody, or not known */
	uint64_t holder_tid;		/* 0: not one task */
	const char *holder_comm;	/* NULL: as above */
	const char *comm, *state;
	char *const *command;		/* as task_command_line(); NULL: unknown */
	const char *waker_comm;		/* NULL: no task */
	enum waker_kind waker_kind;
	const char *disk;		/* of the request that woke it; NULL: none did */
	uint32_t dev, op_id;		/* of it */
	const char *server;		/* where the file system is mounted whose server it waited
					 * for; NULL: none, or not known */
	bool iowait, via, memstall, limited;	/* as in sample_offcpu */
	uint64_t stack_ids[OFFCPU_STACKS];
	const struct frames *stacks[OFFCPU_STACKS];	/* NULL: none, or not resolved yet */
	const char *path;		/* what tells the kernel's stack from others; NULL until
					 * it is resolved */
	const char *reason;		/* what it waited for, by its stack; NULL: not known */
	struct offcpu_wait *wait;	/* where that is kept from tick to tick */
	struct value woken;		/* by whom: text */
};

extern const struct column offcpu_columns[];
extern const struct entity entity_offcpu;

/* "task", "irq", …; NULL for WAKER_NONE. */
extern const char *const waker_names[WAKER_UNKNOWN + 1];

/*
 * What somebody waits for who has this kernel stack: "journal commit"; NULL when it says nothing.
 * lock: as far as it is known otherwise.
 */
const char *offcpu_reason(const struct frames *kernel, enum wait_lock lock);
/* What was waited for in a stack by whom a task with the stack `waker' (NULL: not known) woke. */
enum wait_lock offcpu_unlocked(const struct frames *kernel, const struct frames *waker);
/* "inode lock", "mutex", …: a mutex or an rwsem by who waits for it in this stack. */
const char *offcpu_lock_name(enum wait_lock lock, const struct frames *kernel);
/* Finds the stacks of a row, and from them its path, its reason and the timer that woke it. */
void offcpu_explain(struct offcpu_row *r, struct model *m);
/*
 * One phrase on what the wait was for and what ended it. counters: row->now or row->sum; in text,
 * "" when nothing is known.
 */
void offcpu_cause(char *text, size_t size, const struct offcpu_row *r,
		  const struct offcpu_counters *counters);

#endif
