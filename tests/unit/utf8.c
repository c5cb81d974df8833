// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <string.h>

#include "base/utf8.h"

START_TEST(clean)
{
	static const struct {
		const char *raw, *text;
		size_t n;
	} cases[] = {
		{ "postgres: checkpointer", "postgres: checkpointer", 100 },
		{ "abcdef", "abc", 3 },
		{ "", "", 10 },
		{ "a\033[31mb", "a\\e[31mb", 100 },
		{ "a\nb\tc\r\a\b\v\f", "a\\nb\\tc\\r\\a\\b\\v\\f", 100 },
		{ "\001\177", "\\x01\\x7f", 100 },
		{ "\302\233" "31m", "\\x9b31m", 100 },
		{ "x\342\200\256y", "x\\u202ey", 100 },
		{ "x\342\200\250y", "x\\u2028y", 100 },
		{ "gr\303\274n", "gr\303\274n", 100 },
		{ "\303", "\357\277\275", 100 },
		{ "\303\274", "\357\277\275", 1 },
		{ "\300\257", "\357\277\275\357\277\275", 100 },
		{ "\355\240\200", "\357\277\275\357\277\275\357\277\275", 100 },
		{ "\364\220\200\200", "\357\277\275\357\277\275\357\277\275\357\277\275", 100 },
		{ "\340\200\200", "\357\277\275\357\277\275\357\277\275", 100 },
		{ "\377z", "\357\277\275z", 100 },
		{ "\360\237\230\200", "\360\237\230\200", 100 },
	};
	struct arena a;

	arena_init(&a);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_str_eq(utf8_clean(&a, cases[i].raw, cases[i].n), cases[i].text);
	arena_release(&a);
}
END_TEST

START_TEST(every_point)
{
	for (uint32_t c = 1; c < 0x110000; c++) {
		char text[5];
		uint32_t back;
		int n = utf8_put(text, c);

		/* The library writes to a pipe for each check: 5 s for all of these. */
		if (utf8_next(text, &back) != n || strlen(text) != (size_t)n ||
		    back != (c >= 0xd800 && c < 0xe000 ? 0xfffd : c))
			ck_abort_msg("U+%04x: %d bytes, back U+%04x", c, n, back);
	}
}
END_TEST

START_TEST(width)
{
	static const struct {
		uint32_t point;
		int width;
	} points[] = {
		{ 'a', 1 },    { 0xfc, 1 },    { 0xb5, 1 },    { 0x301, 0 },
		{ 0x200d, 0 }, { 0x1100, 2 },  { 0x4e2d, 2 },  { 0xac00, 2 },
		{ 0xff21, 2 }, { 0x1f600, 2 }, { 0x2581, 1 },  { 0x28ff, 1 },
		{ 0xfffd, 1 }, { 0xfe0f, 0 },  { 0x20000, 2 }, { 0x2500, 1 },
	};
	int w;

	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		ck_assert_msg(utf8_width_point(points[i].point) == points[i].width, "U+%04x",
			      points[i].point);
	ck_assert_int_eq(utf8_width("a\344\270\255e\314\201"), 4);
	ck_assert_uint_eq(utf8_fit("a\344\270\255b", 2, &w), 1);
	ck_assert_int_eq(w, 1);
	ck_assert_uint_eq(utf8_fit("a\344\270\255b", 3, &w), 4);
	ck_assert_int_eq(w, 3);
	/* A combining mark stays with its letter. */
	ck_assert_uint_eq(utf8_fit("e\314\201x", 1, &w), 3);
	ck_assert_uint_eq(utf8_fit("abc", 0, &w), 0);
	ck_assert_uint_eq(utf8_fit("abc", 99, NULL), 3);
}
END_TEST

START_TEST(ascii)
{
	ck_assert_int_eq(utf8_ascii('a'), 'a');
	ck_assert_int_eq(utf8_ascii(0x203a), '>');
	ck_assert_int_eq(utf8_ascii(0xd7), 'x');
	ck_assert_int_eq(utf8_ascii(0xe4), 'a');
	ck_assert_int_eq(utf8_ascii(0xd1), 'N');
	ck_assert_int_eq(utf8_ascii(0xff), 'y');
	ck_assert_int_eq(utf8_ascii(0xbf), '?');
	ck_assert_int_eq(utf8_ascii(0x100), '?');
	ck_assert_int_eq(utf8_ascii(0x2265), '>');
	ck_assert_int_eq(utf8_ascii(0x4e2d), '?');
}
END_TEST

START_TEST(trim)
{
	static const char *const cuts[][2] = {
		{ "", "" }, { "ab", "ab" }, { "a\303\274", "a\303\274" }, { "a\303", "a" },
		{ "\344\270", "" }, { "x\344\270\255", "x\344\270\255" },
		{ "x\360\237\230", "x" }, { "\360\237\230\200", "\360\237\230\200" },
	};
	char text[8];

	for (size_t i = 0; i < ARRAY_SIZE(cuts); i++) {
		strcpy(text, cuts[i][0]);
		utf8_trim(text);
		ck_assert_str_eq(text, cuts[i][1]);
	}
}
END_TEST

UNIT_MAIN("utf8", clean, every_point, width, ascii, trim)
