// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/file/file_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/file/file_busiest.h"
#include "data/file/file_names.h"
#include "data/names.h"
#include "data/task/task.h"

/* A row of the sample. */
struct link {
	struct counters c;	/* struct file_counters */
	struct link_key {
		struct task_id cause;
		uint64_t ino;
		uint32_t dev, sdev;
	} key;
	struct task_id process;
	bool known;		/* process is its process */
};

/* Calls of a task for a file. */
struct call {
	struct counters c;	/* struct call_counters */
	struct call_key {
		struct task_id id;
		uint64_t ino;
		uint32_t sdev, op;	/* enum layer_op */
		uint32_t is_block, dev;	/* as in sample_caller */
	} key;
	struct task_id process;
	bool known;
};

struct call_counters {
	uint64_t count, total_ns, bytes;
};

static const struct counter_kind link_kind = {
	COUNTER_ENTRY(struct link, key),
	.nsum = FILE_COUNTERS_SUM,
	.nmax = FILE_COUNTERS_MAX,
	.source = SRC_FILES,
	.drops = true,
	.keep = counters_seen,
};

static const struct counter_kind call_kind = {
	COUNTER_ENTRY(struct call, key),
	.nsum = sizeof(struct call_counters) / sizeof(uint64_t),
	.source = SRC_CALLERS,
	.drops = true,
	.keep = counters_seen,
};

static void entry_forget(void *entry, _unused_ void *arg)
{
	struct file_entry *e = entry;

	free(e->path);
	free(e->dir);
	free(e->ext);
	free(e->comm);
	free(e->seen);
	free(e->history);
	for (struct file_disk *d = e->disks, *next; d; d = next) {
		next = d->next;
		free(d);
	}
}

static const struct counter_kind file_kind = {
	COUNTER_ENTRY(struct file_entry, key),
	.nsum = FILE_COUNTERS_SUM,
	.nmax = FILE_COUNTERS_MAX,
	.keep = counters_recent,
	.forget = entry_forget,
};

void *file_state_new(void)
{
	struct file_state *st = mem_zalloc(sizeof(*st));

	st->links = counter_table_new(&link_kind);
	st->calls = counter_table_new(&call_kind);
	st->files = counter_table_new(&file_kind);
	hash_init(&st->mounts, offsetof(struct file_mount, sdev), sizeof(uint32_t));
	return st;
}

void file_state_free(void *state)
{
	struct file_state *st = state;

	hash_clear(&st->mounts, file_mount_forget, NULL);

	counter_table_free(st->links);
	counter_table_free(st->calls);
	counter_table_free(st->files);
	free(st);
}

static const struct task_row *task_of(struct file_state *st, const struct model *m,
				      const struct task_id *id)
{
	const struct row_list *list = &m->rows[ENTITY_TASK];

	if (!st->indexed) {
		hash_init(&st->tasks, offsetof(struct task_row, id), sizeof(struct task_id));
		for (size_t i = 0; i < list->n; i++)
			hash_put(&st->tasks, (void *)(uintptr_t)list->rows[i]);
		st->indexed = true;
	}
	return hash_get(&st->tasks, id);
}

/* Whose I/O it is: the process of a task, or what is none. False: its process is not known yet. */
static bool process_of(struct file_state *st, const struct model *m, const struct task_id *id,
		       struct task_id *ret)
{
	const struct task_row *t;

	*ret = *id;
	if (!id->start) {
		if (ret->tid > RESIDUAL_OUTSIDE)
			ret->tid = RESIDUAL_UNATTRIBUTED;
		return true;
	}
	t = task_of(st, m, id);
	if (t)
		*ret = task_leader(t)->id;
	return t;
}

static void owner_set(struct file_state *st, struct file_entry *e, const struct model *m)
{
	const struct task_row *t = task_of(st, m, &e->key.process);

	if (!t)
		return;
	utf8_clean_set(&e->comm, t->comm);
	if (t->facts) {
		e->uid = t->facts->uid;
		e->cgroup = t->facts->cgroup;
	}
}

static struct file_entry *entry_get(struct file_state *st, const struct file_key *key,
				    const char *path, const struct model *m)
{
	struct file_entry *e = file_entry_of(st->files, key);

	if (!e->comm || !*e->comm)
		owner_set(st, e, m);
	file_path_take(e, path && e->key.sdev ? utf8_clean_dup(path) : NULL);
	return e;
}

/* What a row of a sample says of the file itself. */
static void file_learn(struct file_state *st, struct file_entry *e, const char *seen,
		       const char *mount, const char *fs, bool deleted)
{
	file_mount_learn(st, e->key.sdev, mount, fs);
	if (!e->key.sdev)
		return;
	utf8_clean_set(&e->seen, seen);
	e->deleted = deleted;
}

struct file_entry *file_state_twin(const struct file_state *st, const struct file_entry *e)
{
	struct file_key key = e->key;

	key.stacked = !key.stacked;
	return counter_table_find(st->files, &key);
}

static void link_charge(struct file_state *st, struct link *l, const struct sample_file *s,
			const struct model *m, bool stacked)
{
	struct file_key key = { .ino = s->ino, .sdev = s->sdev, .stacked = stacked };
	const struct file_counters *now = (const struct file_counters *)l->c.now;
	const struct file_disk more = {
		.dev = s->dev, .tick = st->files->tick, .now_read = now->read,
		.now_write = now->write, .read = now->read, .write = now->write,
	};
	struct file_entry *e;

	if (!l->known)
		l->known = process_of(st, m, &s->cause, &l->process);
	key.process = l->process;
	e = entry_get(st, &key, s->path, m);
	file_learn(st, e, s->seen, s->mount, s->fs, s->flags & FILE_DELETED);
	file_disk_charge(more.tick, e, &more);
	counters_bump_all(st->files, &e->c, now);
}

static void link_count(struct file_state *st, const struct sample_file *s, struct names *names)
{
	struct link_key key = { s->cause, s->ino, s->dev, s->sdev };
	struct file_counters cur = {
		.read = s->read, .write = s->write, .rios = s->rios, .wios = s->wios,
		.done = s->done, .lat_ns = s->lat_ns, .untimed = s->untimed, .max_ns = s->max_ns,
	};
	struct link *l = counter_table_get(st->links, &key, NULL);
	const uint64_t *now = l->c.now;	/* read, write */

	if (s->hist.len)
		memcpy(cur.hist, s->hist.data, MIN(s->hist.len, sizeof(cur.hist)));
	counters_count(st->links, &l->c, &cur, NULL);
	if (l->c.active == st->links->tick && names_disk(names, s->dev)->shown)
		file_busy_add(&st->busy, now[0] + now[1], s, l);
}

static void call_charge(struct file_state *st, struct call *c, const struct sample_caller *s,
			const struct model *m)
{
	const struct call_counters *now = (const struct call_counters *)c->c.now;
	struct file_key key = { .ino = s->ino, .sdev = s->sdev };
	struct file_counters more = { .calls_ns = now->total_ns };
	struct file_entry *e;

	if (s->op == LAYER_READ) {
		more.rcalls = now->count;
		more.rcall_bytes = now->bytes;
	} else if (s->op == LAYER_WRITE) {
		more.wcalls = now->count;
		more.wcall_bytes = now->bytes;
	} else if (s->op == LAYER_OPEN) {
		more.opens = now->count;
	} else if (s->op == LAYER_FSYNC) {
		more.fsyncs = now->count;
	} else {
		return;
	}
	if (!c->known)
		c->known = process_of(st, m, &s->id, &c->process);
	key.process = c->process;
	/* There was no room for the file beside its task. */
	if (!s->ino || !s->sdev) {
		key.ino = NO_FILE_OTHER;
		key.sdev = 0;
	}
	e = entry_get(st, &key, s->path, m);
	if (e->key.sdev) {
		file_mount_learn(st, e->key.sdev, s->mount, s->fs);
		e->is_block = s->is_block;
		utf8_clean_set(&e->seen, s->seen);
	}
	/* Who ended before a listing had it has its name here. */
	if (!e->comm || !*e->comm)
		utf8_clean_set(&e->comm, s->comm);
	counters_bump_all(st->files, &e->c, &more);
}

static void call_count(struct file_state *st, const struct sample_caller *s)
{
	const struct call_key key = { s->id, s->ino, s->sdev, s->op, s->is_block, s->dev };
	const struct call_counters cur = { s->count, s->total_ns, s->bytes };
	struct call *c;

	if (s->layer != LAYER_SYSCALL)
		return;
	c = counter_table_get(st->calls, &key, NULL);
	counters_count(st->calls, &c->c, &cur, NULL);
	if (c->c.active == st->calls->tick)
		file_busy_add(&st->busy, c->c.now[0] + c->c.now[2], s, c);
}

/* Each list of rows, the busiest first where not all of them find room. */
static void charge_links(struct file_state *st, const struct model *m, struct names *names)
{
	sample_each(m->cur, FILE, const struct sample_file, s)
		link_count(st, s, names);
	file_busy_sort(&st->busy, st->files);
	for (size_t i = 0; i < st->busy.n; i++) {
		const struct sample_file *s = st->busy.items[i].row;

		link_charge(st, st->busy.items[i].of, s, m, !names_disk(names, s->dev)->counted);
	}
	st->busy.n = 0;
}

static void charge_calls(struct file_state *st, const struct model *m)
{
	sample_each(m->cur, CALLER, const struct sample_caller, s)
		call_count(st, s);
	file_busy_sort(&st->busy, st->files);
	for (size_t i = 0; i < st->busy.n; i++)
		call_charge(st, st->busy.items[i].of, st->busy.items[i].row, m);
	st->busy.n = 0;
}

static void reads_add(struct file_state *st, const struct model_reads *r, const struct model *m)
{
	const struct file_counters more = { .hits = r->hits, .misses = r->misses };
	struct file_key key = { .ino = r->ino, .sdev = r->sdev };

	process_of(st, m, &r->id, &key.process);
	counters_bump_all(st->files, &entry_get(st, &key, NULL, m)->c, &more);
}

static void dirty_add(struct file_state *st, const struct sample_dirty *s, const struct model *m)
{
	struct file_key key = { .ino = s->ino, .sdev = s->sdev };
	struct counter_table *t = st->files;
	struct file_entry *e;

	process_of(st, m, &s->cause, &key.process);
	e = entry_get(st, &key, s->path, m);
	if (!e->comm)
		utf8_clean_set(&e->comm, s->comm);
	file_learn(st, e, s->seen, s->mount, s->fs, s->flags & FILE_DELETED);
	if (!e->dev)
		e->dev = s->dev;
	e->dirty += s->bytes;
	/* It stays as long as it is dirty. */
	if (e->c.active != t->tick)
		memset(e->c.now, 0, sizeof(struct file_counters));
	e->c.seen = t->tick;
}

static void charge_dirty(struct file_state *st, const struct model *m)
{
	sample_each(m->cur, DIRTY, const struct sample_dirty, s)
		file_busy_add(&st->busy, s->bytes, s, NULL);
	file_busy_sort(&st->busy, st->files);
	for (size_t i = 0; i < st->busy.n; i++)
		dirty_add(st, st->busy.items[i].row, m);
	/* Nothing is kept of a storm. */
	file_busy_release(&st->busy);
}

static void history_update(struct file_entry *e, const struct model *m, double seconds)
{
	const struct file_counters *now = (const struct file_counters *)e->c.now;

	if (!e->history && (now->read || now->write))
		e->history = mem_zalloc(sizeof(*e->history));
	if (e->history && m->interval > 0)
		history_push(e->history, now->read, now->write, seconds);
}

void file_state_update(struct file_state *st, const struct model *m)
{
	struct names *names = engine_name_table(m->engine);
	double seconds = model_watched(m, SRC_FILES, false);
	struct file_entry *e;

	st->files->keep_all = engine_get_options(m->engine)->accumulated;
	counter_table_begin(st->links, m);
	counter_table_begin(st->calls, m);
	counter_table_begin(st->files, m);
	counter_table_each(st->files, e)
		e->dirty = 0;
	charge_links(st, m, names);
	charge_calls(st, m);
	for (size_t i = 0; i < m->nreads; i++)
		reads_add(st, &m->reads[i], m);
	charge_dirty(st, m);
	if (st->indexed)
		hash_release(&st->tasks);
	st->indexed = false;
	counter_table_end(st->links);
	counter_table_end(st->calls);
	counter_table_end(st->files);
	file_busiest_keep(st->files);
	file_names_share(st);
	counter_table_each(st->files, e)
		history_update(e, m, seconds);
}
