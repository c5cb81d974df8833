// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/kept_file.h"
#include "base/macro.h"
#include "base/parse.h"

START_TEST(arena)
{
	struct arena a;
	size_t before;

	arena_init(&a);
	for (size_t i = 0; i < 5000; i++) {
		unsigned char *p = arena_alloc(&a, i % 97);

		ck_assert_uint_eq((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t j = 0; j < i % 97; j++)
			ck_assert_uint_eq(p[j], 0);
		memset(p, 0xff, i % 97);
	}
	before = a.used;
	ck_assert_ptr_nonnull(arena_alloc(&a, 5 << 20));
	ck_assert_uint_eq(a.used, before + (5 << 20));
	arena_reset(&a);
	ck_assert_uint_eq(a.used, 0);
	/* What is reused is zero again. */
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(*arena_new(&a, int, 1), 0);
	ck_assert_str_eq(arena_strndup(&a, "abcdef", 3), "abc");
	ck_assert_str_eq(arena_strdup(&a, ""), "");
	ck_assert_str_eq(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
	arena_release(&a);
	arena_release(&a);
}
END_TEST

START_TEST(texts_of_an_arena)
{
	const uint64_t v[] = { 0, UINT64_MAX }, other[] = { UINT64_MAX, 0 };
	struct arena a;

	arena_init(&a);
	ck_assert_str_eq(arena_concat(&a, "", NULL), "");
	ck_assert_str_eq(arena_concat(&a, "sda", " ", "", "read", NULL), "sda read");
	ck_assert_str_eq(arena_key(&a, v, 0, "x"), "x");
	ck_assert_str_eq(arena_key(&a, v, 2, ""), "0000000000000000ffffffffffffffff");
	ck_assert_str_ne(arena_key(&a, v, 2, "x"), arena_key(&a, other, 2, "x"));
	arena_release(&a);
}
END_TEST

START_TEST(buf)
{
	struct buf b = { 0 };
	char big[1000];

	buf_reset(&b);
	memset(big, 'x', sizeof(big));
	big[999] = '\0';
	buf_printf(&b, "%s|", big);
	buf_putn(&b, "a\0b", 3);
	buf_putc(&b, 'c');
	ck_assert_uint_eq(b.len, 1004);
	ck_assert_mem_eq(b.data + 999, "|a\0bc", 6);
	buf_reset(&b);
	ck_assert_str_eq(b.data, "");
	ck_assert_int_eq(buf_read_file(&b, AT_FDCWD, "/proc/self/comm", 4), 0);
	ck_assert_uint_eq(b.len, 4);
	ck_assert_int_eq(buf_read_file(&b, AT_FDCWD, "/proc/self/maps", 0), 0);
	ck_assert_uint_gt(b.len, 100);
	ck_assert_int_eq(buf_read_file(&b, AT_FDCWD, "/nonexistent", 0), -ENOENT);
	ck_assert_int_lt(buf_read_file(&b, AT_FDCWD, "/", 0), 0);
	buf_reset(&b);
	buf_u64(&b, 0);
	buf_fill(&b, '-', 300);
	buf_fill(&b, '+', 0);
	buf_u64(&b, UINT64_MAX);
	ck_assert_uint_eq(b.len, 321);
	ck_assert_str_eq(b.data + 299, "--18446744073709551615");
	buf_release(&b);
}
END_TEST

/* A file of the kernel is opened once, another one each time. */
START_TEST(kept_files)
{
	struct kept_file of_kernel = KEPT_FILE, other = KEPT_FILE;
	struct buf b = { 0 };
	char name[64];
	int fd;

	for (const char *const *text = (const char *const[]){ "one", "another", NULL }; *text;
	     text++) {
		snprintf(name, sizeof(name), "/proc/self/task/%d/comm", getpid());
		ck_assert_int_eq(prctl(PR_SET_NAME, *text), 0);
		ck_assert_int_eq(kept_file_read(&of_kernel, &b, AT_FDCWD, name, 0), 0);
		ck_assert(!strncmp(b.data, *text, strlen(*text)) && b.len == strlen(*text) + 1);
		ck_assert_int_ge(of_kernel.fd, 0);
	}
	ck_assert_int_eq(kept_file_read(&other, &b, AT_FDCWD, "/nonexistent", 0), -ENOENT);
	fd = memfd_create("other", 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	ck_assert_int_eq(write(fd, "text", 4), 4);
	ck_assert_int_eq(kept_file_read(&other, &b, AT_FDCWD, name, 0), 0);
	ck_assert_str_eq(b.data, "text");
	ck_assert_int_lt(other.fd, 0);
	kept_file_close(&of_kernel);
	ck_assert_int_lt(of_kernel.fd, 0);
	close(fd);
	buf_release(&b);
}
END_TEST

struct item {
	int payload;
	uint64_t key;
};

static bool keep_even(void *value, void *arg)
{
	return ((struct item *)value)->key % 2 == 0;
}

static void count_drop(void *value, void *arg)
{
	++*(int *)arg;
}

START_TEST(hash)
{
	static struct item items[3000];
	struct hash h;
	size_t it = 0, seen = 0;
	int dropped = 0;

	hash_init(&h, offsetof(struct item, key), sizeof(uint64_t));
	ck_assert_ptr_null(hash_get(&h, &(uint64_t){ 1 }));
	ck_assert_ptr_null(hash_del(&h, &(uint64_t){ 1 }));
	for (uint64_t i = 0; i < ARRAY_SIZE(items); i++) {
		items[i].key = i;
		hash_put(&h, &items[i]);
	}
	for (uint64_t i = 0; i < ARRAY_SIZE(items); i += 3)
		ck_assert_ptr_eq(hash_del(&h, &i), &items[i]);
	for (uint64_t i = 0; i < ARRAY_SIZE(items); i++)
		ck_assert_ptr_eq(hash_get(&h, &i), i % 3 ? &items[i] : NULL);
	hash_filter(&h, keep_even, count_drop, &dropped);
	ck_assert_int_eq(dropped, 1000);
	ck_assert_uint_eq(h.n, 1000);
	while (hash_next(&h, &it))
		seen++;
	ck_assert_uint_eq(seen, 1000);
	for (uint64_t i = 0; i < ARRAY_SIZE(items); i++)
		ck_assert_ptr_eq(hash_get(&h, &i), i % 3 && i % 2 == 0 ? &items[i] : NULL);
	hash_release(&h);
	ck_assert_uint_ne(hash_bytes("ab", 2), hash_bytes("ab\0", 3));
}
END_TEST

static unsigned item_age(const void *value, const void *arg)
{
	return *(const unsigned *)arg - (unsigned)((const struct item *)value)->payload;
}

static void item_drop(void *value, void *arg)
{
	((struct item *)value)->payload = -1;
}

START_TEST(hash_of_bounded_size)
{
	static struct item items[8000];
	struct hash h;
	size_t most = 0;

	hash_init(&h, offsetof(struct item, key), sizeof(uint64_t));
	/* 40 new ones a round, of which the first is used again in every round. */
	for (unsigned round = 0; round < 200; round++) {
		for (unsigned i = 40 * round; i < 40 * (round + 1); i++) {
			items[i] = (struct item){ .key = i, .payload = (int)round };
			hash_put(&h, &items[i]);
		}
		items[0].payload = (int)round;
		hash_age(&h, 1000, 100, item_age, item_drop, &round);
		most = MAX(most, h.n);
		ck_assert_ptr_eq(hash_get(&h, &(uint64_t){ 0 }), &items[0]);
		for (unsigned i = round < 3 ? 0 : 40 * (round - 3); i < 40 * (round + 1); i++)
			ck_assert_ptr_eq(hash_get(&h, &(uint64_t){ i }), &items[i]);
		/* Few enough: nothing goes. */
		if (round < 25)
			ck_assert_uint_eq(h.n, 40 * (round + 1));
	}
	ck_assert_uint_le(most, 1000);
	ck_assert_int_eq(items[1].payload, -1);
	hash_release(&h);
}
END_TEST

START_TEST(numbers)
{
	static const struct {
		const char *text;
		int ret;
		uint64_t value;
	} cases[] = {
		{ "0", 0, 0 }, { "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE },
		{ "", -EINVAL }, { "-1", -EINVAL }, { "+1", -EINVAL }, { " 1", -EINVAL },
		{ "1 ", -EINVAL }, { "0x10", -EINVAL },
		{ "1e3", -EINVAL }, { "\331\241", -EINVAL },
	};
	const char *p = "  12 34x\nnext";
	uint32_t u32 = 7;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t v = 42;

		ck_assert_msg(parse_u64(cases[i].text, &v) == cases[i].ret, "%s", cases[i].text);
		ck_assert_uint_eq(v, cases[i].ret ? 42 : cases[i].value);
	}
	ck_assert_int_eq(parse_u32("4294967296", &u32), -ERANGE);
	ck_assert_uint_eq(u32, 7);
	ck_assert_int_eq(parse_u32("4294967295", &u32), 0);
	ck_assert_uint_eq(scan_u64(&p), 12);
	ck_assert_uint_eq(scan_u64(&p), 34);
	ck_assert_uint_eq(scan_u64(&p), 0);
	ck_assert_int_eq(*p, 'x');
	scan_line(&p);
	ck_assert_str_eq(p, "next");
	scan_line(&p);
	ck_assert_str_eq(p, "");
}
END_TEST

START_TEST(fractions)
{
	static const struct {
		const char *text;
		int ret;
		double value;
	} cases[] = {
		{ "1", 0, 1 },	      { "0.9", 0, 0.9 },    { ".5", 0, 0.5 },	{ "5.", 0, 5 },
		{ "-1", 0, -1 },      { "1e3", 0, 1000 },   { "nan", -EINVAL }, { "inf", -EINVAL },
		{ "0x1p3", -EINVAL }, { "1,5", -EINVAL },   { "", -EINVAL },	{ ".", -EINVAL },
		{ "1s", -EINVAL },    { "1e999", -ERANGE }, { "1e", -EINVAL },	{ "--1", -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double v = 42;

		ck_assert_msg(parse_f64(cases[i].text, &v) == cases[i].ret, "%s", cases[i].text);
		ck_assert_msg(v == (cases[i].ret ? 42 : cases[i].value), "%s", cases[i].text);
	}
}
END_TEST

START_TEST(durations_and_sizes)
{
	static const struct {
		const char *text;
		int ret;
		uint64_t ns;
	} times[] = {
		{ "10us", 0, 10000 }, { "10µs", 0, 10000 }, { "1.5 ms", 0, 1500000 },
		{ "2s", 0, 2000000000 }, { "3m", 0, 180000000000 },
		{ "1h", 0, 3600000000000 }, { "7", 0, 7000000 }, { "0.5", 0, 500000 },
		{ "1x", -EINVAL }, { "-1s", -EINVAL },
		{ "+1s", -EINVAL }, { "s", -EINVAL }, { "1s ", -EINVAL },
		{ "18446744073709551615ns", 0, UINT64_MAX },
		{ "999999999999d", -ERANGE }, { "99999999999999.5d", -ERANGE },
	};
	static const struct {
		const char *text;
		int si, ret;
		uint64_t bytes;
	} sizes[] = {
		{ "12", 0, 0, 12 },	      { "4k", 0, 0, 4096 },
		{ "4k", 1, 0, 4000 },	      { "4KiB", 1, 0, 4096 },
		{ "1.5M", 0, 0, 1572864 },    { "2GiB", 0, 0, 2147483648 },
		{ "3 MB", 1, 0, 3000000 },    { "100B", 0, 0, 100 },
		{ "1q", 0, -EINVAL },	      { "k", 0, -EINVAL },
		{ "1kk", 0, -EINVAL },	      { "16E", 0, -ERANGE },
		{ "15E", 0, 0, 15ull << 60 }, { "1 ", 0, 0, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		uint64_t v = 42;

		ck_assert_msg(parse_duration(times[i].text, 1000000, &v) == times[i].ret, "%s",
			      times[i].text);
		ck_assert_msg(v == (times[i].ret ? 42 : times[i].ns), "%s", times[i].text);
	}
	/* Where a unit is asked for only nothing has none. */
	ck_assert_int_eq(parse_duration("7", 0, &(uint64_t){ 0 }), -EINVAL);
	ck_assert_int_eq(parse_duration("0.3", 0, &(uint64_t){ 0 }), -EINVAL);
	ck_assert_int_eq(parse_duration("7s", 0, &(uint64_t){ 0 }), 0);
	ck_assert_int_eq(parse_duration("0", 0, &(uint64_t){ 0 }), 0);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint64_t v = 42;

		ck_assert_msg(parse_size(sizes[i].text, sizes[i].si, &v) == sizes[i].ret, "%s",
			      sizes[i].text);
		ck_assert_msg(v == (sizes[i].ret ? 42 : sizes[i].bytes), "%s", sizes[i].text);
	}
}
END_TEST

START_TEST(clocks)
{
	char text[64];

	setenv("TZ", "AAA-05:30", 1);
	tzset();
	clock_iso(text, sizeof(text), 1769860801004999999u);
	ck_assert_str_eq(text, "2026-01-31T17:30:01.004+05:30");
	clock_hms(text, sizeof(text), 1769860801004999999u);
	ck_assert_str_eq(text, "17:30:01");
	setenv("TZ", "AAA3", 1);
	tzset();
	clock_iso(text, sizeof(text), 1769860801004999999u);
	ck_assert_str_eq(text, "2026-01-31T09:00:01.004-03:00");
	ck_assert_uint_le(clock_mono(), clock_boot());
	ck_assert_uint_gt(clock_real(), 1700000000ull * NSEC_PER_SEC);
}
END_TEST

START_TEST(errors)
{
	struct err e;

	ck_assert_int_eq(err_set(&e, EACCES, "no %s", "way"), -EACCES);
	ck_assert_str_eq(e.text, "no way");
	ck_assert_int_eq(err_set(NULL, ENOENT, "x"), -ENOENT);
}
END_TEST

static unsigned calls;

static unsigned called(void)
{
	return ++calls;
}

START_TEST(smaller_and_larger)
{
	ck_assert_uint_eq(MIN(5u, called()), 1);
	ck_assert_uint_eq(MAX(called(), 1u), 2);
	ck_assert_uint_eq(calls, 2);
	ck_assert_int_eq(MIN(MAX(-3, -7), MIN(4, -1)), -3);
}
END_TEST

UNIT_MAIN("base", smaller_and_larger, arena, texts_of_an_arena, buf, kept_files, hash,
	  hash_of_bounded_size, numbers, fractions, durations_and_sizes, clocks, errors)
