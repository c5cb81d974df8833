// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/layer/layer_callers.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "data/history.h"
#include "data/model.h"

/* Who is in no sample for longer than a history is not kept. */
static bool caller_keep(const struct counter_table *t, const void *entry)
{
	return t->tick - ((const struct layer_caller *)entry)->c.seen <= HISTORY_TICKS;
}

static void caller_forget(void *entry, _unused_ void *arg)
{
	struct layer_caller *e = entry;

	free(e->comm);
	free(e->path);
}

static const struct counter_kind caller_kind = {
	COUNTER_ENTRY(struct layer_caller, key),
	.nsum = LAYER_COUNTERS_SUM,
	.nmax = LAYER_COUNTERS_MAX,
	.source = SRC_CALLERS,
	.drops = true,
	.keep = caller_keep,
	.forget = caller_forget,
};

struct counter_table *layer_callers_new(void)
{
	return counter_table_new(&caller_kind);
}

void layer_callers_update(struct counter_table *t, const struct model *m)
{
	counter_table_begin(t, m);
	sample_each(m->cur, CALLER, const struct sample_caller, s) {
		struct layer_caller_key key = {
			s->id, s->ino, s->sdev, { s->dev, s->layer, s->op, s->is_block }, 0,
		};
		struct layer_counters cur = { s->count, s->total_ns, s->total_ns, s->max_ns };
		struct layer_caller *e = counter_table_get(t, &key, NULL);

		utf8_clean_set(&e->comm, s->comm);
		utf8_clean_set(&e->path, s->path);
		counters_count(t, &e->c, &cur, NULL);
	}
	counter_table_end(t);
}
