// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Of the bytes that a task's read calls returned from a file, as many were misses as it read from
 * the disk for that file, the others are hits. A read that goes ahead is asked for later: what was
 * read beyond what was asked counts for the next interval, too, and no longer, unless a call ends
 * that began before: its reads may be of any interval since. Files that are disks have no I/O of
 * their own by which to tell them apart: a task's are taken together. Tasks and files show the same
 * hits and misses: those of a file go into the model for its row.
 *
 * Calls that began before reads were counted are neither: nobody knows how much they read. Nor is
 * what others returned, where it may have been read for one of these.
 */
#include "data/task/task_reads.h"

#include "base/clock.h"
#include "data/names.h"

/* That read calls returned. */
enum call_bytes {
	BYTES_ALL,
	BYTES_BEFORE,		/* of calls that began before reads were counted */
	BYTES_COUNT,
};

struct call_entry {
	struct counters c;	/* enum call_bytes */
	struct call_key {
		struct task_id id;
		uint64_t ino;
		uint32_t sdev, is_block;	/* is_block: the file is a disk */
	} key;
	uint64_t low, high;	/* bytes read in the interval: at the lowest disks; at most at one
				 * of those that lie on others */
	uint64_t ahead;		/* bytes read in the interval before and not asked for by then */
	uint64_t older;		/* in those before that, since a call ended */
	uint64_t doubt;		/* of all these, bytes that may be of calls that began before */
	uint64_t ended_ns;	/* the longest of its calls that ended in the interval */
	unsigned read;		/* tick in which something was read for it */
	unsigned used;		/* the same, or a call ended */
	/* Of the interval: what was read for it and is left, and is left but for the doubt; bytes
	 * that calls asked of it, and the longest of these, ns. */
	uint64_t left, sure, asked, longest;
};

struct disk_entry {
	struct counters c;	/* bytes read */
	struct disk_key {
		struct task_id id;
		uint64_t ino;
		uint32_t sdev, dev;
	} key;
};

/* The reads of a call that takes so many intervals are known when it ends. */
#define LONG_TICKS 600
#define READS_MOST 8192	/* such calls, and files that are read by other means than calls */

static bool call_keep(const struct counter_table *t, const void *entry)
{
	const struct call_entry *e = entry;

	return e->c.seen == t->tick || e->read == t->tick ||
	       ((e->ahead || e->older) && e->read + LONG_TICKS > t->tick);
}

static const struct counter_kind call_kind = {
	COUNTER_ENTRY(struct call_entry, key),
	.nsum = BYTES_COUNT,
	.source = SRC_CALLERS,
	.drops = true,
	.most = READS_MOST,
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
	const uint64_t bytes[BYTES_COUNT] = { s->bytes, s->before_bytes };
	struct call_entry *e;

	if (s->layer != LAYER_SYSCALL || s->op != LAYER_READ || !s->ino || !s->id.start ||
	    (s->dev && !names_disk(names, s->dev)->shown))
		return;
	e = counter_table_get(st->read_calls, &key, NULL);
	counters_count(st->read_calls, &e->c, bytes, NULL);
	e->ended_ns = s->max_ns;
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
	to->read = to->used = st->read_calls->tick;
	if (disk->counted)
		to->low += *e->c.now;
	else
		to->high = MAX(to->high, *e->c.now);
}

/* The entry that has what was read for it: itself, or that of its task's disks; NULL: none. */
static struct call_entry *reads_of(struct task_state *st, struct call_entry *e)
{
	const struct call_key disks = { .id = e->key.id, .is_block = 1 };

	return e->key.is_block ? counter_table_find(st->read_calls, &disks) : e;
}

/* Bytes that calls returned in the interval, but for what began before reads were counted. */
static uint64_t asked_now(const struct task_state *st, const struct call_entry *e)
{
	return e->c.active == st->read_calls->tick
		       ? counter_delta(e->c.now[BYTES_ALL], e->c.now[BYTES_BEFORE]) : 0;
}

/* Tells the reads of an entry what its calls asked for, before any of them takes its part. */
static void call_begin(struct task_state *st, struct call_entry *e)
{
	struct call_entry *from =
		e->c.active == st->read_calls->tick ? reads_of(st, e) : NULL;

	if (!from)
		return;
	from->doubt += e->c.now[BYTES_BEFORE];
	from->asked += asked_now(st, e);
	from->longest = MAX(from->longest, e->ended_ns);
	from->used = st->read_calls->tick;
}

static bool is_long(const struct model *m, const struct call_entry *e)
{
	return m->interval > 0 && (double)e->longest / NSEC_PER_SEC > m->interval;
}

static void reads_begin(const struct model *m, struct call_entry *e)
{
	e->left = e->ahead + MAX(e->low, e->high) + (is_long(m, e) ? e->older : 0);
	e->sure = counter_delta(e->left, e->doubt);
}

/* What a call asked for is taken off, and shown where both are watched for the whole interval. */
static void call_end(struct task_state *st, struct model *m, struct call_entry *e, bool whole)
{
	struct call_entry *from = reads_of(st, e);
	uint64_t asked = asked_now(st, e), missed = from ? MIN(asked, from->left) : 0,
		 sure = from ? MIN(asked, from->sure) : 0, hits = asked - missed;
	struct task_entry *task;

	if (from) {
		from->left -= missed;
		from->sure -= sure;
	}
	if (!whole || (!hits && !sure))
		return;
	m->reads[m->nreads++] = (struct model_reads){
		.id = e->key.id, .ino = e->key.ino, .sdev = e->key.sdev,
		.hits = hits, .misses = sure,
	};
	task = counter_table_find(st->tasks, &e->key.id);
	if (!task)
		return;
	task_count(st, task, hits, hits);
	task_count(st, task, misses, sure);
	st->hits += hits;
	st->misses += sure;
}

/*
 * What is left, newest last: of the intervals before only as much as was used, or, where calls take
 * longer, as much as is in flight then: what they ask for in their time.
 */
static void reads_end(const struct model *m, struct call_entry *e)
{
	uint64_t read = MAX(e->low, e->high), recent = MIN(e->left, e->ahead + read),
		 ahead = MIN(recent, read);
	double flying;

	if (is_long(m, e)) {
		flying = (double)e->asked * (double)e->longest / NSEC_PER_SEC / m->interval;
		e->older = MIN(e->left - ahead, (uint64_t)flying);
	} else {
		e->older = e->asked ? 0 : e->older + recent - ahead;
	}
	e->ahead = ahead;
	e->doubt = MIN(e->doubt, e->older + ahead);
	e->low = e->high = e->asked = e->longest = 0;
}

/*
 * Hits and misses of all entries. whole: calls and disks were both watched for the whole interval;
 * else what one has and the other has not tells nothing.
 */
static void compare(struct task_state *st, struct model *m, bool whole)
{
	const struct counter_table *t = st->read_calls;
	struct call_entry **busy = arena_new(&m->arena, struct call_entry *, t->n), *e;
	size_t n = 0;

	counter_table_each(t, e)
		call_begin(st, e);
	counter_table_each(t, e)
		if (e->c.active == t->tick || e->used == t->tick || e->ahead)
			busy[n++] = e;
	m->reads = arena_new(&m->arena, struct model_reads, n);
	for (size_t i = 0; i < n; i++)
		reads_begin(m, busy[i]);
	for (size_t i = 0; i < n; i++)
		call_end(st, m, busy[i], whole);
	for (size_t i = 0; i < n; i++)
		reads_end(m, busy[i]);
}

void task_reads_update(struct task_state *st, struct model *m)
{
	const unsigned needed = SRC_FILES | SRC_CALLERS;
	struct names *names = engine_name_table(m->engine);

	st->hits = st->misses = 0;
	counter_table_begin(st->read_calls, m);
	counter_table_begin(st->read_disks, m);
	if ((m->have & needed) == needed) {
		sample_each(m->cur, CALLER, const struct sample_caller, s)
			call_count(st, s, names);
		sample_each(m->cur, FILE, const struct sample_file, s)
			disk_count(st, s, names);
		compare(st, m, model_watched_whole(m, needed));
	}
	counter_table_end(st->read_calls);
	counter_table_end(st->read_disks);
}
