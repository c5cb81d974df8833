// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/task/task_memory.h"

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
static bool entry_keep(const struct counter_table *t, const void *entry)
{
	return ((const struct memory_entry *)entry)->c.seen == t->tick;
}

static const struct counter_kind memory_kind = {
	COUNTER_ENTRY(struct memory_entry, cgroup),
	.nsum = sizeof(struct task_memory_counters) / sizeof(uint64_t),
	.begins_visible = true,
	.keep = entry_keep,
};

struct counter_table *task_memory_new(void)
{
	return counter_table_new(&memory_kind);
}

void task_memory_update(struct counter_table *t, const struct model *m)
{
	counter_table_begin(t, m);
	sample_each(m->cur, MEMORY, const struct sample_memory, s) {
		const struct task_memory_counters cur = { s->refault_file, s->refault_anon,
							  s->high, s->max };
		struct memory_entry *e;
		bool fresh;

		e = counter_table_get(t, &s->cgroup, &fresh);
		if (fresh)
			e->first_tick = t->tick;
		counters_count(t, &e->c, &cur, NULL);
		e->memory.have = s->have;
		e->memory.now = (const struct task_memory_counters *)e->c.now;
		e->memory.sum = (const struct task_memory_counters *)e->c.sum;
	}
	counter_table_end(t);
}

const struct task_memory *task_memory_of(struct counter_table *t, uint64_t cgroup)
{
	const struct memory_entry *e = cgroup && t->n ? counter_table_find(t, &cgroup) : NULL;

	return e && e->first_tick != t->tick ? &e->memory : NULL;
}
