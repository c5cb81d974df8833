// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/task/task_memory.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "data/names.h"

struct memory_entry {
	struct counters c;	/* struct task_memory_counters */
	uint64_t cgroup;	/* hash key */
	unsigned first_tick;
	struct task_memory memory;
};

/*
 * A group is left out of a sample when its tasks do nothing, or others do more: when it comes back,
 * what happened meanwhile is of no interval.
 */
static void entry_forget(void *entry, _unused_ void *arg)
{
	free(((struct memory_entry *)entry)->memory.limits);
}

static const struct counter_kind memory_kind = {
	COUNTER_ENTRY(struct memory_entry, cgroup),
	.nsum = sizeof(struct task_memory_counters) / sizeof(uint64_t),
	.begins_visible = true,
	.keep = counters_seen,
	.forget = entry_forget,
};

struct disk_counters {
	uint64_t read, write;	/* bytes */
};

struct disk_entry {
	struct counters c;	/* struct disk_counters */
	struct disk_key {
		uint64_t cgroup, dev;
	} key;
};

static const struct counter_kind disk_kind = {
	COUNTER_ENTRY(struct disk_entry, key),
	.nsum = sizeof(struct disk_counters) / sizeof(uint64_t),
	.begins_visible = true,
	.keep = counters_seen,
};

struct counter_table *task_memory_new(void)
{
	struct counter_table *t = counter_table_new(&memory_kind);

	t->arg = counter_table_new(&disk_kind);
	return t;
}

void task_memory_free(struct counter_table *t)
{
	counter_table_free(t->arg);
	counter_table_free(t);
}

/* Of each group a list of what the kernel counts at its disks. */
static void disks_update(struct counter_table *groups, struct model *m)
{
	struct names *names = engine_name_table(m->engine);
	struct counter_table *t = groups->arg;
	struct memory_entry *g;
	struct disk_entry *e;

	counter_table_begin(t, m);
	sample_each(m->cur, GROUPDISK, const struct sample_groupdisk, s) {
		const struct disk_key key = { s->cgroup, s->dev };
		const struct disk_counters cur = { s->read, s->write };

		e = counter_table_get(t, &key, NULL);
		counters_count(t, &e->c, &cur, NULL);
	}
	counter_table_end(t);
	counter_table_each(groups, g) {
		g->memory.disks = NULL;
		g->memory.ndisks = 0;
	}
	counter_table_each(t, e) {
		const struct disk_counters *now = (const struct disk_counters *)e->c.now,
					   *sum = (const struct disk_counters *)e->c.sum;
		struct task_group_disk *list;

		g = counter_table_find(groups, &e->key.cgroup);
		if (!g || !(sum->read + sum->write))
			continue;
		list = arena_new(&m->arena, struct task_group_disk, g->memory.ndisks + 1);
		for (size_t i = 0; i < g->memory.ndisks; i++)
			list[i] = g->memory.disks[i];
		list[g->memory.ndisks++] = (struct task_group_disk){
			names_disk_people(names, (uint32_t)e->key.dev), now->read, now->write,
			sum->read, sum->write,
		};
		g->memory.disks = list;
	}
}

void task_memory_update(struct counter_table *t, struct model *m)
{
	counter_table_begin(t, m);
	sample_each(m->cur, MEMORY, const struct sample_memory, s) {
		const struct task_memory_counters cur = {
			s->refault_file, s->refault_anon, s->high, s->max, s->psi_some_us,
			s->psi_full_us, s->evicted,
		};
		struct memory_entry *e;
		bool fresh;

		e = counter_table_get(t, &s->cgroup, &fresh);
		if (fresh)
			e->first_tick = t->tick;
		counters_count(t, &e->c, &cur, NULL);
		e->memory.have = s->have;
		free(e->memory.limits);
		e->memory.limits = s->limits ? utf8_clean_dup(s->limits) : NULL;
		e->memory.now = (const struct task_memory_counters *)e->c.now;
		e->memory.sum = (const struct task_memory_counters *)e->c.sum;
	}
	counter_table_end(t);
	disks_update(t, m);
}

const struct task_memory *task_memory_of(struct counter_table *t, uint64_t cgroup)
{
	const struct memory_entry *e = cgroup && t->n ? counter_table_find(t, &cgroup) : NULL;

	return e && e->first_tick != t->tick ? &e->memory : NULL;
}

#define ROW(c) ((const struct task_row *)(c)->row)

/* NULL: not known. */
static const struct task_memory_counters *counters_of(const struct cell *c, unsigned have)
{
	const struct task_memory *mem = ROW(c)->memory;

	if (!mem || !(mem->have & have) || c->span == SPAN_MEAN)
		return NULL;
	return c->span == SPAN_TICK ? mem->now : mem->sum;
}

struct value task_refaults(const struct cell *c)
{
	const struct task_memory_counters *n = counters_of(c, MEMORY_REFAULTS);

	return n ? cell_rate(c, (double)n->refault_file + (double)n->refault_anon) : value_none();
}

struct value task_evicted(const struct cell *c)
{
	const struct task_memory_counters *n = counters_of(c, MEMORY_EVICTED);

	return n ? cell_rate(c, (double)n->evicted) : value_none();
}

struct value task_atlimit(const struct cell *c)
{
	const struct task_memory *mem = ROW(c)->memory;
	const struct task_memory_counters *n = mem ? c->span == SPAN_TICK ? mem->now : mem->sum
						   : NULL;

	return n && mem->have & MEMORY_LIMITS ? value_u64(n->high + n->max) : value_none();
}

static struct value pressure(const struct cell *c, bool full)
{
	const struct task_memory_counters *n = counters_of(c, MEMORY_PSI);
	double us = n ? (double)(full ? n->psi_full_us : n->psi_some_us) : 0;

	if (!n || !(c->seconds > 0))
		return value_none();
	return value_f64(MIN(us / c->seconds / 1e4, 100));
}

struct value task_pressure_some(const struct cell *c)
{
	return pressure(c, false);
}

struct value task_pressure_full(const struct cell *c)
{
	return pressure(c, true);
}

struct value task_limits(const struct cell *c)
{
	return ROW(c)->memory ? value_str(ROW(c)->memory->limits) : value_none();
}
