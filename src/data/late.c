// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/late.h"

#include "base/hash.h"

/* The key lies in a row of the sample. */
static void refer(struct hash *h, void *key)
{
	if (!hash_get(h, key))
		hash_put(h, key);
}

static void refer_stacks(struct hash *h, const struct sample *cur)
{
	sample_each(cur, STACKIO, struct sample_stackio, s) {
		refer(h, &s->kstack);
		refer(h, &s->ustack);
	}
	sample_each(cur, OFFCPU, struct sample_offcpu, b) {
		refer(h, &b->kstack);
		refer(h, &b->ustack);
		refer(h, &b->waker_kstack);
		refer(h, &b->waker_ustack);
	}
}

static void keep_table(struct sample *to, const struct sample *late, enum sample_table table,
		       const struct hash *wanted)
{
	const struct table_info *info = &sample_tables[table];
	const struct sample_rows *rows = &late->tables[table];
	struct hash newest;
	char *row = rows->rows;

	hash_init(&newest, 0, info->key);
	for (size_t i = 0; i < rows->n; i++, row += info->size) {
		hash_del(&newest, row);
		hash_put(&newest, row);
	}
	row = rows->rows;
	for (size_t i = 0; i < rows->n; i++, row += info->size) {
		const char *last = hash_get(wanted, row) ? hash_del(&newest, row) : NULL;

		if (last)
			sample_copy_row(to, table, last);
	}
	hash_release(&newest);
}

void late_keep(struct sample *to, const struct sample *late, const struct sample *cur)
{
	struct hash tasks, stacks;

	hash_init(&tasks, 0, sizeof(struct task_id));
	sample_each(cur, TASK, struct sample_task, t)
		refer(&tasks, &t->id);
	hash_init(&stacks, 0, sizeof(uint64_t));
	refer_stacks(&stacks, cur);
	keep_table(to, late, TABLE_CMDLINE, &tasks);
	keep_table(to, late, TABLE_FRAMES, &stacks);
	hash_release(&tasks);
	hash_release(&stacks);
}
