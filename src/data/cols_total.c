// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine at a glance, by the keys that reports and conditions have for it. */
#include "data/total_row.h"

/* Unknown is NaN, whatever the sources are. */
#define TOTAL(name, member, in, from)                                                 \
	{                                                                             \
		COLUMN(name, "", ""), COL_FIELD(struct total_row, totals.member), \
		.unit = (in), .either = (from),                                       \
	}
#define TASKS(member)                                                                 \
	{                                                                             \
		COLUMN(#member, "", ""), COL_FIELD(struct total_row, totals.member), \
		.unit = UNIT_COUNT, .either = SRC_TASKS,                              \
	}
#define OF_TASKS (SRC_BLOCK | SRC_TASKIO)

/* New ones at the end: reports have them in this order. */
static const struct column total_columns[] = {
	TOTAL("read", flows.read, UNIT_BYTES, OF_TASKS),
	TOTAL("write", flows.write, UNIT_BYTES, OF_TASKS),
	TOTAL("disk_read", flows.disk_read, UNIT_BYTES, SRC_DISKS),
	TOTAL("disk_write", flows.disk_write, UNIT_BYTES, SRC_DISKS),
	TOTAL("swap_in", flows.swap_in, UNIT_BYTES, SRC_SYSTEM),
	TOTAL("swap_out", flows.swap_out, UNIT_BYTES, SRC_SYSTEM),
	TOTAL("psi_some", psi_some, UNIT_PERCENT, SRC_SYSTEM),
	TOTAL("psi_full", psi_full, UNIT_PERCENT, SRC_SYSTEM),
	TOTAL("refault_file", flows.refault_file, UNIT_BYTES, SRC_SYSTEM),
	TOTAL("refault_anon", flows.refault_anon, UNIT_BYTES, SRC_SYSTEM),
	TOTAL("scan_direct", flows.scan_direct, UNIT_BYTES, SRC_SYSTEM),
	TOTAL("steal_direct", flows.steal_direct, UNIT_BYTES, SRC_SYSTEM),
	TOTAL("psi_memory_some", psi_memory_some, UNIT_PERCENT, SRC_SYSTEM),
	TOTAL("psi_memory_full", psi_memory_full, UNIT_PERCENT, SRC_SYSTEM),
	TOTAL("dirty", dirty, UNIT_BYTES, SRC_SYSTEM),
	TOTAL("writeback", writeback, UNIT_BYTES, SRC_SYSTEM),
	TOTAL("dirty_threshold", dirty_threshold, UNIT_BYTES, SRC_SYSTEM),
	TOTAL("dirty_background_threshold", dirty_background_threshold, UNIT_BYTES, SRC_SYSTEM),
	TASKS(tasks),
	TASKS(active),
	TASKS(ended),
	TOTAL("hits", flows.hits, UNIT_BYTES, SRC_CALLERS),
	TOTAL("misses", flows.misses, UNIT_BYTES, SRC_CALLERS),
	{ .key = NULL },
};

const struct entity entity_total = {
	.name = "total",
	.row_size = sizeof(struct total_row),
	.columns = total_columns,
	.needs = SRC_SYSTEM,
};

/* Of averages also the pressure is one, and who ended is told of all of the time. */
static void set_means(struct model_totals *t, const struct model *m)
{
	double all = model_watched(m, SRC_SYSTEM, true) * 1e4;

	t->psi_some = m->psi_some_us / all;
	t->psi_full = m->psi_full_us / all;
	t->psi_memory_some = m->psi_memory_some_us / all;
	t->psi_memory_full = m->psi_memory_full_us / all;
	t->ended = m->ended;
}

struct total_row total_row(const struct model *m, enum span span)
{
	struct total_row ret = {
		.row = { .entity = &entity_total, .have = ~0u, .members = 1 },
		.totals = m->totals,
	};

	ret.totals.flows = model_flows(m, span);
	if (span == SPAN_MEAN)
		set_means(&ret.totals, m);
	return ret;
}
