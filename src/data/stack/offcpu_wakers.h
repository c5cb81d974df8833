/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who woke a process, who held what it waited for, and the sums of all blocked tasks. */
#ifndef IOTOP_DATA_STACK_OFFCPU_WAKERS_H
#define IOTOP_DATA_STACK_OFFCPU_WAKERS_H

#include "data/join.h"
#include "data/stack/offcpu.h"

/*
 * Whom blocks of a process waited for: the holder of a lock, else what ended them: another process,
 * an interrupt, a request of a disk.
 */
struct offcpu_waker {
	const struct offcpu_row *row;	/* of those it ended, the one that was blocked longest */
	uint32_t tgid;			/* of the holder or waker, 0: no process */
	uint64_t ns;			/* blocked until this waker came, all rows together */
};

struct offcpu_wakers {
	const struct offcpu_waker *items;	/* most time first */
	size_t n;
	uint64_t ns;			/* of all */
};

/* The rows of off-CPU by process (tgid). In a. */
struct row_index offcpu_by_process(const struct model *m, struct arena *a);
/* The wakers of a process, each once. In a. */
struct offcpu_wakers offcpu_wakers(const struct row_index *by_process, uint32_t tgid,
				   bool since_start, struct arena *a);

/* The rows of off-CPU by thread (tid). In a. */
struct row_index offcpu_by_thread(const struct model *m, struct arena *a);
/*
 * What the holder of a lock waits for in turn: of its rows with blocked time one that goes on, else
 * the one with the most. NULL: no holder is known (start 0), or it was not blocked.
 */
const struct offcpu_row *offcpu_holder_wait(const struct row_index *by_thread,
					    const struct task_id *holder, bool since_start);

/* The interval, over all tasks. */
struct offcpu_totals {
	uint64_t blocked_ns;
	uint64_t io_ns;		/* of it: until a request of a disk was completed */
	uint64_t waiting;	/* blocks that go on */
};

struct offcpu_totals offcpu_totals(const struct model *m);

#endif
