// SPDX-License-Identifier: GPL-2.0-or-later
#include "timeline.h"

#include <stdlib.h>

#include "base/mem.h"

struct timeline {
	struct flight *flight;
	/* Where there is no flight. */
	struct replay *replay;
	struct sample *samples[2], *late;
	unsigned turn;
};

struct timeline *timeline_of_flight(struct flight *f)
{
	struct timeline *t = mem_zalloc(sizeof(*t));

	t->flight = f;
	return t;
}

struct timeline *timeline_of_replay(struct replay *r)
{
	struct timeline *t = mem_zalloc(sizeof(*t));

	t->replay = r;
	t->samples[0] = sample_new();
	t->samples[1] = sample_new();
	t->late = sample_new();
	return t;
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	sample_free(t->samples[0]);
	sample_free(t->samples[1]);
	sample_free(t->late);
	free(t);
}

uint64_t timeline_first(const struct timeline *t)
{
	return t->flight ? flight_first(t->flight) : 0;
}

uint64_t timeline_end(const struct timeline *t)
{
	return t->flight ? flight_end(t->flight) : replay_count(t->replay);
}

uint64_t timeline_now(const struct timeline *t)
{
	uint64_t next = t->flight ? flight_end(t->flight) : replay_at(t->replay);

	return next ? next - 1 : 0;
}

uint64_t timeline_time(const struct timeline *t, uint64_t number)
{
	return t->flight ? flight_time(t->flight, number) : replay_time(t->replay, number);
}

unsigned timeline_mark(const struct timeline *t, uint64_t number)
{
	return t->flight ? flight_mark(t->flight, number) : replay_mark(t->replay, number);
}

/* What is damaged is left out: then it is the next one that can be read, or an empty one. */
static const struct sample *read_replay(struct timeline *t, uint64_t number)
{
	struct sample *s = t->samples[++t->turn % 2];
	struct err err = { "" };

	sample_reset(s);
	sample_reset(t->late);
	if (replay_read(t->replay, number, s, t->late, &err) <= 0) {
		sample_reset(s);
		s->gap = true;
	}
	sample_seal(s);
	return s;
}

const struct sample *timeline_read(struct timeline *t, uint64_t number)
{
	return t->flight ? flight_read(t->flight, number) : read_replay(t, number);
}

const struct sample *timeline_late(const struct timeline *t)
{
	return t->flight ? flight_late(t->flight) : t->late;
}

bool timeline_late_each(const struct timeline *t)
{
	return !t->flight;
}
