// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What of a task's I/O is of the file system itself. At a stacked disk it is seen once more: what
 * the lowest disks have counts, or the most that one of those above has, where the disks below do
 * not know what it is.
 */
#include "data/task/task_meta.h"

#include "data/names.h"

struct meta_entry {
	struct counters c;	/* bytes read and written */
	struct meta_key {
		struct task_id cause;
		uint32_t dev, spare;
	} key;
};

static const struct counter_kind meta_kind = {
	COUNTER_ENTRY(struct meta_entry, key),
	.nsum = 1,
	.source = SRC_FILES,
	.drops = true,
	.keep = counters_seen,
};

void task_meta_init(struct task_state *st)
{
	st->meta = counter_table_new(&meta_kind);
}

void task_meta_free(struct task_state *st)
{
	counter_table_free(st->meta);
}

static void meta_add(struct task_state *st, const struct sample_file *s,
		     const struct names_disk *disk)
{
	const struct meta_key key = { .cause = s->cause, .dev = s->dev };
	const uint64_t bytes = s->read + s->write;
	struct meta_entry *e = counter_table_get(st->meta, &key, NULL);
	struct task_entry *task;

	counters_count(st->meta, &e->c, &bytes, NULL);
	task = e->c.active == st->meta->tick && disk->shown
		       ? counter_table_find(st->tasks, &s->cause) : NULL;
	if (!task)
		return;
	if (disk->counted)
		task->meta_low += *e->c.now;
	else
		task->meta_high = MAX(task->meta_high, *e->c.now);
}

static void meta_count(struct task_state *st, const struct meta_entry *e)
{
	struct task_entry *task = counter_table_find(st->tasks, &e->key.cause);

	if (!task || !(task->meta_low | task->meta_high))
		return;
	task_count(st, task, meta, MAX(task->meta_low, task->meta_high));
	task->meta_low = task->meta_high = 0;
}

void task_meta_update(struct task_state *st, const struct model *m)
{
	struct names *names = engine_name_table(m->engine);
	struct meta_entry *e;

	counter_table_begin(st->meta, m);
	sample_each(m->cur, FILE, const struct sample_file, s)
		if (!s->sdev && s->ino == NO_FILE_METADATA)
			meta_add(st, s, names_disk(names, s->dev));
	counter_table_each(st->meta, e)
		meta_count(st, e);
	counter_table_end(st->meta);
}
