// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings that are damaged, old, of others' making, or none at all. */
#include <errno.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "recordings.h"

static void sql(const char *text)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void record_some(void)
{
	struct sample *s[3] = { make(0, 4, 1), make(0, 4, 2), make(0, 4, 3) };

	write_all(s, 3);
	for (int i = 0; i < 3; i++)
		sample_free(s[i]);
}

/* Opens and reads to the end; 0, or the first failure. */
static int read_all(struct err *err)
{
	struct sample *s = sample_new();
	struct replay *r = NULL;
	int result = replay_open(path, &r, err);

	while (result >= 0) {
		sample_reset(s);
		result = replay_next(r, s, s, err);
		if (result == 0)
			break;
	}
	replay_close(r);
	sample_free(s);
	return result;
}

static const struct {
	const char *sql, *text;
} bad[] = {
	{ "PRAGMA application_id = 7", "is not a recording" },
	{ "PRAGMA user_version = 99", "newer iotop" },
	{ "DROP TABLE sample", "is not a recording" },
	{ "DELETE FROM sample", "no sample" },
	{ "UPDATE sample SET mono = 5 WHERE id = 2", "backwards" },
	{ "UPDATE task SET tid = 'x'", "damaged" },
	{ "UPDATE task SET tid = -1", "damaged" },
	{ "UPDATE task SET row = '1' || char(97 + row)", "damaged" },
	{ "UPDATE task SET tid = 1.5", "damaged" },
	{ "UPDATE task SET tid = 4294967296", "damaged" },
	{ "UPDATE io SET op = 5", "damaged" },
	{ "UPDATE source SET state = 3", "damaged" },
	{ "UPDATE diskop SET hist = 'text'", "damaged" },
	{ "UPDATE diskop SET hist = x'0102'", "damaged" },
	{ "UPDATE diskop SET hist = zeroblob(1000000)", "damaged" },
	{ "UPDATE cmdline SET args = zeroblob(1500000)", "damaged" },
	{ "UPDATE cmdline SET args = zeroblob(100000000)", "damaged" },
	{ "DROP TABLE task; CREATE TABLE task (x)", "damaged" },
	{ "CREATE TABLE t AS SELECT * FROM task; DROP TABLE task; ALTER TABLE t RENAME TO task",
	  "damaged" },
};

START_TEST(refused)
{
	struct err err = { "" };

	record_some();
	sql(bad[_i].sql);
	ck_assert_int_lt(read_all(&err), 0);
	ck_assert_msg(strstr(err.text, bad[_i].text) && strstr(err.text, path), "%s", err.text);
}
END_TEST

static const char *const harmless[] = {
	"DROP TABLE task",
	"ALTER TABLE task DROP COLUMN throttle_ns",
	"ALTER TABLE task ADD COLUMN later INTEGER DEFAULT 7",
	"UPDATE task SET comm = NULL, uid = NULL",
	"DROP TABLE disk; CREATE VIEW disk AS SELECT 1 AS sample, 2 AS row, 'x' AS name",
	"CREATE TRIGGER t AFTER INSERT ON task BEGIN DELETE FROM task; END",
	"UPDATE disk SET dev = 1",
};

START_TEST(tolerated)
{
	struct err err = { "" };

	record_some();
	sql(harmless[_i]);
	ck_assert_msg(read_all(&err) == 0, "%s", err.text);
}
END_TEST

START_TEST(one_of_a_key)
{
	struct sample *s = sample_new();
	struct replay *r;
	struct err err = { "" };

	record_some();
	sql("UPDATE disk SET dev = 1; UPDATE task SET comm = NULL");
	ck_assert_int_eq(replay_open(path, &r, &err), 0);
	ck_assert_int_eq(replay_next(r, s, s, &err), 1);
	ck_assert_uint_eq(s->tables[TABLE_DISK].n, 1);
	ck_assert_uint_eq(s->tables[TABLE_TASK].n, 4);
	sample_each(s, TASK, struct sample_task, t)
		ck_assert_str_eq(t->comm, "");
	replay_close(r);
	sample_free(s);
}
END_TEST

static bool is_cut(void)
{
	struct err err = { "" };
	struct replay *r;
	bool yes;

	ck_assert_int_eq(replay_open(path, &r, &err), 0);
	yes = replay_is_cut(r);
	replay_close(r);
	return yes;
}

/* An end that nobody wrote, and one of before that was written. */
START_TEST(knows_its_end)
{
	record_some();
	ck_assert(!is_cut());
	sql("DELETE FROM ended");
	ck_assert(is_cut());
	sql("DROP TABLE ended");
	ck_assert(!is_cut());
}
END_TEST

/* What the file has no column for is said, of each table that it has. */
START_TEST(says_what_it_lacks)
{
	const struct table_info *info = &sample_tables[TABLE_TASK];
	struct sample *s = sample_new();
	struct err err = { "" };
	struct replay *r;

	record_some();
	sql("ALTER TABLE task DROP COLUMN memstall_ns; DROP TABLE memory");
	ck_assert_int_eq(replay_open(path, &r, &err), 0);
	ck_assert_int_eq(replay_next(r, s, s, &err), 1);
	for (unsigned i = 0; i < info->nfields; i++)
		ck_assert_int_eq(s->tables[TABLE_TASK].lacks >> i & 1,
				 !strcmp(info->fields[i].name, "memstall_ns"));
	ck_assert_uint_ne(s->tables[TABLE_MEMORY].lacks, 0);
	ck_assert_uint_eq(s->tables[TABLE_IO].lacks, 0);
	replay_close(r);
	sample_free(s);
}
END_TEST

/* Layers of a recording of format 1, as they come back. */
static void check_layers(const char *rows, size_t n, const uint32_t *layers)
{
	struct sample *s = sample_new();
	struct err err = { "" };
	struct replay *r;
	size_t i = 0;

	unlink(path);
	record_some();
	sql("PRAGMA user_version = 1; DELETE FROM layer; DELETE FROM caller;");
	sql(rows);
	ck_assert_int_eq(replay_open(path, &r, &err), 0);
	ck_assert_int_eq(replay_next(r, s, s, &err), 1);
	ck_assert_uint_eq(s->tables[TABLE_LAYER].n, n);
	sample_each(s, LAYER, struct sample_layer, l)
		ck_assert_uint_eq(l->layer, layers[i++]);
	replay_close(r);
	sample_free(s);
}

/*
 * Before there was the layer cache, queue and device had other numbers: such a recording has no
 * sixth layer, and no files at the fourth.
 */
START_TEST(old_layers)
{
#define ROW(row, layer, fs) \
	"INSERT INTO layer (sample, row, dev, layer, op, is_block, fs) " \
	"VALUES (1, " #row ", 1, " #layer ", 0, 0, " #fs ");"
	static const uint32_t moved[] = { LAYER_SYSCALL, LAYER_FS, LAYER_QUEUE, LAYER_DEVICE };
	static const uint32_t kept[] = { LAYER_FS, LAYER_QUEUE, LAYER_DEVICE };
	static const uint32_t waits[] = { LAYER_CACHE };

	check_layers(ROW(0, 0, 'ext4') ROW(1, 2, 'ext4') ROW(2, 3, NULL) ROW(3, 4, NULL), 4, moved);
	check_layers(ROW(0, 2, 'ext4') ROW(1, 4, NULL) ROW(2, 5, NULL), 3, kept);
	check_layers(ROW(0, 3, 'ext4'), 1, waits);
#undef ROW
}
END_TEST

/* Before format 3, what the kernel calls iowait was taken for waiting. */
START_TEST(old_waits)
{
	for (int version = 2; version <= 3; version++) {
		struct sample *s = sample_new();
		struct err err = { "" };
		char text[128];
		struct replay *r;

		unlink(path);
		record_some();
		snprintf(text, sizeof(text),
			 "PRAGMA user_version = %d; UPDATE task SET iowait_ns = 5, wait_ns = 3",
			 version);
		sql(text);
		ck_assert_int_eq(replay_open(path, &r, &err), 0);
		ck_assert_int_eq(replay_next(r, s, s, &err), 1);
		ck_assert_uint_gt(s->tables[TABLE_TASK].n, 0);
		sample_each(s, TASK, struct sample_task, t) {
			ck_assert_uint_eq(t->iowait_ns, 5);
			ck_assert_uint_eq(t->wait_ns, version < 3 ? 5 : 3);
		}
		replay_close(r);
		sample_free(s);
	}
}
END_TEST

START_TEST(cut_off)
{
	struct err err = { "" };
	struct stat st;

	record_some();
	ck_assert_int_eq(stat(path, &st), 0);
	for (off_t size = st.st_size - 4096; size > 0; size /= 2) {
		ck_assert_int_eq(truncate(path, size), 0);
		ck_assert_int_lt(read_all(&err), 0);
		ck_assert_msg(strstr(err.text, "damaged") || strstr(err.text, "not a recording"),
			      "%s", err.text);
	}
	ck_assert_int_eq(truncate(path, 0), 0);
	ck_assert_int_lt(read_all(&err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "not a recording"));
}
END_TEST

START_TEST(other_files)
{
	struct replay *r;
	struct err err = { "" };

	put_file("%PDF-1.4 and so on", 18);
	ck_assert_int_eq(replay_open(path, &r, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "is not a recording"));
	ck_assert_int_eq(replay_open(dir, &r, &err), -EINVAL);
	ck_assert_int_eq(replay_open("/dev/null", &r, &err), -EINVAL);
	ck_assert_int_eq(replay_open("/nowhere/x", &r, &err), -ENOENT);
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("replay", record_setup, record_teardown);

	tcase_add_loop_test(tcase, refused, 0, ARRAY_SIZE(bad));
	tcase_add_loop_test(tcase, tolerated, 0, ARRAY_SIZE(harmless));
	tcase_add_test(tcase, one_of_a_key);
	tcase_add_test(tcase, says_what_it_lacks);
	tcase_add_test(tcase, knows_its_end);
	tcase_add_test(tcase, old_layers);
	tcase_add_test(tcase, old_waits);
	tcase_add_test(tcase, cut_off);
	tcase_add_test(tcase, other_files);
	return unit_run();
}
