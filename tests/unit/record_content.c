// SPDX-License-Identifier: GPL-2.0-or-later
/* What is recorded comes back, and is written once. */
#include <errno.h>
#include <sys/stat.h>

#include "recordings.h"
#include "same_samples.h"

/* Every member of every row is described: a recording that forgets one shows here. */
START_TEST(complete)
{
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *info = &sample_tables[t];
		size_t sum = 0;

		ck_assert_uint_le(info->key, ROW_KEY_MAX);
		for (unsigned f = 0; f < info->nfields; f++) {
			static const size_t sizes[] = { [FIELD_U32] = 4,
							[FIELD_U64] = 8,
							[FIELD_I64] = 8,
							[FIELD_STR] = sizeof(char *),
							[FIELD_BLOB] = sizeof(struct blob) };

			sum += sizes[info->fields[f].kind];
			for (unsigned g = 0; g < f; g++)
				ck_assert_str_ne(info->fields[f].name, info->fields[g].name);
		}
		/* Padding is less than a member of eight bytes for each odd run of smaller ones. */
		ck_assert_msg(sum <= info->size && info->size - sum < 8, "%s: %zu of %zu bytes",
			      info->name, sum, info->size);
	}
}
END_TEST

static void replay_is(struct replay *r, const struct sample *in)
{
	struct sample *out = sample_new();
	struct err err = { "" };

	ck_assert_msg(replay_next(r, out, out, &err) == 1, "%s", err.text);
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
	ck_assert_int_eq(replay_next(r, out, out, &err), 0);
	for (int i = 0; i < 50; i++) {
		size_t at = dice(&seed) % (ARRAY_SIZE(in) - 1);

		replay_seek(r, at);
		replay_is(r, in[at]);
		replay_is(r, in[at + 1]);
	}
	replay_seek(r, 1000);
	ck_assert_int_eq(replay_next(r, out, out, &err), 0);
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
		same[i]->tables[TABLE_SYSTEM].n = 1;	/* as it is */
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

UNIT_FIXTURE_MAIN("record_content", record_setup, record_teardown, complete, round_trip, small,
		  existing)
