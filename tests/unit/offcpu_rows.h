/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hand-written samples of blocked tasks, and the rows and texts that the model makes of them. */
#ifndef IOTOP_TESTS_UNIT_OFFCPU_ROWS_H
#define IOTOP_TESTS_UNIT_OFFCPU_ROWS_H

#include "data/stack/offcpu_wakers.h"
#include "samples.h"
#include "view/view.h"

#define SDA (8u << 20)
#define MS 1000000ULL

static struct view view;
static struct view_spec spec;

static void setup(void)
{
	struct err err;

	samples_setup();
	view_init(&view);
	spec = (struct view_spec){ .entity = &entity_offcpu,
				   .entity_id = ENTITY_OFFCPU,
				   .group = GROUP_PROCESS };
	ck_assert_int_eq(view_set_columns(&spec, "blocked,count,max,comm,pid,cause,woken", &err),
			 0);
	ck_assert_int_eq(view_set_sort(&spec, "blocked", &err), 0);
}

static void teardown(void)
{
	view_release(&view);
	samples_teardown();
}

static struct sample *at(double seconds)
{
	struct sample *s = sample_at(seconds, SRC_OFFCPU);

	sample_disk(s, SDA, "sda");
	return s;
}

/* Thread tid of process 10, blocked so long so often, all woken by a request of sda. */
static struct sample_offcpu *block(struct sample *s, uint32_t tid, uint64_t ms, uint64_t count,
				   uint64_t longest)
{
	struct sample_offcpu *b = sample_add_row(s, OFFCPU, struct sample_offcpu);

	*b = (struct sample_offcpu){
		.id = { 10, tid, 5 }, .kstack = 1, .waker_kstack = 2, .dev = SDA, .op = OP_READ,
		.state = 'D', .iowait = 1,
		.waker_kind = WAKER_IRQ, .blocked_ns = ms * MS, .count = count,
		.io_ns = count * 2 * MS, .max_ns = longest * MS,
		.comm = "reader",
	};
	return b;
}

static void frames(struct sample *s, uint64_t id, const char *text)
{
	*sample_add_row(s, FRAMES, struct sample_frames) = (struct sample_frames){ id, 0, text };
}

static const struct model *advance(struct sample *s)
{
	const struct model *m = engine_advance(engine, s, SRC_OFFCPU);

	engine_late(engine, s);
	view_build(&view, m, &spec);
	return m;
}

/* What a person reads in the first row. */
static const char *text_of(const char *key)
{
	static char text[128];
	const struct column *col = entity_column(&entity_offcpu, key);
	struct value value = view_value(&view, 0, col, &unit_texts);

	column_text(text, sizeof(text), col, &value, NULL);
	return text;
}

static const struct offcpu_row *row(size_t i)
{
	return (const struct offcpu_row *)view.rows[i].row;
}

#endif
