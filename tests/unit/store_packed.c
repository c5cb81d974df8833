// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What becomes of a store as it gets older: it is packed and thinned out, and nothing is lost by
 * that, whenever the power or the recorder goes.
 */
#include "record/compact.h"
#include "record/replay.h"
#include "record/segment.h"
#include "stores.h"

#define EVERY 7	 /* samples: then a task was there for once */
#define STEP  25 /* seconds from one sample to the next */

static const struct store_options aging = {
	.path = folder,
	.stages = { { 2 * HOUR, 250 * NSEC_PER_SEC }, { 4 * HOUR, 750 * NSEC_PER_SEC } },
};

/* Number i: one task wrote i pages so far. */
static void fill(struct sample *s, unsigned i)
{
	struct sample_task *t;

	sample_reset(s);
	s->mono = s->boot = (i + 1) * STEP * NSEC_PER_SEC;
	s->real = NOON + i * STEP * NSEC_PER_SEC;
	t = sample_add(s, TABLE_TASK);
	t->id = (struct task_id){ 1, 1, 1 };
	t->comm = "writer";
	t->write_bytes = i * 4096;
	if (i % EVERY)
		return;
	t = sample_add(s, TABLE_TASK);
	t->id = (struct task_id){ 1000 + i, 1000 + i, s->boot - NSEC_PER_SEC };
	t->comm = "brief";
	t->flags = TASK_ENDED;
	t->write_bytes = i + 1;
}

static void write_pages(struct store *st, unsigned from, unsigned to)
{
	struct sample *s = sample_new();
	struct err err = { "" };

	for (unsigned i = from; i < to; i++) {
		fill(s, i);
		ck_assert_msg(store_write(st, s, s, 0, &err) == 0, "%s", err.text);
	}
	sample_free(s);
}

/* All of it, from the first to the last: who wrote so many pages, and who was there for once. */
static size_t check_pages(struct replay *r, unsigned last)
{
	struct sample *s = sample_new();
	unsigned brief = 0, pages = 0;
	struct err err = { "" };
	uint64_t real = 0;
	size_t n = 0;
	int got;

	for (; (got = replay_next(r, s, s, &err)) == 1; n++) {
		ck_assert_uint_gt(s->real, real);
		real = s->real;
		sample_each(s, TASK, const struct sample_task, t)
		{
			if (t->id.tgid == 1)
				pages = (unsigned)(t->write_bytes / 4096);
			else if (t->write_bytes == t->id.tgid - 999)
				brief++;
		}
		sample_reset(s);
	}
	ck_assert_msg(got == 0, "%s", err.text);
	ck_assert_uint_eq(pages, last);
	ck_assert_uint_eq(brief, last / EVERY + 1);
	sample_free(s);
	return n;
}

static void pack(const char *name, uint64_t interval)
{
	struct store_folder f;
	struct compact *c;
	struct err err = { "" };
	int r;

	ck_assert_int_eq(store_folder_open(folder, true, &f, &err), 0);
	r = compact_begin(&f, name, interval, &c, &err);
	/* The store may have done it by itself. */
	if (r == 1) {
		while ((r = compact_step(c, 0, &err)) == 1)
			;
		compact_free(c);
	}
	ck_assert_msg(r == 0, "%s", err.text);
	/* Once is enough. */
	ck_assert_int_eq(compact_begin(&f, name, interval, &c, &err), 0);
	store_folder_close(&f);
}

/* Each sample as it was, in less room. */
START_TEST(packed)
{
	char names[8][64];
	struct replay *r;

	write_some(&unbounded, 0, 400, NOON, 25);
	ck_assert_uint_eq(list(".iotop", names), 3);
	for (unsigned i = 0; i < 3; i++)
		pack(names[i], 0);
	r = open_replay();
	ck_assert_uint_eq(replay_count(r), 400);
	for (unsigned i = 0; i < 400; i++)
		assert_nth(r, i, i, false);
	for (unsigned i = 400; i-- > 0;)
		assert_nth(r, i, i, false);
	assert_notes(r, NULL);
	replay_close(r);
	ck_assert_uint_eq(list(STORE_UNFINISHED, names), 0);
}
END_TEST

/* Who reads it meanwhile has the segments as they were, or as they are, and each byte once. */
START_TEST(packed_while_read)
{
	struct sample *s = sample_new();
	struct store *st = open_store(&unbounded);
	struct err err = { "" };
	char names[8][64];
	struct replay *r, *other;

	write_pages(st, 0, 432);
	store_close(st);
	ck_assert_uint_eq(list(".iotop", names), 3);
	r = open_replay();
	other = open_replay();
	ck_assert_int_eq(replay_read(other, 10, s, s, &err), 1);
	for (unsigned i = 0; i < 3; i++)
		pack(names[i], 250 * NSEC_PER_SEC);
	/* One that is open stays what it was. */
	sample_reset(s);
	ck_assert_int_eq(replay_read(other, 11, s, s, &err), 1);
	ck_assert_uint_eq(s->real, NOON + 11 * STEP * NSEC_PER_SEC);
	/* What stood for itself is a part of what comes a bit later. */
	sample_reset(s);
	ck_assert_msg(replay_read(other, 300, s, s, &err) == 1, "%s", err.text);
	ck_assert_uint_ge(s->real, NOON + 300 * STEP * NSEC_PER_SEC);
	ck_assert_uint_le(s->real, NOON + 300 * STEP * NSEC_PER_SEC + 250 * NSEC_PER_SEC);
	ck_assert_uint_lt(check_pages(r, 431), 432 / 5);
	replay_close(r);
	replay_close(other);
	r = open_replay();
	ck_assert_uint_lt(replay_count(r), 432 / 5);
	check_pages(r, 431);
	assert_notes(r, NULL);
	replay_close(r);
	sample_free(s);
}
END_TEST

static uint64_t kept(const char *name)
{
	struct store_folder f;
	struct err err = { "" };
	uint64_t interval = 0;
	struct replay *r;

	ck_assert_int_eq(store_folder_open(folder, false, &f, &err), 0);
	ck_assert_int_eq(replay_open_segment(&f, name, &r, &err), 0);
	ck_assert(replay_kept(r, &interval));
	replay_close(r);
	store_folder_close(&f);
	return interval;
}

/* Packed when its hour is over, and thinned out twice. */
START_TEST(older)
{
	struct store *st = open_store(&aging);
	char names[16][64];
	struct replay *r;

	write_pages(st, 0, 1440); /* ten hours */
	store_close(st);
	ck_assert_uint_eq(list(".iotop", names), 10);
	ck_assert_uint_eq(kept(names[0]), 750 * NSEC_PER_SEC);
	ck_assert_uint_eq(kept(names[6]), 250 * NSEC_PER_SEC);
	ck_assert_uint_eq(kept(names[8]), 0);
	r = open_replay();
	ck_assert_uint_lt(check_pages(r, 1439), 900);
	replay_close(r);
}
END_TEST

static void write_page(struct store *st, unsigned i)
{
	write_pages(st, i, i + 1);
}

/* The recorder is killed while it packs: nothing is missing, and the next one goes on. */
START_TEST(killed)
{
	char names[64][64];
	struct store *st;
	struct replay *r;
	unsigned told, n;

	told = kill_after(&aging, write_page, 700 + 61 * (unsigned)_i);
	r = open_replay();
	n = (unsigned)((replay_time(r, replay_count(r) - 1) - NOON) / (STEP * NSEC_PER_SEC));
	ck_assert_uint_ge(n, told);
	ck_assert_uint_le(n, told + 1);
	check_pages(r, n);
	assert_notes(r, NULL);
	replay_close(r);
	st = open_store(&aging);
	ck_assert_uint_eq(list(STORE_UNFINISHED, names), 0);
	write_pages(st, n + 1, n + 1200);
	store_close(st);
	ck_assert_uint_gt(list(".iotop", names), 8);
	ck_assert_uint_eq(kept(names[0]), 750 * NSEC_PER_SEC);
	r = open_replay();
	check_pages(r, n + 1199);
	replay_close(r);
}
END_TEST

/* Names of two parts are longer than path_of() takes. */
static const char *long_path(const char *name)
{
	static char whole[320];

	snprintf(whole, sizeof(whole), "%s/%s", folder, name);
	return whole;
}

static void copy_file(const char *from, const char *to, size_t most)
{
	struct buf b = { 0 };
	int fd;

	ck_assert_int_eq(buf_read_file(&b, AT_FDCWD, long_path(from), 0), 0);
	fd = open(long_path(to), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, b.data, MIN(b.len, most)), (ssize_t)MIN(b.len, most));
	close(fd);
	buf_release(&b);
}

/*
 * The power goes: of the WAL there is what was written by then, cut off anywhere, and what lies in
 * memory is not there. Whatever is left opens, up to some sample, and the next recorder goes on.
 */
START_TEST(power_lost)
{
	static char other[80];
	struct store_options opt = { .path = other };
	struct store *st = open_store(&unbounded), *after;
	uint64_t seed = 100 + (uint64_t)_i;
	unsigned last = 0, before = 0;
	struct err err = { "" };
	char names[8][64], wal[80], to[160];
	struct replay *r;
	struct stat size;

	snprintf(other, sizeof(other), "%s/copy", folder);
	write_pages(st, 0, 60 + (unsigned)_i);
	ck_assert_uint_eq(list(".iotop", names), 1);
	snprintf(wal, sizeof(wal), "%s-wal", names[0]);
	ck_assert_int_eq(stat(long_path(wal), &size), 0);
	for (unsigned i = 0; i < 12; i++) {
		size_t most = i == 11 ? (size_t)size.st_size
				      : (size_t)(dice(&seed) % (uint64_t)size.st_size);

		ck_assert_int_eq(mkdir(other, 0700), 0);
		snprintf(to, sizeof(to), "copy/%s", names[0]);
		copy_file(names[0], to, SIZE_MAX);
		snprintf(to, sizeof(to), "copy/%s", wal);
		copy_file(wal, to, most);
		if (replay_open_folder(other, &r, &err) == 0) {
			before = (unsigned)replay_count(r);
			check_pages(r, before - 1);
			assert_notes(r, NULL);
			replay_close(r);
		} else {
			/* Not even its tables were written. */
			ck_assert_uint_lt(most, 32 << 10);
			before = 0;
		}
		last = MAX(last, before);
		ck_assert_msg(store_open(&opt, &after, &err) == 0, "%s", err.text);
		write_pages(after, 200, 210);
		store_close(after);
		ck_assert_msg(replay_open_folder(other, &r, &err) == 0, "%s", err.text);
		ck_assert_uint_eq(replay_count(r), before + 10);
		replay_close(r);
		snprintf(to, sizeof(to), "rm -r '%s'", other);
		ck_assert_int_eq(system(to), 0);
	}
	/* All that was written was there at last. */
	ck_assert_uint_eq(last, 60 + (unsigned)_i);
	store_close(st);
}
END_TEST

/* It grows while it is read. */
START_TEST(followed)
{
	struct store *st = open_store(&unbounded);
	struct sample *s = sample_new();
	struct err err = { "" };
	char names[8][64];
	struct replay *r;
	size_t n = 0;

	write_pages(st, 0, 3);
	r = open_replay();
	ck_assert(replay_is_written(r));
	ck_assert(!replay_refresh(r));
	for (unsigned i = 3; i < 320; i++) {
		write_pages(st, i, i + 1);
		ck_assert(replay_refresh(r));
		ck_assert_uint_eq(replay_count(r), i + 1);
		while (i % 50 == 0 && (sample_reset(s), replay_next(r, s, s, &err)) == 1)
			n++;
	}
	store_close(st);
	ck_assert(!replay_is_written(r));
	/* The first hour is packed meanwhile. */
	ck_assert_uint_eq(list(".iotop", names), 3);
	pack(names[0], 250 * NSEC_PER_SEC);
	replay_seek(r, 0);
	check_pages(r, 319);
	ck_assert_uint_gt(n, 250);
	assert_notes(r, NULL);
	replay_close(r);
	sample_free(s);
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("store_packed", setup, folder_teardown);

	/* A busy machine is no failure. */
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, packed);
	tcase_add_test(tcase, packed_while_read);
	tcase_add_test(tcase, older);
	tcase_add_loop_test(tcase, killed, 0, 8);
	tcase_add_loop_test(tcase, power_lost, 0, 8);
	tcase_add_test(tcase, followed);
	return unit_run();
}
