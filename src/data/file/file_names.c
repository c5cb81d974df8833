// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/file/file_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define EXTENSION_MOST 10

/* What follows the last dot of a name, where that can be an extension; NULL: nothing. */
static const char *extension_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot != name && dot[1] && strlen(dot + 1) <= EXTENSION_MOST &&
			       !strpbrk(dot, " :")
		       ? dot + 1 : NULL;
}

void file_path_take(struct file_entry *e, char *clean)
{
	const char *ext;
	char *slash;

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

void file_mount_forget(void *value, _unused_ void *arg)
{
	struct file_mount *m = value;

	free(m->point);
	free(m->fs);
	free(m);
}

void file_mount_learn(struct file_state *st, uint32_t sdev, const char *point, const char *fs)
{
	struct file_mount *m = hash_get(&st->mounts, &sdev);

	if (!sdev || !point || !fs || (m && !strcmp(m->point, point) && !strcmp(m->fs, fs)))
		return;
	if (!m) {
		m = mem_zalloc(sizeof(*m));
		m->sdev = sdev;
		hash_put(&st->mounts, m);
	}
	utf8_clean_set(&m->point, point);
	utf8_clean_set(&m->fs, fs);
}

void file_names_share(struct file_state *st)
{
	struct file_entry *e;
	struct hash named;

	/* The key of a file is the middle of that of its entries. */
	hash_init(&named, offsetof(struct file_entry, key.ino),
		  offsetof(struct file_key, stacked) - offsetof(struct file_key, ino));
	counter_table_each(st->files, e)
		if (e->key.sdev && e->path && !hash_get(&named, &e->key.ino))
			hash_put(&named, e);
	counter_table_each(st->files, e) {
		const struct file_entry *other = NULL;

		if (e->key.sdev && !e->path)
			other = hash_get(&named, &e->key.ino);
		if (other)
			file_path_take(e, mem_strdup(other->path));
	}
	hash_release(&named);
}
