// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/known.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define FILES_MAX 4096	/* known at a time, unless more are in use */
#define SPACES_MAX 4096
#define IDLE_ROUNDS 60	/* without use after which one may go */

void known_init(struct known *k)
{
	*k = (struct known){ .numbers = 0 };
	hash_init(&k->files, offsetof(struct known_file, key),
		  sizeof(((struct known_file *)0)->key));
	hash_init(&k->file_numbers, offsetof(struct known_file, number), sizeof(uint32_t));
	hash_init(&k->spaces, offsetof(struct known_space, key), sizeof(struct space_key));
	hash_init(&k->space_numbers, offsetof(struct known_space, number), sizeof(uint32_t));
}

static void file_drop(void *value, void *arg)
{
	struct known_file *f = value;
	struct known *k = arg;

	hash_del(&k->file_numbers, &f->number);
	free((void *)(uintptr_t)f->at.path);
	free(f);
}

static void space_drop(void *value, void *arg)
{
	struct known_space *s = value;
	struct known *k = arg;

	hash_del(&k->space_numbers, &s->number);
	free(s);
}

void known_release(struct known *k)
{
	hash_clear(&k->files, file_drop, k);
	hash_clear(&k->spaces, space_drop, k);
	hash_release(&k->file_numbers);
	hash_release(&k->space_numbers);
}

void known_round(struct known *k)
{
	k->round++;
	hash_age_rounds(&k->files, FILES_MAX, IDLE_ROUNDS, offsetof(struct known_file, round),
			k->round, file_drop, k);
	hash_age_rounds(&k->spaces, SPACES_MAX, IDLE_ROUNDS, offsetof(struct known_space, round),
			k->round, space_drop, k);
}

/*
 * Of a disk one file may hang, and others not; what has no disk is served by one server or process.
 */
static bool is_bad(const struct known *k, uint64_t dev)
{
	for (size_t i = 0; i < KNOWN_BAD_DEVICES; i++)
		if (k->bad[i] == dev && dev)
			return true;
	return false;
}

static struct known_file *file_new(struct known *k, const struct known_file *key,
				   const struct helper_file *from)
{
	struct known_file *f = mem_zalloc(sizeof(*f));
	char *path = mem_alloc(from->path_len + 1);

	memcpy(path, from->path, from->path_len);
	path[from->path_len] = '\0';
	f->key = key->key;
	f->at.path = path;
	f->number = ++k->numbers;
	f->bad = is_bad(k, from->dev);
	hash_put(&k->files, f);
	hash_put(&k->file_numbers, f);
	return f;
}

struct known_file *known_file(struct known *k, const struct helper_file *from)
{
	struct known_file key = { .key = { from->dev, from->ino,
					   hash_bytes(from->path, from->path_len), from->size,
					   from->mtime } };
	struct known_file *f = hash_get(&k->files, &key.key);
	const char *path;

	if (!f)
		f = file_new(k, &key, from);
	path = f->at.path;
	f->at = *from;
	f->at.path = path;
	f->round = k->round;
	return f;
}

struct known_space *known_space(struct known *k, const struct space_key *key)
{
	struct known_space *s = hash_get(&k->spaces, key);

	if (!s) {
		s = mem_zalloc(sizeof(*s));
		s->key = *key;
		s->number = ++k->numbers;
		hash_put(&k->spaces, s);
		hash_put(&k->space_numbers, s);
	}
	s->round = k->round;
	return s;
}

struct known_file *known_file_use(struct known *k, uint32_t number)
{
	struct known_file *f = hash_get(&k->file_numbers, &number);

	if (f)
		f->round = k->round;
	return f;
}

struct known_space *known_space_use(struct known *k, uint32_t number)
{
	struct known_space *s = hash_get(&k->space_numbers, &number);

	if (s)
		s->round = k->round;
	return s;
}

void known_file_bad(struct known *k, struct known_file *f)
{
	struct known_file *other;
	size_t i = 0;

	f->bad = true;
	if (f->at.dev >> 32 || is_bad(k, f->at.dev))
		return;
	memmove(k->bad + 1, k->bad, sizeof(k->bad) - sizeof(k->bad[0]));
	k->bad[0] = f->at.dev;
	while ((other = hash_next(&k->files, &i)))
		other->bad |= other->at.dev == f->at.dev;
}
