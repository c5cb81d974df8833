/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples in a store of one task that writes a page from each to the next, and of brief ones. */
#ifndef IOTOP_TESTS_PAGES_H
#define IOTOP_TESTS_PAGES_H

#include "record/replay.h"
#include "stores.h"

#define EVERY 7	 /* samples: then a task was there for once */
#define STEP  25 /* seconds from one sample to the next */

/* Number i: one task wrote i pages so far. */
static inline void fill(struct sample *s, unsigned i)
{
	struct sample_task *t;

	sample_reset(s);
	s->mono = s->boot = (i + 1) * STEP * NSEC_PER_SEC;
	s->real = NOON + i * STEP * NSEC_PER_SEC;
	t = sample_add(s, TABLE_TASK);
	t->id = (struct task_id){ 1, 1, 1 };
	t->comm = "writer";
	t->write_bytes = i * 4096;
	if (i % EVERY)
		return;
	t = sample_add(s, TABLE_TASK);
	t->id = (struct task_id){ 1000 + i, 1000 + i, s->boot - NSEC_PER_SEC };
	t->comm = "brief";
	t->flags = TASK_ENDED;
	t->write_bytes = i + 1;
}

static inline void write_pages(struct store *st, unsigned from, unsigned to)
{
	struct sample *s = sample_new();
	struct err err = { "" };

	for (unsigned i = from; i < to; i++) {
		fill(s, i);
		ck_assert_msg(store_write(st, s, s, 0, &err) == 0, "%s", err.text);
	}
	sample_free(s);
}

/* All of it, from the first to the last: who wrote so many pages, and who was there for once. */
static inline size_t check_pages(struct replay *r, unsigned last)
{
	struct sample *s = sample_new();
	unsigned brief = 0, pages = 0;
	struct err err = { "" };
	uint64_t real = 0;
	size_t n = 0;
	int got;

	for (; (got = replay_next(r, s, s, &err)) == 1; n++) {
		ck_assert_uint_gt(s->real, real);
		real = s->real;
		sample_each(s, TASK, const struct sample_task, t)
		{
			if (t->id.tgid == 1)
				pages = (unsigned)(t->write_bytes / 4096);
			else if (t->write_bytes == t->id.tgid - 999)
				brief++;
		}
		sample_reset(s);
	}
	ck_assert_msg(got == 0, "%s", err.text);
	ck_assert_uint_eq(pages, last);
	ck_assert_uint_eq(brief, last / EVERY + 1);
	sample_free(s);
	return n;
}

#endif
