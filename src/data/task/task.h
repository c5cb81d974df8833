/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks: threads, and what they fold into. */
#ifndef IOTOP_DATA_TASK_TASK_H
#define IOTOP_DATA_TASK_TASK_H

#include "data/model.h"
#include "data/sample.h"

struct names_disk;

/* SRC_PATTERN. uint64_t only: see struct entity. */
struct io_pattern {
	uint64_t reads, writes;		/* queued while it was counted; of these … */
	uint64_t sequential;		/* began where the one before ended */
	uint64_t ahead, sync;		/* reads ahead; writes for which somebody waits */
};

/* What happened at the disks. uint64_t only: see struct entity. */
struct io_counters {
	uint64_t read, write;	/* bytes */
	uint64_t rios, wios;
	uint64_t ios, bytes;	/* of any operation */
	uint64_t done, lat_ns;	/* completed, and the sum of their latency */
	uint64_t throttled_ns, held_ns, held_unseen;	/* as in sample_io */
	struct io_pattern pattern;
	uint64_t max_ns;	/* a maximum; in the sum: of all intervals */
};

#define IO_COUNTERS_MAX 1
#define IO_COUNTERS_SUM (sizeof(struct io_counters) / sizeof(uint64_t) - IO_COUNTERS_MAX)

/* Counters of a task row: sums first, then maxima. */
struct task_counters {
	uint64_t read, write;	/* bytes at the disk; without block programs as accounted to the
				 * task */
	uint64_t rios, wios, ios;
	uint64_t done, lat_ns;
	uint64_t dirty;		/* bytes of pages dirtied, less cancelled */
	uint64_t wait_ns;	/* for block I/O, and for servers of FUSE */
	uint64_t server_ns;	/* of it: for servers of FUSE */
	uint64_t iowait_ns;	/* as the kernel has it */
	uint64_t swap_ns;	/* for swap-in */
	uint64_t throttle_ns;
	uint64_t throttled_ns, held_unseen;	/* as in sample_io */
	uint64_t memstall_ns;
	uint64_t hits, misses;	/* bytes that read calls had from the page cache, from a disk */
	uint64_t meta;		/* bytes of metadata, read and written */
	struct io_pattern pattern;
	uint64_t max_ns;
};

#define TASK_COUNTERS_MAX 1
#define TASK_COUNTERS_SUM (sizeof(struct task_counters) / sizeof(uint64_t) - TASK_COUNTERS_MAX)

/*
 * Who did how much at which disk, for whom: the detail of a task walks these. Owned by the task
 * state.
 */
struct task_link {
	struct task_id cause, submitter;
	uint32_t dev, op;
	uint32_t how;
	const struct names_disk *disk;
	const char *cause_comm, *submitter_comm;
	const struct io_counters *now, *sum;
	const struct task_link *next_caused, *next_submitted;
};

/* A file, as far as a task caused I/O to it: bytes at one disk. Owned by the task state. */
struct task_file {
	const struct names_disk *disk;
	uint64_t ino;
	char *path_text;	/* clean; NULL: not known */
	const char *state;	/* as in a row of files */
	uint64_t now_read, now_write, sum_read, sum_write;
};

/* Of a control group, beyond what is counted of its tasks. uint64_t only. */
struct task_memory_counters {
	uint64_t refault_file, refault_anon;	/* bytes */
	uint64_t high, max;			/* events: a limit was reached */
	uint64_t psi_some_us, psi_full_us;	/* io.pressure */
	uint64_t evicted;			/* bytes */
};

/* What the kernel counts of a control group at a disk (io.stat), bytes. */
struct task_group_disk {
	const char *name;	/* clean */
	uint64_t now_read, now_write, sum_read, sum_write;
};

struct task_memory {
	uint32_t have;		/* enum memory_have */
	const struct task_memory_counters *now, *sum;
	char *limits;		/* clean; NULL: none */
	const struct task_group_disk *disks;	/* in the model's memory */
	size_t ndisks;
};

/* What the newest sample that had the task says of it, beside its counters. */
struct task_facts {
	uint32_t ppid, uid, state, ioprio;	/* as in sample_task */
	int64_t nice;
	uint64_t cgroup;		/* id */
	uint64_t asleep_ns;	/* as in sample_task */
	uint32_t server_dev, frozen_dev;	/* as in sample_task */
	bool sampled;	/* false: no listing had it, only uid and cgroup are known */
};

/* ns in one uninterruptible sleep that are worth a look: in two seconds more the task is stuck. */
#define TASK_ASLEEP_NS 3000000000ULL

/* What a row did at one disk. */
struct task_disk {
	uint32_t dev;
	const char *name;	/* clean */
	uint64_t now, sum;	/* bytes read and written */
};

struct task_row {
	struct row row;
	struct task_id id;
	uint64_t pid, tid;
	const struct task_facts *facts;	/* NULL: not a task; owned by the task state */
	uint64_t age_ns;	/* since its start, until its end */
	const char *limit;		/* of its control group, that held I/O back; NULL: none */
	const char *comm, *user, *cgroup, *cgroup_path, *container, *prio, *state, *disk;
	const char *server;		/* mount of the FUSE server that it waited for last; NULL:
					 * none */
	char *const *command;		/* where its process keeps the command line: NULL there
					 * until it was fetched. NULL: no process */
	const struct task_link *caused, *submitted;	/* heads of its links, NULL: none */
	struct task_disk *disks;	/* each lowest disk once, in no order; NULL: none */
	uint64_t ndisks;
	const struct task_file *const *files;	/* hottest first */
	const char *const *file_texts;	/* their paths */
	uint64_t nfiles;
	uint64_t dirty_now;		/* bytes of pages it dirtied that are not written yet */
	const struct task_memory *memory;	/* of its control group; NULL: not known */
	uint64_t how;			/* how sure the cause of its I/O is: enum io_how of the
					 * least sure of its links, + 1; 0: no I/O */
	uint64_t process;		/* the same number for all threads of a process, never
					 * used again */
	const struct task_counters *process_gone;	/* what threads of it did that are
							 * remembered no more; NULL: nothing */
};

extern const struct column task_columns[];
extern const struct entity entity_task;

/* The row of its main thread, which names the process; itself where that one is not known. */
static inline const struct task_row *task_leader(const struct task_row *row)
{
	const struct task_row *up = (const struct task_row *)row->row.parent;

	return up && up->process == row->process ? up : row;
}

/*
 * What to show as its command: the command line when known, [comm] for a kernel thread, else comm.
 */
const char *task_command(const struct task_row *row);
/* Whether most of the time that a row waits for I/O is waiting for the servers of file systems. */
bool task_waits_for_server(const struct row *row, enum span span);
/*
 * Where the process of a task keeps its command line (NULL there: not fetched yet), for rows of
 * other entities; NULL: no listing has had the process. Valid as long as the model.
 */
char *const *task_command_line(const struct model *m, const struct task_id *id);
/*
 * Where the file system with this device number is mounted that a server answers for, in m's
 * memory; NULL: not known.
 */
const char *task_server_mount(struct model *m, uint32_t dev);
/*
 * The disk with the file system that has this number, also where that is not the disk's; NULL: not
 * known. In the sample.
 */
const struct sample_disk *task_frozen_disk(const struct model *m, uint32_t dev);
/* Who counts bytes at the disks. */
static inline enum source task_source(const struct model *m)
{
	return m->have & SRC_BLOCK ? SRC_BLOCK : SRC_TASKIO;
}

/* In how many seconds of the newest interval; 0: unknown. */
static inline double task_watched(const struct model *m)
{
	return model_watched(m, task_source(m), false);
}

/* "be/4", "rt/0", "idle"; class 0: what the nice value makes of it. */
const char *task_prio_text(uint32_t ioprio, int64_t nice);

#endif
