/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples that one can walk through: those in memory, or a store. */
#ifndef IOTOP_TIMELINE_H
#define IOTOP_TIMELINE_H

#include "collect/collect.h"
#include "record/flight.h"

struct timeline;

/* What marks of samples (flight_mark(), replay_mark()) say. */
enum timeline_mark {
	MARK_SEVERITY = 3,	/* these bits: 0, or severity of the worst finding + 1 */
	MARK_TRIGGER = 1 << 2,	/* more sources were on because of --when */
	MARK_SOURCES = 1 << 3,	/* other sources were on than before */
};

/* Of what is borrowed. timeline_free() by the caller. */
struct timeline *timeline_of_flight(struct flight *f);
struct timeline *timeline_of_replay(struct replay *r);
void timeline_free(struct timeline *t);

/* As the functions of flight.h that are called so. */
uint64_t timeline_first(const struct timeline *t);
uint64_t timeline_end(const struct timeline *t);
/* The number of the sample that is shown where nobody walks: the newest, or where a replay is. */
uint64_t timeline_now(const struct timeline *t);
uint64_t timeline_time(const struct timeline *t, uint64_t number);
unsigned timeline_mark(const struct timeline *t, uint64_t number);
const struct sample *timeline_read(struct timeline *t, uint64_t number);
/*
 * Rows of late tables. Of the samples in memory all that came so far; of a store those that came
 * with the sample that was read last: each has its own.
 */
const struct sample *timeline_late(const struct timeline *t);
bool timeline_late_each(const struct timeline *t);

#endif
