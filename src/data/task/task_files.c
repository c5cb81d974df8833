/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files behind a task's I/O. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/counters.h"
#include "data/task/task_state.h"

#define FILES_SHOWN 20	/* of a task, in the column and the detail */

struct file_entry {
	struct task_file file;	/* what the rows show */
	struct {
		struct task_id cause;
		uint64_t ino;
		uint32_t dev, sdev;
	} key;			/* hash key */
	uint64_t read, written;	/* of the newest sample */
	struct task_entry *owner;
	struct file_entry *next;	/* of the same owner */
	unsigned seen;
};

void task_files_init(struct task_state *st)
{
	hash_init(&st->files, offsetof(struct file_entry, key),
		  sizeof(((struct file_entry *)0)->key));
}

static void file_drop(void *value, _unused_ void *arg)
{
	struct file_entry *f = value;
	struct file_entry **at = f->owner ? &f->owner->files : NULL;

	while (at && *at && *at != f)
		at = &(*at)->next;
	if (at && *at)
		*at = f->next;
	free(f->file.path_text);
	free(f);
}

static bool file_keep(void *value, void *arg)
{
	const struct file_entry *f = value;
	const struct task_state *st = arg;

	return f->owner ? f->seen == st->tick || !(st->prev_on & SRC_FILES) || f->owner->ended_at
			: f->seen == st->tick;
}

void task_files_free(struct task_state *st)
{
	hash_filter(&st->files, NULL, file_drop, NULL);
	hash_release(&st->files);
}

void task_files_release(struct task_entry *e)
{
	for (struct file_entry *f = e->files; f; f = f->next)
		f->owner = NULL;
	e->files = NULL;
}

static struct file_entry *file_get(struct task_state *st, const struct sample_file *s,
				   struct names *names)
{
	struct file_entry probe = { .key = { s->cause, s->ino, s->dev, s->sdev } };
	struct file_entry *f = hash_get(&st->files, &probe.key);

	if (f)
		return f;
	f = mem_zalloc(sizeof(*f));
	f->key = probe.key;
	f->file.disk = names_disk(names, s->dev)->name;
	f->file.ino = s->ino;
	f->owner = task_state_entry(st, &s->cause);
	f->next = f->owner->files;
	f->owner->files = f;
	if (!st->prev_boot) {
		f->read = s->read;
		f->written = s->write;
	}
	hash_put(&st->files, f);
	return f;
}

/* The number of an inode may go to another file. */
static void path_set(struct task_file *file, const char *path)
{
	struct arena a;
	const char *text;

	if (!path)
		return;
	arena_init(&a);
	text = utf8_clean(&a, path, strlen(path));
	if (!file->path_text || strcmp(file->path_text, text)) {
		free(file->path_text);
		file->path_text = mem_strdup(text);
	}
	arena_release(&a);
}

void task_files_update(struct task_state *st, const struct sample *s, struct names *names)
{
	struct file_entry *f;
	size_t i = 0;

	while ((f = hash_next(&st->files, &i)))
		f->file.now_read = f->file.now_write = 0;
	sample_each(s, FILE, const struct sample_file, row) {
		f = file_get(st, row, names);
		f->seen = st->tick;
		path_set(&f->file, row->path);
		f->file.now_read = counter_delta(row->read, f->read);
		f->file.now_write = counter_delta(row->write, f->written);
		f->file.sum_read += f->file.now_read;
		f->file.sum_write += f->file.now_write;
		f->read = row->read;
		f->written = row->write;
	}
	hash_filter(&st->files, file_keep, file_drop, st);
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
			   arena_printf(a, "[inode %llu]", (unsigned long long)files[i]->ino);
	return texts;
}

/* What the rows show is its first member. */
static const struct file_entry *entry_of(const struct task_file *file)
{
	return (const struct file_entry *)file;
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
