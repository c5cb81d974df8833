// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bytes of pages that became dirty by a task. The kernel's own count (task_io_account_write()) has
 * direct writes as well, which dirty nothing; the block programs count at the pages.
 */
#include "data/task/task_dirtied.h"

struct dirtied_entry {
	struct counters c;	/* bytes */
	struct task_id id;
};

static const struct counter_kind dirtied_kind = {
	COUNTER_ENTRY(struct dirtied_entry, id),
	.nsum = 1,
	.source = SRC_BLOCK,
	.keep = counters_seen,
};

void task_dirtied_init(struct task_state *st)
{
	st->dirtied = counter_table_new(&dirtied_kind);
}

void task_dirtied_free(struct task_state *st)
{
	counter_table_free(st->dirtied);
}

void task_dirtied_read(struct task_state *st, const struct model *m)
{
	st->dirtied_told = false;
	counter_table_begin(st->dirtied, m);
	sample_each(m->cur, OWNER, const struct sample_owner, o) {
		struct dirtied_entry *d;

		if (!(o->flags & TASK_DIRTIED))
			continue;
		st->dirtied_told = true;
		d = counter_table_get(st->dirtied, &o->id, NULL);
		counters_count(st->dirtied, &d->c, &o->dirtied, NULL);
	}
	counter_table_end(st->dirtied);
}

void task_dirtied_count(struct task_state *st)
{
	struct dirtied_entry *d;

	counter_table_each(st->dirtied, d) {
		struct task_entry *e = d->c.active == st->dirtied->tick
					       ? counter_table_find(st->tasks, &d->id) : NULL;
		uint64_t net;

		if (!e)
			continue;
		e->dirtied_sum += *d->c.now;
		net = counter_delta(e->dirtied_sum, e->cancelled_sum);
		if (net <= e->dirty_top)
			continue;
		task_count(st, e, dirty, net - e->dirty_top);
		e->dirty_top = net;
	}
}
