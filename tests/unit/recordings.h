/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording in a folder of its own, made anew for each test, and samples of every kind of row. */
#ifndef IOTOP_TESTS_RECORDINGS_H
#define IOTOP_TESTS_RECORDINGS_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/collect.h"
#include "record/recording.h"
#include "unit.h"

static char dir[64], path[128];

static inline void record_setup(void)
{
	unit_mkdtemp(dir, sizeof(dir));
	snprintf(path, sizeof(path), "%s/r", dir);
}

static inline void record_teardown(void)
{
	char journal[160];

	snprintf(journal, sizeof(journal), "%s-journal", path);
	/* Nothing is left behind beside the file. */
	ck_assert_int_ne(access(journal, F_OK), 0);
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

static inline uint64_t dice(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 11;
}

/* Texts as they may come: unknown, empty, other alphabets, not UTF-8 at all, escape sequences. */
static const char *const texts[] = {
	NULL, "", "plain", "gr\303\274n", "\377\376\200", "\033[2J\n\"';--", "a b"
};

static inline void fill_field(struct sample *s, const struct field *f, char *row, uint64_t *seed)
{
	void *p = row + f->off;
	const char *text = texts[dice(seed) % ARRAY_SIZE(texts)];
	uint64_t v = dice(seed) << 11 | dice(seed), *counts;

	switch (f->kind) {
	case FIELD_U32:
		*(uint32_t *)p = f->max ? v % (f->max + 1ull) : v;
		break;
	case FIELD_U64:
	case FIELD_I64:
		*(uint64_t *)p = v;
		break;
	case FIELD_STR:
		*(const char **)p = f->required && !text ? "" : text;
		break;
	case FIELD_BLOB:
		if (v % 3 == 0)
			break;
		counts = arena_new(&s->arena, uint64_t, 7);
		for (int i = 0; i < 7; i++)
			counts[i] = dice(seed);
		*(struct blob *)p = (struct blob){ counts, 7 * sizeof(*counts) };
		break;
	}
}

/* Row i of any sample has the same key. */
static inline void fill_key(const struct table_info *info, const struct field *f, char *row,
			    unsigned i)
{
	uint32_t *p = (uint32_t *)(row + f->off);

	if (info == &sample_tables[TABLE_SOURCE])
		*p = 1u << i % SRC_COUNT;
	else
		*p = f->max ? i % (f->max + 1) : i;
}

/* Rows first … first + n - 1; those with an odd number are the same whatever the seed. */
static inline struct sample *make(unsigned first, unsigned n, uint64_t seed)
{
	struct sample *s = sample_new();

	s->mono = 1000 + seed;
	s->boot = UINT64_MAX - seed;
	s->real = 5000;
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *info = &sample_tables[t];

		/* What is not known of some samples. */
		if (t == TABLE_DIRTY || t == TABLE_TASK)
			s->tables[t].lacks = seed % 3 ? 0 : 1ull << (info->nfields - 1) | 1;
		for (unsigned i = first; i < first + n; i++) {
			uint64_t now = i % 2 ? i : seed + i * 1000;
			char *row = sample_add(s, t);

			for (unsigned f = 0; f < info->nfields; f++) {
				if (info->fields[f].off < info->key)
					fill_key(info, &info->fields[f], row, i);
				else
					fill_field(s, &info->fields[f], row, &now);
			}
		}
	}
	return s;
}

static inline void write_all(struct sample *const *samples, size_t n)
{
	struct recorder *r;
	struct err err = { "" };

	ck_assert_msg(recorder_open(path, &r, &err) == 0, "%s", err.text);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(recorder_write(r, samples[i], samples[i], &err) == 0, "%s", err.text);
	ck_assert_int_eq(recorder_close(r, &err), 0);
}

static inline void put_file(const char *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, data, len), (ssize_t)len);
	close(fd);
}

#endif
