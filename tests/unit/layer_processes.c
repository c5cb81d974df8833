// SPDX-License-Identifier: GPL-2.0-or-later
/* Layers by process, from hand-written samples. */
#include "layers.h"

#include <math.h>

#include "data/layer/layertask.h"

/* The row of a process at a layer. */
static const struct layertask_row *of_process(const struct model *m, uint64_t pid, uint32_t layer,
					      uint32_t op)
{
	const struct layertask_row *r, *ret = NULL;

	row_each(r, &m->rows[ENTITY_LAYERTASK]) {
		if (r->pid != pid || r->at->layer_id != layer || r->at->op_id != op)
			continue;
		ck_assert_ptr_null(ret);
		ret = r;
	}
	return ret;
}

static const struct model *sample_fsyncs(double seconds, uint64_t n)
{
	struct sample *s = at(seconds);

	add(s, LAYER_SYSCALL, LAYER_READ, 20 * n, 20 * n * MS);
	add(s, LAYER_SYSCALL, LAYER_FSYNC, 8 * n, 8 * n * MS);
	add(s, LAYER_FS, LAYER_FSYNC, 8 * n, 8 * n * MS);
	add(s, LAYER_FS, LAYER_JOURNAL, 8 * n, 4 * n * MS);
	add_caller(s, 7, 7, 12, "/a", 11 * n);
	add_caller(s, 7, 8, 13, NULL, 5 * n);
	add_caller(s, 9, 9, 12, "/a", 4 * n);
	add_caller_at(s, LAYER_SYSCALL, LAYER_FSYNC, 7, 8, 12, "/a", 8 * n);
	add_caller_at(s, LAYER_FS, LAYER_FSYNC, 7, 8, 12, "/a", 6 * n);
	add_caller_at(s, LAYER_FS, LAYER_JOURNAL, 7, 8, 12, "/a", 3 * n);
	return engine_advance(engine, s, SRC_LAYERS | SRC_CALLERS);
}

/* Each process at each layer, below what it is a part of; its files are its own only. */
START_TEST(processes)
{
	const struct layertask_row *r, *fsync;
	const struct model *m;
	struct layer_shares files;
	struct arena a;

	arena_init(&a);
	sample_fsyncs(1, 1);
	m = sample_fsyncs(2, 2);
	ck_assert_uint_eq(m->rows[ENTITY_LAYERTASK].n, 5);
	r = of_process(m, 7, LAYER_SYSCALL, LAYER_READ);
	ck_assert_ptr_nonnull(r);
	ck_assert_str_eq(r->comm, "main");
	ck_assert_str_eq(r->row.name, "main 7");
	ck_assert_uint_eq(layertask_counters(r, false)->count, 16);
	ck_assert_uint_eq(layertask_counters(r, false)->time_ns, 16 * MS);
	ck_assert(isnan(r->share[0]));
	files = layer_files_of(r->at->callers, 7, false, &a);
	check_shares(&files, "/a", 11, "[inode 13]", 5);
	arena_release(&a);
	ck_assert_uint_eq(layertask_counters(of_process(m, 9, LAYER_SYSCALL, LAYER_READ),
					     false)->count, 4);
	fsync = of_process(m, 7, LAYER_FS, LAYER_FSYNC);
	ck_assert_str_eq(fsync->comm, "thread");
	ck_assert_ptr_eq(fsync->row.parent,
			 &of_process(m, 7, LAYER_SYSCALL, LAYER_FSYNC)->row);
	ck_assert_double_eq(fsync->share[0], 75);
	r = of_process(m, 7, LAYER_FS, LAYER_JOURNAL);
	ck_assert_ptr_eq(r->row.parent, &fsync->row);
	ck_assert_double_eq(r->share[1], 50);
}
END_TEST

UNIT_FIXTURE_MAIN("layer_processes", samples_setup, samples_teardown, processes)
