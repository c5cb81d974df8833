// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a sample says of files, by thread and disk, becomes a row for each file and process. A byte
 * is counted once, at the lowest disk. Where only a stacked disk knows the file (what is below is
 * encrypted, or a driver's own pages), it has its I/O there, and that of the disk below is of no
 * file (NO_FILE_BELOW).
 */
#include "data/file/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/counters.h"
#include "data/names.h"
#include "data/selection.h"
#include "data/task/task.h"

#define FILES_MOST 8192	/* kept, of those that are idle the longest idle go first */
#define EXTENSION_MOST 10

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

struct entry {
	struct counters c;	/* struct file_counters */
	struct file_key {
		struct task_id process;	/* a residual: as in sample_io */
		uint64_t ino;
		uint32_t sdev;
		uint32_t stacked;	/* 1: not at a lowest disk */
	} key;
	char *path, *dir, *ext, *mount, *fs, *comm;	/* clean; NULL: not known */
	uint32_t uid, dev;
	uint64_t cgroup;
	uint64_t most;		/* bytes at dev, which had the most of one disk */
	bool deleted;
	struct history *history;
};

struct file_state {
	struct counter_table *links, *files;
	struct hash tasks;	/* rows of tasks of this tick by id, once somebody asked */
	bool indexed;
};

static bool link_keep(const struct counter_table *t, const void *entry)
{
	return ((const struct link *)entry)->c.seen == t->tick;
}

static const struct counter_kind link_kind = {
	COUNTER_ENTRY(struct link, key),
	.nsum = FILE_COUNTERS_SUM,
	.nmax = FILE_COUNTERS_MAX,
	.source = SRC_FILES,
	.drops = true,
	.keep = link_keep,
};

static void entry_forget(void *entry, _unused_ void *arg)
{
	struct entry *e = entry;

	free(e->path);
	free(e->dir);
	free(e->ext);
	free(e->mount);
	free(e->fs);
	free(e->comm);
	free(e->history);
}

/* What is kept no longer goes on as [other files]. */
static struct counters *entry_rest(struct counter_table *t, const void *entry)
{
	const struct file_key key = {
		.process = { .tid = RESIDUAL_UNATTRIBUTED },
		.ino = NO_FILE_OTHER,
		.stacked = ((const struct entry *)entry)->key.stacked,
	};

	return &((struct entry *)counter_table_get(t, &key, NULL))->c;
}

static const struct counter_kind file_kind = {
	COUNTER_ENTRY(struct entry, key),
	.nsum = FILE_COUNTERS_SUM,
	.nmax = FILE_COUNTERS_MAX,
	.most = FILES_MOST,
	.keep = counters_recent,
	.forget = entry_forget,
	.rest = entry_rest,
};

static void *state_new(void)
{
	struct file_state *st = mem_zalloc(sizeof(*st));

	st->links = counter_table_new(&link_kind);
	st->files = counter_table_new(&file_kind);
	return st;
}

static void state_free(void *state)
{
	struct file_state *st = state;

	counter_table_free(st->links);
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

/* Whose I/O it is: the process of the task, or what is none. */
static void link_resolve(struct file_state *st, struct link *l, const struct model *m)
{
	const struct task_row *t;

	if (!l->key.cause.start) {
		l->process = l->key.cause;
		if (l->process.tid > RESIDUAL_OUTSIDE)
			l->process.tid = RESIDUAL_UNATTRIBUTED;
		l->known = true;
		return;
	}
	t = task_of(st, m, &l->key.cause);
	l->process = t ? task_leader(t)->id : l->key.cause;
	l->known = t;
}

static void text_set(char **to, const char *text)
{
	char *clean = text ? utf8_clean_dup(text) : NULL;

	if (!clean)
		return;
	free(*to);
	*to = clean;
}

/* What follows the last dot of a name, where that can be an extension; NULL: nothing. */
static const char *extension_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot != name && dot[1] && strlen(dot + 1) <= EXTENSION_MOST &&
			       !strpbrk(dot, " :")
		       ? dot + 1 : NULL;
}

/* A file may be renamed, and the number of an inode go to another one. */
static void path_set(struct entry *e, const char *path)
{
	char *clean = path ? utf8_clean_dup(path) : NULL, *slash;
	const char *ext;

	if (!clean || (e->path && !strcmp(e->path, clean))) {
		free(clean);
		return;
	}
	free(e->path);
	free(e->dir);
	free(e->ext);
	e->path = clean;
	slash = strrchr(clean, '/');
	e->dir = !slash ? NULL : mem_strndup(clean, (size_t)MAX(slash - clean, 1));
	ext = extension_of(slash ? slash + 1 : clean);
	e->ext = ext ? mem_strdup(ext) : NULL;
}

static void owner_set(struct file_state *st, struct entry *e, const struct model *m)
{
	const struct task_row *t = task_of(st, m, &e->key.process);

	if (!t)
		return;
	text_set(&e->comm, t->comm);
	if (t->facts) {
		e->uid = t->facts->uid;
		e->cgroup = t->facts->cgroup;
	}
}

static void link_charge(struct file_state *st, struct link *l, const struct sample_file *s,
			const struct model *m, bool stacked)
{
	struct file_key key = { .ino = s->ino, .sdev = s->sdev, .stacked = stacked };
	const struct file_counters *sum = (const struct file_counters *)l->c.sum;
	struct entry *e;

	if (!l->known)
		link_resolve(st, l, m);
	key.process = l->process;
	e = counter_table_get(st->files, &key, NULL);
	if (!e->comm || !*e->comm)
		owner_set(st, e, m);
	path_set(e, s->path);
	if (!e->mount)
		text_set(&e->mount, s->mount);
	if (!e->fs)
		text_set(&e->fs, s->fs);
	e->deleted = s->flags & FILE_DELETED;
	if (!e->dev || sum->read + sum->write > e->most) {
		e->most = sum->read + sum->write;
		e->dev = s->dev;
	}
	counters_bump_all(st->files, &e->c, l->c.now);
}

static void link_count(struct file_state *st, const struct sample_file *s, const struct model *m,
		       struct names *names)
{
	struct link_key key = { s->cause, s->ino, s->dev, s->sdev };
	struct file_counters cur = {
		.read = s->read, .write = s->write, .rios = s->rios, .wios = s->wios,
		.done = s->done, .lat_ns = s->lat_ns, .max_ns = s->max_ns,
	};
	const struct names_disk *disk = names_disk(names, s->dev);
	struct link *l = counter_table_get(st->links, &key, NULL);

	if (s->hist.len)
		memcpy(cur.hist, s->hist.data, MIN(s->hist.len, sizeof(cur.hist)));
	counters_count(st->links, &l->c, &cur, NULL);
	if (l->c.active == st->links->tick && disk->shown)
		link_charge(st, l, s, m, !disk->counted);
}

static const char *residual_name(uint32_t residual)
{
	switch (residual) {
	case RESIDUAL_JOURNAL:
		return "[journal]";
	case RESIDUAL_METADATA:
		return "[metadata]";
	case RESIDUAL_SWAP:
		return "[swap]";
	case RESIDUAL_OUTSIDE:
		return "[outside]";
	default:
		return "[unattributed]";
	}
}

/* A residual that is all that is known of I/O of no file; 0: it is another one. */
static uint32_t residual_file(const struct file_key *key)
{
	uint32_t residual = key->sdev || key->process.start ? 0 : key->process.tid;

	return residual == RESIDUAL_JOURNAL || residual == RESIDUAL_SWAP ? residual : 0;
}

/* What there is in place of a file. */
static const char *no_file_name(const struct file_key *key)
{
	static const char *const names[] = {
		[NO_FILE] = "[no file]",
		[NO_FILE_METADATA] = "[metadata]",
		[NO_FILE_DEVICE] = "[block device]",
		[NO_FILE_BELOW] = "[stacked disks]",
		[NO_FILE_OTHER] = "[other files]",
	};

	if (residual_file(key))
		return residual_name(residual_file(key));
	return key->ino < ARRAY_SIZE(names) && names[key->ino] ? names[key->ino] : "[no file]";
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void row_fill(struct file_row *r, const struct entry *e, struct model *m,
		     struct names *names)
{
	const struct selection_owner owner = { e->uid, e->cgroup };
	const struct file_key *key = &e->key;
	struct {
		uint64_t ino;
		uint32_t sdev, residual;	/* that says what it is */
	} file = { key->ino, key->sdev, residual_file(key) };

	r->row.key = e->c.hash;
	r->row.now = e->c.now;
	r->row.sum = e->c.sum;
	r->row.have = m->have | SRC_FILES;
	r->row.members = 1;
	r->row.history = e->history;
	r->path = e->path;
	if (!key->sdev)
		r->path = no_file_name(key);
	else if (!r->path)
		r->path = arena_printf(&m->arena, "%s:%llu", names_disk(names, key->sdev)->name,
				       (unsigned long long)key->ino);
	r->row.name = last_part(r->path);
	r->dir = e->dir;
	r->ext = e->ext;
	r->mount = e->mount;
	r->fs = e->fs;
	r->state = e->deleted ? N_("deleted") : NULL;
	r->ino = key->sdev ? key->ino : 0;
	r->file = hash_bytes(&file, sizeof(file));
	r->process = hash_bytes(&key->process, sizeof(key->process));
	r->disk = names_disk_people(names, e->dev);
	if (key->process.start) {
		r->comm = e->comm ? e->comm : "?";
		r->pid = key->process.tgid;
		r->cgroup = names_cgroup_short(names, e->cgroup);
		r->cgroup_path = names_cgroup_path(names, e->cgroup);
	} else {
		r->comm = residual_name(key->process.tid);
	}
	if (m->selection && !selection_has(m->selection, names, &key->process, &owner))
		r->row.flags |= ROW_UNSELECTED;
}

/* Whether the same is there at a lowest disk: it has all of its I/O. */
static bool is_below_too(const struct file_state *st, const struct entry *e)
{
	struct file_key key = e->key;

	key.stacked = 0;
	return e->key.stacked && counter_table_find(st->files, &key);
}

static void history_update(struct entry *e, const struct model *m, double seconds)
{
	const struct file_counters *now = (const struct file_counters *)e->c.now;

	if (!e->history && (now->read || now->write))
		e->history = mem_zalloc(sizeof(*e->history));
	if (e->history && m->interval > 0)
		history_push(e->history, now->read, now->write, seconds);
}

static void build(void *state, struct model *m, const struct sample *cur)
{
	struct names *names = engine_name_table(m->engine);
	double seconds = model_watched(m, SRC_FILES, false);
	struct file_state *st = state;
	struct entry *e;

	st->files->keep_all = engine_get_options(m->engine)->accumulated;
	counter_table_begin(st->links, m);
	counter_table_begin(st->files, m);
	sample_each(cur, FILE, const struct sample_file, s)
		link_count(st, s, m, names);
	if (st->indexed)
		hash_release(&st->tasks);
	st->indexed = false;
	counter_table_end(st->links);
	counter_table_end(st->files);
	counter_table_each(st->files, e) {
		history_update(e, m, seconds);
		if (!is_below_too(st, e))
			row_fill(model_add_row(m, ENTITY_FILE), e, m, names);
	}
}

const struct entity entity_file = {
	.name = "file",
	.row_size = sizeof(struct file_row),
	.nsum = FILE_COUNTERS_SUM,
	.nmax = FILE_COUNTERS_MAX,
	.columns = file_columns,
	.needs = SRC_FILES,
	.always = true,
	.groups = 1u << GROUP_NONE | 1u << GROUP_PROCESS | 1u << GROUP_CGROUP | 1u << GROUP_FILE |
		  1u << GROUP_FOLDER | 1u << GROUP_MOUNT | 1u << GROUP_FS | 1u << GROUP_EXTENSION,
	.state_new = state_new,
	.state_free = state_free,
	.build = build,
	.group_key = file_group_key,
	.group = file_group,
};
