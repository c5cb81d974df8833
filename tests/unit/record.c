// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/collect.h"
#include "collect/recording.h"

static char dir[64], path[128];

static void setup(void)
{
	strcpy(dir, "/tmp/iotop-record-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/r", dir);
}

static void teardown(void)
{
	char journal[160];

	snprintf(journal, sizeof(journal), "%s-journal", path);
	/* Nothing is left behind beside the file. */
	ck_assert_int_ne(access(journal, F_OK), 0);
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

static uint64_t dice(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 11;
}

/* Texts as they may come: unknown, empty, other alphabets, not UTF-8 at all, escape sequences. */
static const char *const texts[] = { NULL, "", "plain", "gr\303\274n", "\377\376\200", "\033[2J\n\"';--", "a b" };

static void fill_field(struct sample *s, const struct field *f, char *row, uint64_t *seed)
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
static void fill_key(const struct table_info *info, const struct field *f, char *row, unsigned i)
{
	uint32_t *p = (uint32_t *)(row + f->off);

	if (info == &sample_tables[TABLE_SOURCE])
		*p = 1u << i % SRC_COUNT;
	else
		*p = f->max ? i % (f->max + 1) : i;
}

/* Rows first … first + n - 1; those with an odd number are the same whatever the seed. */
static struct sample *make(unsigned first, unsigned n, uint64_t seed)
{
	struct sample *s = sample_new();

	s->mono = 1000 + seed;
	s->boot = UINT64_MAX - seed;
	s->real = 5000;
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *info = &sample_tables[t];

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

static bool same_field(const struct field *f, const char *a, const char *b)
{
	const void *p = a + f->off, *q = b + f->off;
	const char *x, *y;
	const struct blob *v = p, *w = q;

	switch (f->kind) {
	case FIELD_U32:
		return !memcmp(p, q, 4);
	case FIELD_U64:
	case FIELD_I64:
		return !memcmp(p, q, 8);
	case FIELD_STR:
		x = *(const char *const *)p;
		y = *(const char *const *)q;
		return x && y ? !strcmp(x, y) : x == y;
	case FIELD_BLOB:
		return v->len == w->len && !v->data == !w->data && (!v->len || !memcmp(v->data, w->data, v->len));
	}
	return false;
}

/* The row of a table with a key that has this one; of others, the one at its place. */
static const char *find(const struct sample *s, unsigned t, const char *row, size_t i)
{
	const struct table_info *info = &sample_tables[t];
	const char *at = s->tables[t].rows;

	if (!info->key)
		return at + i * info->size;
	for (size_t j = 0; j < s->tables[t].n; j++, at += info->size) {
		if (!memcmp(at, row, info->key))
			return at;
	}
	ck_abort_msg("%s: row %zu is not there", info->name, i);
	return NULL;
}

static void assert_same(const struct sample *a, const struct sample *b)
{
	ck_assert_uint_eq(a->mono, b->mono);
	ck_assert_uint_eq(a->boot, b->boot);
	ck_assert_uint_eq(a->real, b->real);
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *info = &sample_tables[t];

		ck_assert_uint_eq(a->tables[t].n, b->tables[t].n);
		for (size_t i = 0; i < a->tables[t].n; i++) {
			const char *x = (const char *)a->tables[t].rows + i * info->size;
			const char *y = find(b, t, x, i);

			for (unsigned f = 0; f < info->nfields; f++)
				ck_assert_msg(same_field(&info->fields[f], x, y), "%s.%s of row %zu", info->name,
					      info->fields[f].name, i);
		}
	}
}

static void write_all(struct sample *const *samples, size_t n)
{
	struct recorder *r;
	struct err err = { "" };

	ck_assert_msg(recorder_open(path, &r, &err) == 0, "%s", err.text);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(recorder_write(r, samples[i], &err) == 0, "%s", err.text);
	ck_assert_int_eq(recorder_close(r, &err), 0);
}

/* Every member of every row is described: a recording that forgets one shows here. */
START_TEST(complete)
{
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *info = &sample_tables[t];
		size_t sum = 0;

		ck_assert_uint_le(info->key, ROW_KEY_MAX);
		for (unsigned f = 0; f < info->nfields; f++) {
			static const size_t sizes[] = { [FIELD_U32] = 4, [FIELD_U64] = 8, [FIELD_I64] = 8,
							[FIELD_STR] = sizeof(char *), [FIELD_BLOB] = sizeof(struct blob) };

			sum += sizes[info->fields[f].kind];
			for (unsigned g = 0; g < f; g++)
				ck_assert_str_ne(info->fields[f].name, info->fields[g].name);
		}
		/* Padding is less than a member of eight bytes for each odd run of smaller ones. */
		ck_assert_msg(sum <= info->size && info->size - sum < 8, "%s: %zu of %zu bytes", info->name, sum, info->size);
	}
}
END_TEST

static void replay_is(struct replay *r, const struct sample *in)
{
	struct sample *out = sample_new();
	struct err err = { "" };

	ck_assert_msg(replay_next(r, out, &err) == 1, "%s", err.text);
	assert_same(in, out);
	sample_free(out);
}

/* Rows come, stay, change and go; more samples than there are from one complete one to the next. */
START_TEST(round_trip)
{
	struct sample *in[150], *out = sample_new();
	struct replay *r;
	struct err err = { "" };
	uint64_t seed = 7;

	for (size_t i = 0; i < ARRAY_SIZE(in); i++)
		in[i] = make(dice(&seed) % 9, i ? dice(&seed) % 8 : 0, i + 1);
	write_all(in, ARRAY_SIZE(in));
	ck_assert_msg(replay_open(path, &r, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(replay_count(r), ARRAY_SIZE(in));
	for (size_t i = 0; i < ARRAY_SIZE(in); i++)
		replay_is(r, in[i]);
	ck_assert_int_eq(replay_next(r, out, &err), 0);
	for (int i = 0; i < 50; i++) {
		size_t at = dice(&seed) % (ARRAY_SIZE(in) - 1);

		replay_seek(r, at);
		replay_is(r, in[at]);
		replay_is(r, in[at + 1]);
	}
	replay_seek(r, 1000);
	ck_assert_int_eq(replay_next(r, out, &err), 0);
	replay_close(r);
	for (size_t i = 0; i < ARRAY_SIZE(in); i++)
		sample_free(in[i]);
	sample_free(out);
}
END_TEST

/* What does not change is written once. */
START_TEST(small)
{
	struct sample *same[40];
	struct stat one, many;

	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		same[i] = make(1, 9, 2);
		same[i]->mono += i;
	}
	write_all(same, 1);
	ck_assert_int_eq(stat(path, &one), 0);
	unlink(path);
	write_all(same, ARRAY_SIZE(same));
	ck_assert_int_eq(stat(path, &many), 0);
	/* The tables without a key have a page or two more. */
	ck_assert_int_le(many.st_size, one.st_size * 2);
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		sample_free(same[i]);
}
END_TEST

static void put_file(const char *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, data, len), (ssize_t)len);
	close(fd);
}

START_TEST(existing)
{
	struct recorder *r;
	struct err err = { "" };

	put_file("precious", 8);
	ck_assert_int_eq(recorder_open(path, &r, &err), -EEXIST);
	ck_assert_ptr_nonnull(strstr(err.text, "not empty"));
	ck_assert_int_eq(recorder_open(dir, &r, &err), -EISDIR);
	ck_assert_int_eq(recorder_open("/dev/null", &r, &err), -EEXIST);
	ck_assert_int_eq(recorder_open("/nowhere/x", &r, &err), -ENOENT);
	/* An empty file is taken. */
	put_file("", 0);
	ck_assert_int_eq(recorder_open(path, &r, &err), 0);
	ck_assert_int_eq(recorder_close(r, &err), 0);
	ck_assert_int_eq(recorder_close(NULL, &err), 0);
}
END_TEST

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
		result = replay_next(r, s, err);
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
	ck_assert_int_eq(replay_next(r, s, &err), 1);
	ck_assert_uint_eq(s->tables[TABLE_DISK].n, 1);
	ck_assert_uint_eq(s->tables[TABLE_TASK].n, 4);
	sample_each(s, TASK, struct sample_task, t)
		ck_assert_str_eq(t->comm, "");
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
	ck_assert_int_eq(replay_next(r, s, &err), 1);
	ck_assert_uint_eq(s->tables[TABLE_LAYER].n, n);
	sample_each(s, LAYER, struct sample_layer, l)
		ck_assert_uint_eq(l->layer, layers[i++]);
	replay_close(r);
	sample_free(s);
}

/* Before there was the layer cache, queue and device had other numbers: such a recording has no sixth layer, and no files at the fourth. */
START_TEST(old_layers)
{
#define ROW(row, layer, fs) "INSERT INTO layer (sample, row, dev, layer, op, is_block, fs) VALUES (1, " #row ", 1, " #layer ", 0, 0, " #fs ");"
	static const uint32_t moved[] = { LAYER_SYSCALL, LAYER_FS, LAYER_QUEUE, LAYER_DEVICE };
	static const uint32_t kept[] = { LAYER_FS, LAYER_QUEUE, LAYER_DEVICE };
	static const uint32_t waits[] = { LAYER_CACHE };

	check_layers(ROW(0, 0, 'ext4') ROW(1, 2, 'ext4') ROW(2, 3, NULL) ROW(3, 4, NULL), 4, moved);
	check_layers(ROW(0, 2, 'ext4') ROW(1, 4, NULL) ROW(2, 5, NULL), 3, kept);
	check_layers(ROW(0, 3, 'ext4'), 1, waits);
#undef ROW
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
		ck_assert_msg(strstr(err.text, "damaged") || strstr(err.text, "not a recording"), "%s", err.text);
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
	TCase *tcase = unit_case("record", setup, teardown);

	tcase_add_test(tcase, complete);
	tcase_add_test(tcase, round_trip);
	tcase_add_test(tcase, small);
	tcase_add_test(tcase, existing);
	tcase_add_loop_test(tcase, refused, 0, ARRAY_SIZE(bad));
	tcase_add_loop_test(tcase, tolerated, 0, ARRAY_SIZE(harmless));
	tcase_add_test(tcase, one_of_a_key);
	tcase_add_test(tcase, old_layers);
	tcase_add_test(tcase, cut_off);
	tcase_add_test(tcase, other_files);
	return unit_run();
}
