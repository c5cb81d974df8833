/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A store that is damaged, of another machine, or not to be trusted. */
#include <sqlite3.h>

#include "record/delta.h"
#include "stores.h"

static void cut(const char *name)
{
	ck_assert_int_eq(truncate(path_of(name), 5000), 0);
}

static void spoil(const char *name)
{
	int fd = open(path_of(name), O_WRONLY);
	char noise[4096];

	memset(noise, 0x5a, sizeof(noise));
	for (off_t at = 40960; at < 120000; at += 8192)
		ck_assert_int_eq(pwrite(fd, noise, sizeof(noise), at), sizeof(noise));
	close(fd);
}

static void make_newer(const char *name)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(path_of(name), &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void remove_it(const char *name)
{
	ck_assert_int_eq(unlink(path_of(name)), 0);
}

static void make_foreign(const char *name)
{
	ck_assert_int_eq(chmod(path_of(name), 0666), 0);
}

static void make_link(const char *name)
{
	char to[128];

	snprintf(to, sizeof(to), "%s/elsewhere", folder);
	ck_assert_int_eq(rename(path_of(name), to), 0);
	ck_assert_int_eq(symlink("elsewhere", path_of(name)), 0);
}

static const struct {
	void (*harm)(const char *name);
	const char *note;
} harms[] = {
	{ cut, "damaged" },
	{ spoil, "left out" },
	{ make_newer, "newer iotop" },
	{ remove_it, "segments are missing before" },
	{ make_foreign, "can be written by other users" },
	{ make_link, "left out" },
};

/* Of a segment that cannot be read it is said, and the others go on, behind a gap. */
START_TEST(harmed_segment)
{
	struct sample *s = sample_new(), *late = sample_new();
	char names[8][64];
	struct err err = { "" };
	uint64_t last = 0;
	unsigned gaps = 0;
	struct replay *r;
	int got;

	write_some(&unbounded, 0, 432, NOON, 25);
	ck_assert_uint_eq(list(".iotop", names), 3);
	harms[_i].harm(names[1]);
	r = open_replay();
	while ((got = replay_next(r, s, late, &err)) == 1) {
		ck_assert_uint_gt(s->real, last);
		last = s->real;
		gaps += s->gap;
		ck_assert(!s->gap || s->real >= NOON + 2 * HOUR);
		sample_reset(s);
		sample_reset(late);
	}
	ck_assert_msg(got == 0, "%s", err.text);
	ck_assert_uint_eq(last, NOON + 431 * 25 * NSEC_PER_SEC);
	ck_assert_uint_eq(gaps, 1);
	assert_notes(r, harms[_i].note);
	replay_close(r);
	sample_free(s);
	sample_free(late);
}
END_TEST

START_TEST(another_machine)
{
	struct replay *r;

	host = "gr\303\274n\n";
	write_some(&unbounded, 0, 10, NOON, 1);
	r = open_replay();
	assert_nth(r, 3, 3, false);
	assert_notes(r, "is of another machine: gr\303\274n");
	assert_nth(r, 4, 4, false);
	assert_notes(r, NULL);
	replay_close(r);
}
END_TEST

START_TEST(clock_set_back)
{
	struct replay *r;

	write_some(&unbounded, 0, 10, NOON + HOUR, 1);
	write_some(&unbounded, 10, 20, NOON, 1);
	r = open_replay();
	ck_assert_uint_eq(replay_count(r), 20);
	assert_nth(r, 10, 10, true);
	assert_notes(r, "the clock was set back");
	replay_close(r);
}
END_TEST

static void assert_refused(const char *text, bool write)
{
	struct err err = { "" };
	struct replay *r;
	struct store *st;
	int result =
		write ? store_open(&unbounded, &st, &err) : replay_open_folder(folder, &r, &err);

	ck_assert_int_lt(result, 0);
	ck_assert_msg(strstr(err.text, text), "%s", err.text);
}

START_TEST(bad_folders)
{
	assert_refused("holds no sample", false);
	ck_assert_int_eq(chmod(folder, 0770), 0);
	assert_refused("can be written by other users", false);
	assert_refused("can be written by other users", true);
	ck_assert_int_eq(chmod(folder, 0700), 0);
	ck_assert_int_eq(symlink("/etc/passwd", path_of("lock")), 0);
	assert_refused("lock", true);
	if (geteuid() == 0) {
		ck_assert_int_eq(chown(folder, 65534, 65534), 0);
		assert_refused("belongs to another user", false);
		assert_refused("belongs to another user", true);
	}
}
END_TEST

/* Bytes of a segment that were changed: a sample or a refusal, never more. */
START_TEST(any_bytes)
{
	struct sample *before = make(0, 6, 1), *now = make(1, 7, 2), *s = sample_new();
	struct delta_layout layout;
	struct buf bytes = { 0 };
	uint64_t seed = 11;
	unsigned good = 0;

	delta_layout_init(&layout);
	delta_put(&bytes, now, before);
	for (unsigned i = 0; i < 20000; i++) {
		size_t at = dice(&seed) % bytes.len, len = bytes.len;
		char was = bytes.data[at], *copy;

		bytes.data[at] = (char)dice(&seed);
		if (i % 4 == 0)
			len = dice(&seed) % len;
		/* In memory of just that size: a sanitizer sees what is read behind it. */
		copy = memcpy(malloc(len + 1), bytes.data, len);
		sample_reset(s);
		good += delta_get(copy, len, &layout, s, before, NULL);
		free(copy);
		bytes.data[at] = was;
	}
	ck_assert_uint_gt(good, 100);
	sample_reset(s);
	ck_assert(delta_get(bytes.data, bytes.len, &layout, s, before, NULL));
	assert_same(s, now);
	buf_release(&bytes);
	sample_free(before);
	sample_free(now);
	sample_free(s);
}
END_TEST

/* What a segment of another iotop does not have is unknown. */
START_TEST(lacking_field)
{
	struct sample *now = make(1, 7, 2), *s = sample_new();
	struct delta_layout layout;
	struct buf bytes = { 0 };

	delta_layout_init(&layout);
	layout.tables[TABLE_TASK].fields[3].field = NULL;
	layout.tables[TABLE_MEMORY].info = NULL;
	delta_put(&bytes, now, NULL);
	ck_assert(delta_get(bytes.data, bytes.len, &layout, s, NULL, NULL));
	ck_assert_uint_eq(s->tables[TABLE_TASK].lacks, 1ull << 3);
	ck_assert_uint_ne(s->tables[TABLE_MEMORY].lacks, 0);
	ck_assert_uint_eq(s->tables[TABLE_IO].lacks, 0);
	/* A field that no table has. */
	now->tables[TABLE_TASK].lacks = 1ull << 60;
	buf_reset(&bytes);
	delta_put(&bytes, now, NULL);
	sample_reset(s);
	ck_assert(!delta_get(bytes.data, bytes.len, &layout, s, NULL, NULL));
	buf_release(&bytes);
	sample_free(now);
	sample_free(s);
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("store_harmed", setup, folder_teardown);

	/* A busy machine is no failure. */
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, harmed_segment, 0, ARRAY_SIZE(harms));
	tcase_add_test(tcase, another_machine);
	tcase_add_test(tcase, clock_set_back);
	tcase_add_test(tcase, bad_folders);
	tcase_add_test(tcase, any_bytes);
	tcase_add_test(tcase, lacking_field);
	return unit_run();
}
