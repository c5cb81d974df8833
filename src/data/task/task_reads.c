// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Of the bytes that a task's read calls returned from a file, as many were misses as it read from
 * the disk for that file, the others are hits. A read that goes ahead is asked for later: what was
 * read beyond what was asked counts for the next interval, too, but no longer. Files that are
 * disks have no I/O of their own by which to tell them apart: a task's are taken together. Tasks
 * and files show the same hits and misses: those of a file go into the model for its row.
 */
#include "data/task/task_reads.h"

#include "data/names.h"

struct call_entry {
	struct counters c;	/* bytes that read calls returned */
	struct call_key {
		struct task_id id;
		uint64_t ino;
		uint32_t sdev, is_block;	/* is_block: the file is a disk */
	} key;
	uint64_t low, high;	/* bytes read in the interval: at the lowest disks; at most at one
				 * of those that lie on others */
	uint64_t ahead;		/* bytes read in the interval before and not asked for by then */
	unsigned read;		/* tick in which something was read for it */
};

struct disk_entry {
	struct counters c;	/* bytes read */
	struct disk_key {
		struct task_id id;
		uint64_t ino;
		uint32_t sdev, dev;
	} key;
};

static bool call_keep(const struct counter_table *t, const void *entry)
{
	const struct call_entry *e = entry;

	return e->c.seen == t->tick || e->read == t->tick;
}

static const struct counter_kind call_kind = {
	COUNTER_ENTRY(struct call_entry, key),
	.nsum = 1,
	.source = SRC_CALLERS,
	.drops = true,
	.keep = call_keep,
};

static const struct counter_kind disk_kind = {
	COUNTER_ENTRY(struct disk_entry, key),
	.nsum = 1,
	.source = SRC_FILES,
	.drops = true,
	.keep = counters_seen,
};

void task_reads_init(struct task_state *st)
{
	st->read_calls = counter_table_new(&call_kind);
	st->read_disks = counter_table_new(&disk_kind);
}

void task_reads_free(struct task_state *st)
{
	counter_table_free(st->read_calls);
	counter_table_free(st->read_disks);
}

static void call_count(struct task_state *st, const struct sample_caller *s, struct names *names)
{
	struct call_key key = { s->id, s->ino, s->sdev, s->is_block };
	struct call_entry *e;

	if (s->layer != LAYER_SYSCALL || s->op != LAYER_READ || !s->ino || !s->id.start ||
	    (s->dev && !names_disk(names, s->dev)->shown))
		return;
	e = counter_table_get(st->read_calls, &key, NULL);
	counters_count(st->read_calls, &e->c, &s->bytes, NULL);
}

/*
 * Where reads of a file are asked for, in this interval or once the call ends; of what is no file,
 * where those of disks are.
 */
static struct call_entry *call_of(struct task_state *st, const struct disk_key *key)
{
	struct call_key call = { key->id, key->ino, key->sdev, 0 };

	if (!key->sdev && key->ino != NO_FILE && key->ino != NO_FILE_DEVICE)
		return NULL;
	if (!key->sdev)
		call = (struct call_key){ .id = key->id, .is_block = 1 };
	return counter_table_get(st->read_calls, &call, NULL);
}

static void disk_count(struct task_state *st, const struct sample_file *s, struct names *names)
{
	const struct names_disk *disk = names_disk(names, s->dev);
	struct disk_key key = { s->cause, s->ino, s->sdev, s->dev };
	struct disk_entry *e;
	struct call_entry *to;

	if (!s->read || !s->cause.start)
		return;
	e = counter_table_get(st->read_disks, &key, NULL);
	counters_count(st->read_disks, &e->c, &s->read, NULL);
	to = e->c.active == st->read_disks->tick && disk->shown ? call_of(st, &key) : NULL;
	if (!to)
		return;
	to->read = st->read_calls->tick;
	if (disk->counted)
		to->low += *e->c.now;
	else
		to->high = MAX(to->high, *e->c.now);
}

/*
 * The entry has what was read for it, or the disks of its task have. whole: calls and disks were
 * both watched for the whole interval; else what one has and the other has not tells nothing.
 */
static void call_end(struct task_state *st, struct model *m, struct call_entry *e, bool whole)
{
	const struct call_key disks = { .id = e->key.id, .is_block = 1 };
	struct call_entry *from =
		e->key.is_block ? counter_table_find(st->read_calls, &disks) : e;
	uint64_t asked = e->c.active == st->read_calls->tick ? *e->c.now : 0,
		 read = from ? MAX(from->low, from->high) : 0,
		 there = from ? from->ahead + read : 0, missed = MIN(asked, there);
	struct task_entry *task;

	if (from) {
		/* What is left, newest last: of the interval before only as much as was used. */
		from->ahead = MIN(there - missed, read);
		from->low = from->high = 0;
	}
	if (!asked || !whole)
		return;
	m->reads[m->nreads++] = (struct model_reads){
		.id = e->key.id, .ino = e->key.ino, .sdev = e->key.sdev,
		.hits = asked - missed, .misses = missed,
	};
	task = counter_table_find(st->tasks, &e->key.id);
	if (!task)
		return;
	task_count(st, task, hits, asked - missed);
	task_count(st, task, misses, missed);
	st->hits += asked - missed;
	st->misses += missed;
}

void task_reads_update(struct task_state *st, struct model *m)
{
	const unsigned needed = SRC_FILES | SRC_CALLERS;
	bool whole = model_watched_whole(m, needed);
	struct names *names = engine_name_table(m->engine);
	struct call_entry *e;

	st->hits = st->misses = 0;
	counter_table_begin(st->read_calls, m);
	counter_table_begin(st->read_disks, m);
	if ((m->have & needed) == needed) {
		sample_each(m->cur, CALLER, const struct sample_caller, s)
			call_count(st, s, names);
		sample_each(m->cur, FILE, const struct sample_file, s)
			disk_count(st, s, names);
		m->reads = arena_new(&m->arena, struct model_reads, st->read_calls->n);
		counter_table_each(st->read_calls, e)
			call_end(st, m, e, whole);
	}
	counter_table_end(st->read_calls);
	counter_table_end(st->read_disks);
}
