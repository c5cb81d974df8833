/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What findings look at in one interval, and how they report. For src/data/finding/ only. */
#ifndef IOTOP_DATA_FINDING_LOOK_H
#define IOTOP_DATA_FINDING_LOOK_H

#include "data/disk/disk.h"
#include "data/finding/finding.h"
#include "data/task/task.h"

/* A task that could not go on for I/O. */
struct waiter {
	const struct task_row *task;
	double share;		/* percent of the interval */
};

#define LOOK_WAITERS 64
/* Who knows how long tasks wait; waits of the scheduler go before delay accounting. */
#define LOOK_WAITS (SRC_WAITS | SRC_DELAYS)

/* Collected once an interval, before the kinds look. */
struct finding_look {
	const struct model *m;
	struct arena *a;		/* of the model */
	struct waiter waiters[LOOK_WAITERS];	/* who waited longest first; residuals are none */
	size_t nwaiters;
	const struct finding_kind *kind;	/* that looks */
	struct finding_state *state;
};

/* Of somebody's time (percent) that it takes to be worth a word. */
#define LOOK_SHARE 20

/*
 * Whether a value is beyond a limit. What is found already stays found down to 70 % of the limit,
 * so that it does not flicker. subject: as for look_found().
 */
bool look_over(const struct finding_look *l, uint64_t subject, double value, double limit);
/*
 * Reports a case: subject tells the cases of a kind apart (a disk, a task) and is the same from
 * interval to interval. The caller fills who, victim, filter, share; texts and numbers by the two
 * functions below. Texts must live as long as the model.
 */
struct finding_row *look_found(struct finding_look *l, uint64_t subject);
void look_text(struct finding_row *f, const char *key, const char *text);
void look_number(struct finding_row *f, const char *key, enum unit unit, double value);
void look_rate(struct finding_row *f, const char *key, enum unit unit, double value);
/* A filter of rows by one column: `command = "x"`. In the model's memory. */
const char *look_filter(struct finding_look *l, const char *column, const char *text);

/* Every disk of the model. */
#define look_each_disk(l, d)                                                             \
	for (size_t i_ = 0; i_ < (l)->m->rows[ENTITY_DISK].n; i_++)                      \
		for (const struct disk_row *d =                                          \
			     (const struct disk_row *)(l)->m->rows[ENTITY_DISK].rows[i_]; \
		     d; d = NULL)

/* A process (or a residual) on a disk, all operations together. */
struct disk_user {
	const char *name;	/* "rsync 4711" */
	uint64_t pid;		/* 0: no process */
	struct disktask_counters now;
	double share;		/* percent of the time that requests took at the disk */
};

#define LOOK_USERS 16

/* Who used a whole disk in the interval, by the time of requests; returns how many. */
size_t look_users(struct finding_look *l, uint32_t dev, struct disk_user users[LOOK_USERS]);
/*
 * Who waited longest of those with I/O on the disk, not counting process `but` (0: all count);
 * NULL: nobody.
 */
const struct waiter *look_victim(const struct finding_look *l, uint32_t dev, uint64_t but);
/* "postgres 2211" */
const char *look_name(struct finding_look *l, const struct task_row *t);

#endif
