/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/task/task_files.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "data/names.h"

#define FILES_SHOWN 20	/* of a task, in the column and the detail */

struct file_counters {
	uint64_t read, written;	/* bytes */
};

struct file_entry {
	struct counters c;	/* struct file_counters */
	struct file_key {
		struct task_id cause;
		uint64_t ino;
		uint32_t dev, sdev;
	} key;
	struct task_file file;	/* what the rows show */
	struct task_entry *owner;
	struct file_entry *next, **at;	/* of the same owner; what leads here */
};

static bool file_keep(const struct counter_table *t, const void *entry)
{
	const struct file_entry *f = entry;
	const struct task_state *st = t->arg;

	return f->c.seen == t->tick ||
	       (f->owner && (!(st->prev_on & SRC_FILES) || f->owner->ended_at));
}

static void file_forget(void *entry, _unused_ void *arg)
{
	struct file_entry *f = entry;

	/* One of ten thousands, with no walk through the others. */
	if (f->owner) {
		*f->at = f->next;
		if (f->next)
			f->next->at = f->at;
	}
	free(f->file.path_text);
}

static const struct counter_kind file_kind = {
	COUNTER_ENTRY(struct file_entry, key),
	.nsum = sizeof(struct file_counters) / sizeof(uint64_t),
	.source = SRC_FILES,
	.keep = file_keep,
	.forget = file_forget,
};

void task_files_init(struct task_state *st)
{
	st->files = counter_table_new(&file_kind);
	st->files->arg = st;
}

void task_files_free(struct task_state *st)
{
	struct task_entry *e;

	counter_table_each(st->tasks, e)
		task_files_release(e);
	counter_table_free(st->files);
}

void task_files_release(struct task_entry *e)
{
	for (struct file_entry *f = e->files; f; f = f->next)
		f->owner = NULL;
	e->files = NULL;
}

/* The number of an inode may go to another file. */
static void path_set(struct task_file *file, const char *path)
{
	char *text = utf8_clean_dup(path);

	if (!text)
		return;
	free(file->path_text);
	file->path_text = text;
}

static struct file_entry *file_get(struct task_state *st, const struct sample_file *s,
				   struct names *names)
{
	struct file_key key = { s->cause, s->ino, s->dev, s->sdev };
	bool fresh;
	struct file_entry *f = counter_table_get(st->files, &key, &fresh);

	if (!fresh)
		return f;
	f->file.disk = names_disk(names, s->dev);
	f->file.ino = s->ino;
	f->owner = task_entry_get(st, &s->cause, 0);
	f->next = f->owner->files;
	f->at = &f->owner->files;
	if (f->next)
		f->next->at = &f->next;
	f->owner->files = f;
	return f;
}

static void dirty_update(struct task_state *st, const struct model *m)
{
	struct task_entry *e;

	if (!(m->have & SRC_FILES))
		return;
	counter_table_each(st->tasks, e)
		e->dirty_now = 0;
	sample_each(m->cur, DIRTY, const struct sample_dirty, s) {
		e = counter_table_find(st->tasks, &s->cause);
		if (e)
			e->dirty_now += s->bytes;
	}
}

void task_files_update(struct task_state *st, const struct model *m)
{
	struct names *names = engine_name_table(m->engine);
	struct file_entry *f;

	counter_table_begin(st->files, m);
	sample_each(m->cur, FILE, const struct sample_file, row) {
		struct file_counters cur = { row->read, row->write };

		/* I/O of no file has rows in the list of files only. */
		if (!row->sdev)
			continue;
		f = file_get(st, row, names);
		path_set(&f->file, row->path);
		f->file.state = row->flags & FILE_DELETED ? N_("deleted") : NULL;
		counters_count(st->files, &f->c, &cur, NULL);
	}
	counter_table_end(st->files);
	dirty_update(st, m);
	counter_table_each(st->files, f) {
		const struct file_counters *now = (const struct file_counters *)f->c.now,
					   *sum = (const struct file_counters *)f->c.sum;

		f->file.now_read = now->read;
		f->file.now_write = now->written;
		f->file.sum_read = sum->read;
		f->file.sum_write = sum->written;
	}
}

static int file_order(const void *a, const void *b)
{
	const struct task_file *x = *(const struct task_file *const *)a,
			       *y = *(const struct task_file *const *)b;
	uint64_t nx = x->now_read + x->now_write, ny = y->now_read + y->now_write;

	if (nx != ny)
		return nx > ny ? -1 : 1;
	nx = x->sum_read + x->sum_write;
	ny = y->sum_read + y->sum_write;
	return nx > ny ? -1 : nx < ny;
}

const struct task_file *const *task_files_hottest(const struct task_entry *e, struct arena *a,
						  size_t *ret_n)
{
	const struct task_file **list;
	size_t n = 0;

	for (const struct file_entry *f = e->files; f; f = f->next)
		n++;
	list = arena_new(a, const struct task_file *, n);
	n = 0;
	for (const struct file_entry *f = e->files; f; f = f->next)
		list[n++] = &f->file;
	if (n > 1)
		qsort(list, n, sizeof(*list), file_order);
	*ret_n = MIN(n, FILES_SHOWN);
	return list;
}

const char *const *task_files_texts(const struct task_file *const *files, size_t n, struct arena *a)
{
	const char **texts = arena_new(a, const char *, n);

	for (size_t i = 0; i < n; i++)
		texts[i] = files[i]->path_text ? files[i]->path_text :
			   arena_printf(a, "[inode %llu]",
					(unsigned long long)ino_shown(files[i]->ino));
	return texts;
}

static const struct file_entry *entry_of(const struct task_file *file)
{
	return (const void *)((const char *)file - offsetof(struct file_entry, file));
}

/* The same file, of whomever. */
static bool files_have(const struct task_file *const *files, size_t n, const struct task_file *file)
{
	const struct file_entry *f = entry_of(file);

	for (size_t i = 0; i < n; i++) {
		const struct file_entry *has = entry_of(files[i]);

		if (has->key.ino == f->key.ino && has->key.sdev == f->key.sdev &&
		    has->key.dev == f->key.dev)
			return true;
	}
	return false;
}

void task_files_join(struct task_row *group, const struct task_row *member, struct arena *a)
{
	const struct task_file **list;
	size_t i = 0, j = 0, n = 0;

	if (!member->files || !member->nfiles)
		return;
	list = arena_new(a, const struct task_file *, FILES_SHOWN);
	while (n < FILES_SHOWN && (i < group->nfiles || j < member->nfiles)) {
		bool ours =
			j >= member->nfiles ||
			(i < group->nfiles && file_order(&group->files[i], &member->files[j]) <= 0);
		const struct task_file *f = ours ? group->files[i++] : member->files[j++];

		if (!files_have(list, n, f))
			list[n++] = f;
	}
	group->files = list;
	group->nfiles = n;
	group->file_texts = task_files_texts(list, n, a);
}
