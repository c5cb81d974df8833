/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flight recorder: the samples of the last minutes, in memory, so that one can look at what was
 * before one looked. Bounded by time and by bytes: the oldest go.
 */
#ifndef IOTOP_RECORD_FLIGHT_H
#define IOTOP_RECORD_FLIGHT_H

#include "data/sample.h"

struct flight;

/* Keeps so many nanoseconds, in at most so many bytes. flight_free() by the caller. */
struct flight *flight_new(uint64_t keep_ns, size_t max_bytes);
void flight_free(struct flight *f);
/*
 * One more sample. before: the sample that was added before this one, as it was then; NULL: it is
 * not there any more. late: rows of late tables that came since then.
 */
void flight_add(struct flight *f, const struct sample *s, const struct sample *before,
		const struct sample *late);
/* A mark of the newest sample, and of one that is kept: 0 unless it was set. */
void flight_set_mark(struct flight *f, unsigned mark);
unsigned flight_mark(const struct flight *f, uint64_t number);
/* Samples have numbers that go on: those from flight_first() up to before flight_end() are kept. */
uint64_t flight_first(const struct flight *f);
uint64_t flight_end(const struct flight *f);
/* CLOCK_REALTIME ns of a sample that is kept. */
uint64_t flight_time(const struct flight *f, uint64_t number);
/*
 * A sample that is kept; valid until the next but one is read. One that follows the one read before
 * is cheap; another takes reading up to a minute.
 */
const struct sample *flight_read(struct flight *f, uint64_t number);
/* The rows of late tables that came so far, each key once. Valid until the next flight_add(). */
const struct sample *flight_late(const struct flight *f);
/* Bytes that it takes now. */
size_t flight_bytes(const struct flight *f);

#endif
