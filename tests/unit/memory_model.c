// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory that is short: of the machine, of tasks. */
#include <math.h>

#include "data/task/task.h"
#include "samples.h"
#include "tasks.h"

static const struct model *step(unsigned i, uint64_t pages, bool vmstat, bool psi)
{
	struct sample *s = sample_at(i, SRC_SYSTEM);
	struct sample_system *sys = sample_add_row(s, SYSTEM, struct sample_system);

	sys->page_size = 4096;
	sys->vmstat = vmstat;
	sys->psi_memory = psi;
	sys->refault_file = 1000 + pages;
	sys->refault_anon = 1000 + 2 * pages;
	sys->scan_direct = 1000 + 3 * pages;
	sys->steal_direct = 1000 + 4 * pages;
	sys->dirty = i < 2 ? 5 : 25;
	sys->writeback = 6;
	sys->dirty_threshold = 7;
	sys->dirty_background_threshold = 8;
	sys->psi_memory_some_us = i * 250000;
	sys->psi_memory_full_us = i * 125000;
	return engine_advance(engine, s, SRC_SYSTEM);
}

/* Rates in bytes, sums in bytes; what is now in any sample, the first too. */
START_TEST(machine)
{
	const struct model *m = step(0, 0, true, true);
	struct model_flows sums;

	ck_assert(isnan(m->totals.flows.refault_file) && isnan(m->totals.psi_memory_some));
	ck_assert(isnan(m->totals.dirty_growth));
	ck_assert(m->totals.dirty == 5 * 4096 && m->totals.dirty_background_threshold == 8 * 4096);
	m = step(1, 10, true, true);
	ck_assert(m->totals.flows.refault_file == 10 * 4096);
	ck_assert(m->totals.flows.refault_anon == 20 * 4096);
	ck_assert(m->totals.flows.scan_direct == 30 * 4096);
	ck_assert(m->totals.flows.steal_direct == 40 * 4096);
	ck_assert(m->totals.writeback == 6 * 4096 && m->totals.dirty_threshold == 7 * 4096);
	ck_assert_double_eq_tol(m->totals.psi_memory_some, 25, 1e-9);
	ck_assert_double_eq_tol(m->totals.psi_memory_full, 12.5, 1e-9);
	ck_assert(m->totals.dirty_growth == 0);
	m = step(3, 30, true, true);
	ck_assert(m->totals.flows.refault_file == 10 * 4096);
	ck_assert(m->totals.dirty_growth == 10 * 4096);
	sums = model_flows(m, SPAN_SUM);
	ck_assert(sums.refault_file == 30 * 4096 && sums.steal_direct == 120 * 4096);
	sums = model_flows(m, SPAN_MEAN);
	ck_assert(sums.refault_file == 10 * 4096 && isnan(sums.read));
}
END_TEST

/* A kernel that lacks one of them, or PSI: unknown, not zero. */
START_TEST(machine_unknown)
{
	const struct model *m = step(0, 0, false, false);

	m = step(1, 10, false, false);
	ck_assert(isnan(m->totals.flows.refault_file) && isnan(m->totals.flows.steal_direct));
	ck_assert(isnan(m->totals.dirty) && isnan(m->totals.psi_memory_full));
	ck_assert(isnan(model_flows(m, SPAN_SUM).refault_file));
	ck_assert(m->totals.flows.swap_in == 0);
}
END_TEST

static struct value memstall(const struct model *m)
{
	return column_value(entity_column(&entity_task, "memstall"), &row_of(m, 10, -50)->row, m,
			    SPAN_TICK, &unit_texts);
}

START_TEST(stalled_task)
{
	for (unsigned i = 0; i < 3; i++) {
		unsigned on = i == 2 ? SRC_TASKS : SRC_TASKS | SRC_MEMSTALL;
		struct sample *s = sample_at(i, on);
		struct sample_task *t = task(s, 10, 10, -50);
		const struct model *m;

		t->have = on;
		t->memstall_ns = SEC + i * SEC / 4;
		m = advance(s);
		if (i == 1)
			ck_assert_double_eq_tol(memstall(m).f64, 25, 1e-6);
		else
			ck_assert_int_eq(memstall(m).kind, VAL_NONE);
	}
}
END_TEST

static struct value of_group(const struct model *m, const char *key, enum span span)
{
	return column_value(entity_column(&entity_task, key), &row_of(m, 10, -50)->row, m, span,
			    &unit_texts);
}

/* What a control group is told to have done while it was left out is of no interval. */
START_TEST(group)
{
	for (unsigned i = 0; i < 6; i++) {
		struct sample *s = sample_at(i, SRC_TASKS | SRC_TASKIO | SRC_MEMORY);
		struct sample_memory *mem = i == 3 ? NULL : sample_add_row(s, MEMORY,
									   struct sample_memory);
		const struct model *m;

		task(s, 10, 10, -50)->cgroup = 77;
		if (mem)
			*mem = (struct sample_memory){
				.cgroup = 77, .have = i == 5 ? MEMORY_REFAULTS
							     : MEMORY_REFAULTS | MEMORY_LIMITS,
				.refault_file = 1000 + i * 4096, .refault_anon = 1000 + i * 8192,
				.high = 10 + i, .max = 10 + 2 * i,
			};
		m = advance(s);
		if (i == 0 || i == 3 || i == 4) {
			ck_assert_int_eq(of_group(m, "refaults", SPAN_TICK).kind, VAL_NONE);
			ck_assert_int_eq(of_group(m, "atlimit", SPAN_TICK).kind, VAL_NONE);
			continue;
		}
		ck_assert(of_group(m, "refaults", SPAN_TICK).f64 == 3 * 4096);
		ck_assert(of_group(m, "refaults", SPAN_SUM).f64 == (i == 2 ? 6 : 3) * 4096);
		if (i == 5)
			ck_assert_int_eq(of_group(m, "atlimit", SPAN_TICK).kind, VAL_NONE);
		else
			ck_assert_uint_eq(of_group(m, "atlimit", SPAN_TICK).u64, 3);
	}
}
END_TEST

/* Pressure, limits and the kernel's own count of a control group. */
START_TEST(group_io)
{
	const struct task_memory *g;
	const struct model *m = NULL;

	for (unsigned i = 0; i < 3; i++) {
		struct sample *s = sample_at(i, SRC_TASKS | SRC_TASKIO | SRC_MEMORY);

		task(s, 10, 10, -50)->cgroup = 77;
		*sample_add_row(s, MEMORY, struct sample_memory) = (struct sample_memory){
			.cgroup = 77, .have = MEMORY_PSI | (i ? MEMORY_EVICTED : 0),
			.psi_some_us = 5 + i * 250000, .psi_full_us = i * 100000,
			.evicted = i * 4096, .limits = i ? "io.max rbps=1" : NULL,
		};
		for (uint64_t dev = 1; dev < 4; dev++)
			*sample_add_row(s, GROUPDISK, struct sample_groupdisk) =
				(struct sample_groupdisk){ 77, 8 << 20 | dev, 100 + i * dev,
							   200, 1, 1 };
		/* Of no group that is known. */
		*sample_add_row(s, GROUPDISK, struct sample_groupdisk) =
			(struct sample_groupdisk){ 78, 8 << 20, i, i, i, i };
		m = advance(s);
	}
	ck_assert_double_eq_tol(of_group(m, "cgsome", SPAN_TICK).f64, 25, 1e-6);
	ck_assert_double_eq_tol(of_group(m, "cgfull", SPAN_TICK).f64, 10, 1e-6);
	ck_assert(of_group(m, "evicted", SPAN_TICK).f64 == 4096);
	ck_assert_str_eq(of_group(m, "limits", SPAN_TICK).str, "io.max rbps=1");
	g = row_of(m, 10, -50)->memory;
	ck_assert_uint_eq(g->ndisks, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert(g->disks[i].now_read == i + 1 && g->disks[i].sum_read == 2 * (i + 1) &&
			  !g->disks[i].sum_write);
}
END_TEST

UNIT_FIXTURE_MAIN("memory_model", samples_setup, samples_teardown, machine, machine_unknown,
		  group_io, stalled_task, group)
