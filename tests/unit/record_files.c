// SPDX-License-Identifier: GPL-2.0-or-later
/* The files of a recording: which are taken, and what SQLite may do with them. */
#include <errno.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "recordings.h"

static char other[160];

static void setup(void)
{
	record_setup();
	snprintf(other, sizeof(other), "%s/other", dir);
}

static void teardown(void)
{
	unlink(other);
	record_teardown();
}

static void record_some(void)
{
	struct sample *s[3] = { make(0, 4, 1), make(0, 5, 2), make(0, 6, 3) };

	write_all(s, 3);
	for (int i = 0; i < 3; i++)
		sample_free(s[i]);
}

static int exec(const char *file, const char *text)
{
	sqlite3 *db;
	int code = sqlite3_open(file, &db);

	if (code == SQLITE_OK)
		code = sqlite3_exec(db, text, NULL, NULL, NULL);
	sqlite3_close(db);
	return code;
}

/* As long as a recording is open SQLite touches nothing else, and afterwards all that it may. */
START_TEST(nothing_else)
{
	struct recorder *recorder;
	struct replay *replay;
	struct err err = { "" };

	record_some();
	ck_assert_int_eq(replay_open(path, &replay, &err), 0);
	ck_assert_int_eq(exec(other, "CREATE TABLE t (a)"), SQLITE_CANTOPEN);
	ck_assert_int_eq(exec(path, "DELETE FROM sample"), SQLITE_CANTOPEN);
	ck_assert_int_eq(access(other, F_OK), -1);
	replay_close(replay);
	ck_assert_int_eq(exec(other, "CREATE TABLE t (a)"), SQLITE_OK);

	unlink(path);
	ck_assert_int_eq(recorder_open(path, &recorder, &err), 0);
	ck_assert_int_eq(exec(other, "DROP TABLE t"), SQLITE_CANTOPEN);
	ck_assert_int_eq(recorder_close(recorder, &err), 0);
	ck_assert_int_eq(exec(other, "DROP TABLE t"), SQLITE_OK);
}
END_TEST

/* A recording is made for its owner only, and so is its journal. */
START_TEST(modes)
{
	char journal[200];
	struct recorder *r;
	struct err err = { "" };
	struct stat st;

	snprintf(journal, sizeof(journal), "%s-journal", path);
	umask(0);
	ck_assert_int_eq(recorder_open(path, &r, &err), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(stat(journal, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(recorder_close(r, &err), 0);
}
END_TEST

static void make_link(void)
{
	ck_assert_int_eq(symlink("other", path), 0);
}

static void make_hard_link(void)
{
	ck_assert_int_eq(link(other, path), 0);
}

static void make_fifo(void)
{
	ck_assert_int_eq(mkfifo(path, 0600), 0);
}

static void make_writable(void)
{
	put_file("", 0);
	ck_assert_int_eq(chmod(path, 0660), 0);
}

static void make_foreign(void)
{
	put_file("", 0);
	ck_assert_int_eq(chown(path, 65534, 65534), 0);
}

static const struct {
	void (*make)(void);
	const char *text;
	bool root;
} refused_new[] = {
	{ make_link, "is a symbolic link" },
	{ make_hard_link, "hard links" },
	{ make_fifo, "is not a regular file" },
	{ make_writable, "can be written by other users" },
	{ make_foreign, "belongs to another user", true },
};

START_TEST(not_taken)
{
	struct recorder *r;
	struct err err = { "" };
	struct stat st;
	int fd = open(other, O_WRONLY | O_CREAT, 0600);

	ck_assert_int_ge(fd, 0);
	close(fd);
	if (refused_new[_i].root && geteuid())
		return;
	refused_new[_i].make();
	ck_assert_int_eq(recorder_open(path, &r, &err), -EEXIST);
	ck_assert_msg(strstr(err.text, refused_new[_i].text) && strstr(err.text, path), "%s",
		      err.text);
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert_int_eq(stat(other, &st), 0);
	ck_assert_int_eq(st.st_size, 0);
}
END_TEST

/* The same for the journal: nothing is made then, and nothing of it is touched. */
START_TEST(journal_not_taken)
{
	char database[sizeof(path)];
	struct recorder *r;
	struct err err = { "" };
	struct stat st;
	int fd = open(other, O_WRONLY | O_CREAT, 0600), result;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "precious", 8), 8);
	close(fd);
	if (refused_new[_i].root && geteuid())
		return;
	strcpy(database, path);
	strcat(path, "-journal");
	refused_new[_i].make();
	result = recorder_open(database, &r, &err);
	ck_assert_int_eq(unlink(path), 0);
	strcpy(path, database);
	ck_assert_int_eq(result, -EEXIST);
	ck_assert_msg(strstr(err.text, refused_new[_i].text) && strstr(err.text, "-journal"), "%s",
		      err.text);
	ck_assert_int_eq(lstat(path, &st), -1);
	ck_assert_int_eq(stat(other, &st), 0);
	ck_assert_int_eq(st.st_size, 8);
}
END_TEST

/* A journal that is exchanged while the recording goes on. */
START_TEST(journal_exchanged)
{
	char journal[sizeof(path) + 8];
	struct sample *s = make(0, 4, 1);
	struct recorder *r;
	struct err err = { "" };
	struct stat st;
	int fd = open(other, O_WRONLY | O_CREAT, 0600);

	ck_assert_int_ge(fd, 0);
	close(fd);
	snprintf(journal, sizeof(journal), "%s-journal", path);
	ck_assert_int_eq(recorder_open(path, &r, &err), 0);
	unlink(journal);
	ck_assert_int_eq(symlink("other", journal), 0);
	ck_assert_int_lt(recorder_write(r, s, s, &err), 0);
	ck_assert_msg(strstr(err.text, "is a symbolic link"), "%s", err.text);
	recorder_close(r, &err);
	sample_free(s);
	ck_assert_int_eq(stat(other, &st), 0);
	ck_assert_int_eq(st.st_size, 0);
	ck_assert_int_eq(unlink(journal), 0);
}
END_TEST

START_TEST(wal_mode)
{
	struct replay *r;
	struct err err = { "" };

	record_some();
	ck_assert_int_eq(exec(path, "PRAGMA journal_mode = WAL"), SQLITE_OK);
	ck_assert_int_eq(replay_open(path, &r, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, "WAL"), "%s", err.text);
}
END_TEST

/* Nobody writes into it: it is not waited for. */
START_TEST(fifo)
{
	struct replay *r;
	struct err err = { "" };

	make_fifo();
	ck_assert_int_eq(replay_open(path, &r, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, "is not a recording"), "%s", err.text);
}
END_TEST

/* The link is the user's, and leads to the journal beside what it leads to. */
START_TEST(link_to_read)
{
	struct replay *r;
	struct err err = { "" };

	record_some();
	ck_assert_int_eq(rename(path, other), 0);
	make_link();
	ck_assert_int_eq(replay_open(path, &r, &err), 0);
	ck_assert_uint_eq(replay_count(r), 3);
	replay_close(r);
}
END_TEST

/* The first sample begins anew whatever the file says: there is none before it. */
START_TEST(first_is_complete)
{
	struct sample *s = sample_new();
	struct replay *r;
	struct err err = { "" };

	record_some();
	ck_assert_int_eq(exec(path, "UPDATE sample SET complete = 0"), SQLITE_OK);
	ck_assert_int_eq(replay_open(path, &r, &err), 0);
	while (replay_next(r, s, s, &err) > 0)
		sample_reset(s);
	replay_seek(r, 0);
	sample_reset(s);
	ck_assert_int_eq(replay_next(r, s, s, &err), 1);
	ck_assert_uint_eq(s->tables[TABLE_TASK].n, 4);
	replay_close(r);
	sample_free(s);
}
END_TEST

/* A page that nothing which is shown needs: SQLite looks for damage before. */
START_TEST(damaged_page)
{
	char page[4096];
	struct replay *r;
	struct err err = { "" };
	struct stat st;
	int fd;

	record_some();
	ck_assert_int_eq(
		exec(path, "CREATE TABLE more (a); INSERT INTO more VALUES (zeroblob(9000))"),
		SQLITE_OK);
	ck_assert_int_eq(stat(path, &st), 0);
	memset(page, 0xff, sizeof(page));
	fd = open(path, O_WRONLY);
	ck_assert_int_eq(pwrite(fd, page, sizeof(page), st.st_size - 3 * 4096), sizeof(page));
	close(fd);
	ck_assert_int_eq(replay_open(path, &r, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, "damaged") && !strchr(err.text, '\n'), "%s", err.text);
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("record_files", setup, teardown);

	tcase_add_test(tcase, nothing_else);
	tcase_add_test(tcase, modes);
	tcase_add_loop_test(tcase, not_taken, 0, ARRAY_SIZE(refused_new));
	tcase_add_loop_test(tcase, journal_not_taken, 0, ARRAY_SIZE(refused_new));
	tcase_add_test(tcase, journal_exchanged);
	tcase_add_test(tcase, wal_mode);
	tcase_add_test(tcase, fifo);
	tcase_add_test(tcase, link_to_read);
	tcase_add_test(tcase, first_is_complete);
	tcase_add_test(tcase, damaged_page);
	return unit_run();
}
