/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What findings look at in one interval, and how they report. For src/data/finding/ only. */
#ifndef IOTOP_DATA_FINDING_LOOK_H
#define IOTOP_DATA_FINDING_LOOK_H

#include "data/disk/disk.h"
#include "data/finding/finding.h"
#include "data/layer/layer.h"
#include "data/task/task.h"

/* A task that could not go on for I/O. */
struct waiter {
	const struct task_row *task;
	double share;		/* percent of the interval */
};

#define LOOK_WAITERS 64
/* Who knows how long tasks wait; waits of the scheduler go before delay accounting. */
#define LOOK_WAITS (SRC_WAITS | SRC_DELAYS)

/* Percent of the time in which somebody waits from which on it is worth a look. */
#define LOOK_PRESSURE 5
/* Collected once an interval, in one pass over the tasks, before the kinds look. */
struct finding_look {
	const struct model *m;
	struct arena *a;		/* of the model */
	double share;			/* of somebody's time (percent) that is worth a word */
	struct model *calm;		/* the model: for calm_sum() */
	const struct task_row **busy;	/* with I/O */
	size_t nbusy;
	struct waiter waiters[LOOK_WAITERS];	/* who waited longest first; residuals are none */
	size_t nwaiters;
	const struct task_row **stuck;	/* asleep in one uninterruptible wait */
	size_t nstuck;
	const struct task_row **held;	/* held back for what is dirty */
	size_t nheld;
	const struct task_row **limited;	/* held back by a limit */
	size_t nlimited;
	const struct task_row *stalled;	/* for memory, longest of all; NULL: nobody */
	const struct finding_kind *kind;	/* that looks */
	struct finding_state *state;
};

/* Notes what finding_nothing() tells: of each task, then of all of them in the model. */
void calm_see(struct finding_look *l, const struct task_row *t);
void calm_sum(struct finding_look *l);

/*
 * Whether a value is beyond a limit. What is found already stays found down to 70 % of the limit,
 * so that it does not flicker. subject: as for look_found().
 */
bool look_over(const struct finding_look *l, uint64_t subject, double value, double limit);
/*
 * Who was named the culprit, or as held up, when the case was last seen; NULL: nobody. He is named
 * again while another one has only a little more of it, so that the words do not flicker.
 */
const char *look_named(const struct finding_look *l, uint64_t subject, bool victim);
#define LOOK_NAMED 0.7	/* of what the greatest has */
/*
 * Reports a case: subject tells the cases of a kind apart (a disk, a task) and is the same from
 * interval to interval. The caller fills who, victim, filter, share; texts and numbers by the two
 * functions below. Texts must live as long as the model.
 */
struct finding_row *look_found(struct finding_look *l, uint64_t subject);
/*
 * The same of a disk: the waiter is held up there, by who (NULL: nobody in particular). Fills all
 * but the texts and numbers of the kind. NULL: nobody waits for long enough.
 */
struct finding_row *look_found_disk(struct finding_look *l, const struct disk_row *d,
				    const struct waiter *victim, const char *who);
void look_text(struct finding_row *f, const char *key, const char *text);
void look_number(struct finding_row *f, const char *key, enum unit unit, double value);
void look_rate(struct finding_row *f, const char *key, enum unit unit, double value);
/*
 * A filter of waits off the processor for the server of a kind of file system ("nfs4",
 * "fuse.sshfs"). In the model's memory.
 */
const char *look_server_filter(struct finding_look *l, const char *fs);
/*
 * Where another one than the victim makes most of a whole disk's load, he is the culprit, with his
 * share under "load": the sentence is kind->beside then.
 */
void look_beside(struct finding_look *l, struct finding_row *f, uint64_t subject, uint32_t dev);
/* Who waits longest for the server of this file system, as the victim; NULL: nobody is known. */
const struct waiter *look_server_victim(struct finding_look *l, struct finding_row *f,
					uint32_t dev);
/* What the kernel told of commands that the disk did not answer in time, if there are any. */
void look_timeouts(const struct finding_look *l, struct finding_row *f, const struct disk_row *d);
/* For how long a limit of its provider was exceeded, where the disk told. */
void look_exceeded(struct finding_row *f, const struct disk_row *d);
/* A filter of rows by one column: `command = "x"`. In the model's memory. */
const char *look_filter(struct finding_look *l, const char *column, const char *text);
/* The way of these fsync() through the layers, down to their disk. */
const char *look_fsync_filter(struct finding_look *l, const struct layer_row *call);

/* Every row of the layers that is the fsync() calls of a file system. */
void look_each_fsync(struct finding_look *l,
		     void (*look_call)(struct finding_look *l, const struct layer_row *call));

/* Who does something: a process, all processes of one program, or a residual. */
struct look_user {
	const char *name;	/* "rsync 4711", "fio (20)", "[journal]"; not that of a thread */
	const char *comm;	/* of a worker of the kernel: without its number */
	uint64_t pid;		/* 0: a residual, or several */
	uint64_t count;		/* processes; 0: a residual */
	double weight;		/* of what they do, by which the greatest is found */
	double share;		/* the same in percent of all */
	uint64_t bytes;
};

/*
 * Who used a whole disk in the interval with some operations (bits 1 << OP_…; 0: any), by the time
 * of its requests; the first has most. Returns how many. In the model's memory.
 */
size_t look_users(struct finding_look *l, uint32_t dev, unsigned ops, struct look_user **ret);
/* Whether both have written to the same disk. */
bool look_is_beside(const struct task_row *a, const struct task_row *b);
/* Who dirtied pages of the disks that a task writes to, by bytes; as above. */
size_t look_dirtiers(struct finding_look *l, const struct task_row *held, struct look_user **ret);
/*
 * Who of n makes most of it: one process, or where no process of a program stands out all of that
 * program. subject: the case that names him. false: nobody did anything.
 */
bool look_culprit(struct finding_look *l, uint64_t subject, const struct look_user *users,
		  size_t n, struct look_user *ret);
/* Whether a task is of it. */
bool look_is(const struct look_user *u, const struct task_row *t);
/*
 * Who waited longest of those with I/O on a whole disk, stacked or not, but for one (NULL: all
 * count); NULL: nobody.
 */
const struct waiter *look_victim(const struct finding_look *l, uint32_t dev,
				 const struct look_user *but);
/* Average requests in flight, and the time with any in percent; 0: unknown. */
double look_depth(const struct disk_row *d);
double look_busy(const struct disk_row *d);
/* The disk that people call so; NULL: none. */
const struct disk_row *look_disk(const struct finding_look *l, const char *disk);
/*
 * Which process is in the calls of a row of the layers longest, but for those of `but' (NULL: all
 * count); NULL: none.
 */
const struct layer_share *look_share(const struct finding_look *l, uint64_t subject,
				     const struct layer_row *call, const struct look_user *but);
/* Whether that is what findings call the process of a task, alone or with others ("fio (20)"). */
bool look_is_named(const char *name, const struct task_row *t);
/* "postgres 2211" */
const char *look_name(struct finding_look *l, const struct task_row *t);

#endif
