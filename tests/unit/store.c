/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A store: what was written is read as one recording, whatever happened to who wrote it. */
#include <sqlite3.h>

#include "past.h"
#include "stores.h"

/* Three hours are three segments and one recording; it is read in any order. */
START_TEST(one_recording)
{
	char names[8][64];
	uint64_t seed = 3;
	struct replay *r;

	write_some(&unbounded, 0, 400, NOON, 25);
	ck_assert_uint_eq(list(".iotop", names), 3);
	ck_assert_uint_eq(list("-wal", names), 0);
	r = open_replay();
	ck_assert(replay_is_store(r));
	ck_assert_uint_eq(replay_count(r), 400);
	for (unsigned i = 0; i < 400; i++)
		assert_nth(r, i, i, false);
	for (unsigned i = 0; i < 100; i++) {
		unsigned at = (unsigned)(dice(&seed) % 400);

		assert_nth(r, at, at, false);
	}
	assert_notes(r, NULL);
	replay_close(r);
}
END_TEST

/* It is read while it is written, as far as it was when it was opened. */
START_TEST(read_while_written)
{
	struct store *st = open_store(&unbounded);
	struct replay *r;

	for (unsigned i = 0; i < 50; i++)
		write_nth(st, i, NOON + i * NSEC_PER_SEC);
	r = open_replay();
	ck_assert_uint_eq(replay_count(r), 50);
	for (unsigned i = 50; i < 100; i++) {
		write_nth(st, i, NOON + i * NSEC_PER_SEC);
		assert_nth(r, i - 50, i - 50, false);
	}
	store_close(st);
	assert_nth(r, 49, 49, false);
	replay_close(r);
	r = open_replay();
	ck_assert_uint_eq(replay_count(r), 100);
	replay_close(r);
	/* The reader kept the WAL: who writes next takes it away. */
	store_close(open_store(&unbounded));
	{
		char names[8][64];

		ck_assert_uint_eq(list("-wal", names), 0);
	}
}
END_TEST

static void write_second(struct store *st, unsigned i)
{
	write_nth(st, i, NOON + i * NSEC_PER_SEC);
}

/* A recorder that is killed at any moment: what it said is there, and the next one goes on. */
START_TEST(killed)
{
	struct replay *r;
	unsigned told, n;

	told = kill_after(&unbounded, write_second, 100 + 7 * (unsigned)_i);
	r = open_replay();
	n = (unsigned)replay_count(r);
	ck_assert_uint_ge(n, told + 1);
	ck_assert_uint_le(n, told + 2);
	assert_nth(r, n - 1, n - 1, false);
	replay_close(r);

	write_some(&unbounded, 1000, 1010, NOON + HOUR / 2, 1);
	r = open_replay();
	ck_assert_uint_eq(replay_count(r), n + 10);
	assert_nth(r, n - 1, n - 1, false);
	assert_nth(r, n, 1000, true);
	assert_nth(r, n + 1, 1001, false);
	assert_notes(r, NULL);
	replay_close(r);
}
END_TEST

/* Makes a database be in WAL mode, as a recorder does; reads the first bytes of the WAL. */
static size_t use_wal(const char *name, char *head, size_t size)
{
	char file[512], wal[600];
	sqlite3 *db;
	FILE *f;

	snprintf(file, sizeof(file), "%s/%s", folder, name);
	snprintf(wal, sizeof(wal), "%s-wal", file);
	ck_assert(!sqlite3_open(file, &db));
	ck_assert(!sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL));
	sqlite3_exec(db, "UPDATE sample SET id = id", NULL, NULL, NULL);
	f = fopen(wal, "r");
	ck_assert_ptr_nonnull(f);
	size = fread(head, 1, size, f);
	fclose(f);
	sqlite3_close(db);
	return size;
}

static void assert_twenty(void)
{
	struct replay *r = open_replay();

	ck_assert_uint_eq(replay_count(r), 20);
	assert_nth(r, 19, 19, false);
	assert_notes(r, NULL);
	replay_close(r);
}

/*
 * A recorder may be killed, or its reader may leave, when the WAL is gone and the database still in
 * WAL mode, or when there is no more than its header: all is in the database.
 */
START_TEST(without_wal)
{
	char names[8][64], wal[600], head[32];
	FILE *f;

	write_some(&unbounded, 0, 20, NOON, 1);
	ck_assert_uint_eq(list(".iotop", names), 1);
	ck_assert_uint_eq(use_wal(names[0], head, sizeof(head)), sizeof(head));
	snprintf(wal, sizeof(wal), "%s/%s-wal", folder, names[0]);
	ck_assert_uint_eq(list("-wal", names), 0);
	assert_twenty();
	f = fopen(wal, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(head, 1, sizeof(head), f), sizeof(head));
	fclose(f);
	ck_assert_int_eq(chmod(wal, 0600), 0);
	assert_twenty();
}
END_TEST

/* The next recorder, after twenty samples: nothing is missing, and nothing is said. */
static void assert_goes_on(void)
{
	struct replay *r;

	write_some(&unbounded, 20, 30, NOON + 2 * HOUR, 1);
	r = open_replay();
	ck_assert_uint_eq(replay_count(r), 30);
	assert_notes(r, NULL);
	replay_close(r);
}

/* A recorder that was killed when it began a segment lost nothing. */
START_TEST(just_begun)
{
	char head[32];

	write_some(&unbounded, 0, 20, NOON, 1);
	use_wal("0000000001-20840129T170000Z.iotop", head, sizeof(head));
	assert_twenty();
	assert_goes_on();
}
END_TEST

/* The same, when not even its first tables were on the disk: SQLite has yet to take them back. */
START_TEST(hardly_begun)
{
	static const char *const steps[] = {
		"PRAGMA synchronous = FULL; PRAGMA cache_size = 1; BEGIN",
		"CREATE TABLE sample (id INTEGER PRIMARY KEY, filler)",
		"INSERT INTO sample VALUES (1, zeroblob(100000))",
		"INSERT INTO sample VALUES (2, zeroblob(100000))",
	};
	const char *name = "0000000001-20840129T170000Z.iotop";
	char command[400];
	sqlite3 *db;

	write_some(&unbounded, 0, 20, NOON, 1);
	ck_assert(!sqlite3_open(path_of("being-made"), &db));
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		ck_assert(!sqlite3_exec(db, steps[i], NULL, NULL, NULL));
	snprintf(command, sizeof(command),
		 "umask 077; cd '%s' && cat being-made > %s && cat being-made-journal > %s-journal",
		 folder, name, name);
	ck_assert_int_eq(system(command), 0);
	sqlite3_close(db);
	assert_twenty();
	assert_goes_on();
}
END_TEST

START_TEST(two_writers)
{
	struct store *st = open_store(&unbounded), *other;
	struct err err = { "" };
	char text[64];

	/* A lock belongs to who opened it: one process is as good as two. */
	ck_assert_int_eq(store_open(&unbounded, &other, &err), -EBUSY);
	snprintf(text, sizeof(text), "(process %d)", (int)getpid());
	ck_assert_msg(strstr(err.text, text), "%s", err.text);
	store_close(st);
	store_close(open_store(&unbounded));
}
END_TEST

START_TEST(retention_by_age)
{
	struct store_options opt = { .path = folder, .retain_ns = 2 * HOUR };
	struct replay *r;

	write_some(&opt, 0, 600, NOON, 60); /* ten hours */
	r = open_replay();
	/* The last two hours, and the rest of the segment in which they begin. */
	ck_assert_uint_ge(replay_count(r), 120);
	ck_assert_uint_le(replay_count(r), 3 * 60 + 128);
	ck_assert_uint_eq(replay_time(r, replay_count(r) - 1), NOON + 599 * 60 * NSEC_PER_SEC);
	replay_close(r);
}
END_TEST

static uint64_t bytes_of_folder(void)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	uint64_t sum = 0;
	struct stat st;

	while ((e = readdir(d)))
		if (!fstatat(dirfd(d), e->d_name, &st, 0) && S_ISREG(st.st_mode))
			sum += (uint64_t)st.st_size;
	closedir(d);
	return sum;
}

/* Also in one hour. */
START_TEST(retention_by_size)
{
	struct store_options opt = { .path = folder, .max_bytes = 2 << 20 };
	struct replay *r;

	write_some(&unbounded, 0, 3000, NOON, 1);
	ck_assert_uint_gt(bytes_of_folder(), 3 << 20);
	write_some(&opt, 3000, 6000, NOON, 1);
	ck_assert_uint_le(bytes_of_folder(), (2 << 20) + (2 << 20) / 4);
	r = open_replay();
	assert_nth(r, replay_count(r) - 1, 5999, false);
	replay_close(r);
}
END_TEST

/* A replay that is somewhere in a store: a range begins there, and goes on up to the newest. */
START_TEST(range_of_replay)
{
	static const struct engine_options none;
	struct app_time where;
	struct replay *r;
	struct timeline *line;
	struct past *past;

	write_some(&unbounded, 0, 30, NOON, 1);
	r = open_replay();
	line = timeline_of_replay(r);
	past = past_new(line, &none);
	replay_seek(r, 12);
	past_begin_range(past);
	ck_assert_ptr_nonnull(past_end_range(past));
	past_time(past, &where);
	ck_assert_uint_eq(where.begin, NOON + 11 * NSEC_PER_SEC);
	ck_assert_uint_eq(where.at, NOON + 29 * NSEC_PER_SEC);
	ck_assert_uint_eq(replay_at(r), 12);
	past_leave(past);
	ck_assert_uint_eq(past_step(past, -1)->real_ns, NOON + 10 * NSEC_PER_SEC);
	past_free(past);
	timeline_free(line);
	replay_close(r);
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("store", setup, folder_teardown);

	/* A busy machine is no failure. */
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, one_recording);
	tcase_add_test(tcase, read_while_written);
	tcase_add_loop_test(tcase, killed, 0, 5);
	tcase_add_test(tcase, without_wal);
	tcase_add_test(tcase, just_begun);
	tcase_add_test(tcase, hardly_begun);
	tcase_add_test(tcase, range_of_replay);
	tcase_add_test(tcase, two_writers);
	tcase_add_test(tcase, retention_by_age);
	tcase_add_test(tcase, retention_by_size);
	return unit_run();
}
