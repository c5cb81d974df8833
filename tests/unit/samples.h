/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hand-written samples for a model: an engine, made anew for each test, and two samples that take
 * turns.
 */
#ifndef IOTOP_TESTS_SAMPLES_H
#define IOTOP_TESTS_SAMPLES_H

#include "base/clock.h"
#include "data/model.h"
#include "unit.h"

static struct engine *engine;
static struct engine_options options; /* read by the engine all the time */
static struct sample *samples[2];
static unsigned turn;

static inline void samples_setup(void)
{
	options = (struct engine_options){ 0 };
	engine = engine_new(&options);
	samples[0] = sample_new();
	samples[1] = sample_new();
	turn = 0;
}

static inline void samples_teardown(void)
{
	engine_free(engine);
	sample_free(samples[0]);
	sample_free(samples[1]);
}

/* An empty sample at so many seconds, with these sources on. */
static inline struct sample *sample_at(double seconds, unsigned on)
{
	struct sample *s = samples[turn++ % 2];

	sample_reset(s);
	s->mono = s->boot = s->real = (uint64_t)((1000 + seconds) * NSEC_PER_SEC);
	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (on & (1u << i))
			sample_source(s, 1u << i, SOURCE_ON, NULL);
	return s;
}

/* A source of the sample was opened at so many seconds. */
static inline void sample_opened(struct sample *s, enum source source, double seconds)
{
	sample_each(s, SOURCE, struct sample_source, row)
		if (row->source == (uint32_t)source)
			row->since = (uint64_t)((1000 + seconds) * NSEC_PER_SEC);
}

static inline struct sample_disk *sample_disk(struct sample *s, uint32_t dev, const char *name)
{
	struct sample_disk *d = sample_add_row(s, DISK, struct sample_disk);

	d->dev = d->whole = dev;
	d->name = name;
	return d;
}

#endif
