// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What becomes of a store as it gets older: it is packed and thinned out, and nothing is lost by
 * that, whenever the recorder goes.
 */
#ifdef HAVE_LZMA
#include <dlfcn.h>
#include <lzma.h>
#endif

#include "record/compact.h"
#include "record/replay.h"
#include "record/segment.h"
#include "pages.h"

static const struct store_options aging = {
	.path = folder,
	.stages = { { 2 * HOUR, 250 * NSEC_PER_SEC }, { 4 * HOUR, 750 * NSEC_PER_SEC } },
};

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

#if defined(HAVE_LZMA) && !UNIT_SANITIZED
#define PACKED_IN_THREADS

static pid_t writer;
static _Atomic unsigned by_writer, by_others;

/* In the place of the library's: which thread packs. */
lzma_ret lzma_stream_buffer_encode(lzma_filter *filters, lzma_check check,
				   const lzma_allocator *allocator, const uint8_t *in,
				   size_t in_size, uint8_t *out, size_t *out_pos, size_t out_size)
{
	lzma_ret (*encode)(lzma_filter *, lzma_check, const lzma_allocator *, const uint8_t *,
			   size_t, uint8_t *, size_t *, size_t);
	void *found = dlsym(RTLD_NEXT, "lzma_stream_buffer_encode");

	memcpy(&encode, &found, sizeof(encode));
	if (gettid() == writer)
		by_writer++;
	else
		by_others++;
	return encode(filters, check, allocator, in, in_size, out, out_pos, out_size);
}

/* Who writes samples never packs: blocks, the end of an hour, and what gets old. */
START_TEST(packed_aside)
{
	struct store *st = open_store(&aging);

	writer = gettid();
	write_pages(st, 0, 1440);
	ck_assert_uint_eq(by_writer, 0);
	/* Ten hours of two blocks, but for the last one that is open. */
	ck_assert_uint_gt(by_others, 19);
	store_close(st);
}
END_TEST
#endif

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
	tcase_add_test(tcase, followed);
#ifdef PACKED_IN_THREADS
	tcase_add_test(tcase, packed_aside);
#endif
	return unit_run();
}
