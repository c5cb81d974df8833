/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is shown of the stack of a wait lives as long as the model. */
#include <stdio.h>
#include <string.h>

#include "data/stack/offcpu.h"
#include "samples.h"

static struct sample_offcpu *block(struct sample *s, uint32_t tid, uint64_t kstack)
{
	struct sample_offcpu *b = sample_add_row(s, OFFCPU, struct sample_offcpu);

	*b = (struct sample_offcpu){
		.id = { 10, tid, 5 }, .kstack = kstack, .state = 'D', .blocked_ns = 1000000,
		.count = 1, .max_ns = 1000000, .comm = "reader",
	};
	return b;
}

static void frames(struct sample *s, uint64_t id, const char *text)
{
	*sample_add_row(s, FRAMES, struct sample_frames) = (struct sample_frames){ id, 0, text };
}

static const char *path_of(const struct model *m, uint32_t tid)
{
	for (size_t i = 0; i < m->rows[ENTITY_OFFCPU].n; i++) {
		const struct offcpu_row *r =
			(const struct offcpu_row *)m->rows[ENTITY_OFFCPU].rows[i];

		if (r->id.tid == tid)
			return r->path;
	}
	return NULL;
}

/*
 * What tells a stack from others is found anew when there are many more of them. A row that is
 * complete by then keeps the text it has.
 */
START_TEST(paths_stay)
{
	struct sample *s = sample_at(1, SRC_OFFCPU), *late = sample_new();
	const struct model *m;
	const char *path;
	char before[64], text[64];

	engine_advance(engine, s, SRC_OFFCPU);
	s = sample_at(2, SRC_OFFCPU);
	block(s, 1, 1);
	block(s, 2, 1)->waker_kstack = 2;
	for (uint32_t i = 0; i < 40; i++)
		block(s, 100 + i, 100 + i);
	m = engine_advance(engine, s, SRC_OFFCPU);
	frames(late, 1, "io_schedule\nvfs_read");
	engine_late(engine, late);
	path = path_of(m, 1);
	snprintf(before, sizeof(before), "%s", path);
	sample_reset(late);
	for (uint32_t i = 0; i < 40; i++) {
		snprintf(text, sizeof(text), "schedule\nfunction_%u", i);
		frames(late, 100 + i, arena_strdup(&late->arena, text));
	}
	frames(late, 2, "irq");
	engine_late(engine, late);
	ck_assert_ptr_eq(path_of(m, 1), path);
	ck_assert_str_eq(path, before);
	sample_free(late);
}
END_TEST

UNIT_FIXTURE_MAIN("offcpu_paths", samples_setup, samples_teardown, paths_stay)
