/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A store in a folder of its own, and numbered samples in it. */
#ifndef IOTOP_TESTS_STORES_H
#define IOTOP_TESTS_STORES_H

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "folder.h"
#include "record/store.h"
#include "recordings.h"
#include "same_samples.h"

#define HOUR (3600 * NSEC_PER_SEC)
#define NOON (1000000 * HOUR) /* CLOCK_REALTIME ns, at a full hour */

static const struct store_options unbounded = { .path = folder };

static inline void setup(void)
{
	folder_setup();
	ck_assert_int_eq(chmod(folder, 0700), 0);
}

static const char *host; /* NULL: this one */

/* Number i: rows come, change, stay as they are, and go. */
static inline struct sample *nth(unsigned i, uint64_t real)
{
	static char here[256];
	struct sample *s = make(i % 3, 3 + i % 5, 1 + i / 2);

	gethostname(here, sizeof(here) - 1);
	((struct sample_system *)s->tables[TABLE_SYSTEM].rows)->host = host ? host : here;
	s->mono = (i + 1) * NSEC_PER_SEC;
	s->real = real;
	return s;
}

static inline struct store *open_store(const struct store_options *opt)
{
	struct err err = { "" };
	struct store *st = NULL;

	ck_assert_msg(store_open(opt, &st, &err) == 0, "%s", err.text);
	return st;
}

static inline void write_nth(struct store *st, unsigned i, uint64_t real)
{
	struct sample *s = nth(i, real);
	struct err err = { "" };

	ck_assert_msg(store_write(st, s, s, i % 4, &err) == 0, "%s", err.text);
	sample_free(s);
}

/* From one number up to before another, so many seconds apart, the first at a moment. */
static inline void write_some(const struct store_options *opt, unsigned from, unsigned to,
			      uint64_t real, unsigned seconds)
{
	struct store *st = open_store(opt);

	for (unsigned i = from; i < to; i++)
		write_nth(st, i, real + (i - from) * (uint64_t)seconds * NSEC_PER_SEC);
	store_close(st);
}

/*
 * Another process writes number after number, and is killed when it has said of `least` that it is
 * written. Returns the last of which it said so.
 */
static inline unsigned kill_after(const struct store_options *opt,
				  void (*write_one)(struct store *st, unsigned i), unsigned least)
{
	unsigned told = 0, n;
	int fds[2];
	pid_t pid;

	ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		struct store *st = open_store(opt);

		for (unsigned i = 0;; i++) {
			write_one(st, i);
			if (write(fds[1], &i, sizeof(i)) != sizeof(i))
				_exit(1);
		}
	}
	close(fds[1]);
	while (told < least)
		ck_assert_int_eq(read(fds[0], &told, sizeof(told)), sizeof(told));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	while (read(fds[0], &n, sizeof(n)) == sizeof(n))
		told = n;
	close(fds[0]);
	return told;
}

static inline struct replay *open_replay(void)
{
	struct err err = { "" };
	struct replay *r = NULL;

	ck_assert_msg(replay_open_folder(folder, &r, &err) == 0, "%s", err.text);
	return r;
}

/* The sample at a place is number i, and comes after a gap or not. */
static inline void assert_nth(struct replay *r, size_t at, unsigned i, bool gap)
{
	struct sample *s = sample_new(), *late = sample_new(), *same;
	struct err err = { "" };

	ck_assert_msg(replay_read(r, at, s, late, &err) == 1, "%s", err.text);
	ck_assert_int_eq(s->gap, gap);
	same = nth(i, replay_time(r, at));
	for (unsigned t = 0; t < TABLE_COUNT; t++)
		if (sample_tables[t].late) {
			struct sample_rows rows = s->tables[t];

			s->tables[t] = late->tables[t];
			late->tables[t] = rows;
		}
	assert_same(s, same);
	ck_assert_uint_eq(replay_mark(r, at), i % 4);
	sample_free(s);
	sample_free(late);
	sample_free(same);
}

static inline void assert_notes(struct replay *r, const char *text)
{
	struct buf notes = { 0 };

	replay_notes(r, &notes);
	if (text)
		ck_assert_msg(notes.len && strstr(notes.data, text), "%s", notes.data);
	else
		ck_assert_msg(!notes.len, "%s", notes.data);
	buf_release(&notes);
}

/* Names of what is in the folder, with this at their end; returns how many. */
static inline size_t list(const char *suffix, char names[][64])
{
	DIR *d = opendir(folder);
	struct dirent *e;
	size_t n = 0;

	while ((e = readdir(d))) {
		size_t len = strlen(e->d_name), end = strlen(suffix);

		if (len >= end && !strcmp(e->d_name + len - end, suffix))
			snprintf(names[n++], 64, "%.63s", e->d_name);
	}
	closedir(d);
	qsort(names, n, 64, (int (*)(const void *, const void *))strcmp);
	return n;
}

#endif
