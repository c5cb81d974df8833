// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers as people and machines read them. */
#include "unit.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/parse.h"
#include "base/units.h"

START_TEST(units)
{
	static const struct {
		enum unit unit;
		double value;
		struct unit_style style;
		const char *text;
	} cases[] = {
		{ UNIT_NONE, 4294967296.0, { 0 }, "4294967296" },
		{ UNIT_COUNT, 980, { 0 }, "980" }, { UNIT_COUNT, 21900, { 0 }, "21.9k" },
		{ UNIT_COUNT, 999.6, { 0 }, "1.00k" },
		{ UNIT_COUNT, 0, { 0 }, "0" }, { UNIT_COUNT, 0.25, { 0 }, "0.25" },
		{ UNIT_COUNT, 2.5, { 0 }, "2.5" },
		{ UNIT_COUNT, 9.97, { 0 }, "10" }, { UNIT_COUNT, 0.999, { 0 }, "1.0" },
		{ UNIT_BYTES, 0, { 0 }, "0 B" }, { UNIT_BYTES, 999, { 0 }, "999 B" },
		{ UNIT_BYTES, 1000, { 0 }, "0.98 KiB" },
		{ UNIT_BYTES, 1024, { 0 }, "1.00 KiB" }, { UNIT_BYTES, 1174405, { 0 }, "1.12 MiB" },
		{ UNIT_BYTES, 188743680, { 0 }, "180 MiB" },
		{ UNIT_BYTES, 1000, { .si = 1 }, "1.00 kB" },
		{ UNIT_BYTES, 9.996e6, { .si = 1 }, "10.0 MB" },
		{ UNIT_BYTES, 99.96e6, { .si = 1 }, "100 MB" },
		{ UNIT_BYTES, 1.8e19, { 0 }, "15.6 EiB" },
		{ UNIT_BYTES, 1174405, { .kilobytes = 1 }, "1146.88 KiB" },
		{ UNIT_NS, 0, { 0 }, "0ns" }, { UNIT_NS, 180000, { 0 }, "180µs" },
		{ UNIT_NS, 180000, { .ascii = 1 }, "180us" },
		{ UNIT_NS, 4100000, { 0 }, "4.10ms" }, { UNIT_NS, 1.2e9, { 0 }, "1.20s" },
		{ UNIT_NS, 90e9, { 0 }, "90.0s" },
		{ UNIT_NS, 6000e9, { 0 }, "1.67h" }, { UNIT_NS, 1e15, { 0 }, "11.6d" },
		{ UNIT_PERCENT, 71.26, { 0 }, "71.3" }, { UNIT_PERCENT, 100, { 0 }, "100" },
		{ UNIT_PERCENT, 0, { 0 }, "0.0" },
		{ UNIT_RATIO, 2, { 0 }, "2.00" }, { UNIT_RATIO, 12.345, { 0 }, "12.3" },
		{ UNIT_BYTES, -1, { 0 }, "-" }, { UNIT_BYTES, NAN, { 0 }, "-" },
		{ UNIT_NS, INFINITY, { 0 }, "-" },
	};
	char text[64];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int n = unit_format(text, sizeof(text), cases[i].unit, cases[i].value,
				    &cases[i].style);

		ck_assert_str_eq(text, cases[i].text);
		ck_assert_uint_eq(strlen(text), (size_t)n);
	}
}
END_TEST

/* As iotop has always written them in batch mode. */
START_TEST(classic_units)
{
	static const struct {
		double value;
		int rate;
		struct unit_style style;
		const char *text;
	} cases[] = {
		{ 0, 1, { 0 }, "0.00 B/s" },
		{ 2047, 1, { 0 }, "2047.00 B/s" },
		{ 2048, 1, { 0 }, "2.00 K/s" },
		{ 1174405, 1, { 0 }, "1146.88 K/s" },
		{ 1174405, 0, { 0 }, "1146.88 K" },
		{ 3e9, 1, { 0 }, "2.79 G/s" },
		{ 3e9, 1, { .kilobytes = 1 }, "2929687.50 K/s" },
		{ 2000, 1, { .si = 1 }, "2.00 K/s" },
	};
	char text[64];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		unit_format_classic(text, sizeof(text), cases[i].value, cases[i].rate,
				    &cases[i].style);
		ck_assert_str_eq(text, cases[i].text);
	}
}
END_TEST

/* As the locale has it, for people. */
START_TEST(points)
{
	struct unit_style german = { .point = ',' };
	char text[32];

	unit_format(text, sizeof(text), UNIT_BYTES, 1536, &german);
	ck_assert_str_eq(text, "1,50 KiB");
	unit_format(text, sizeof(text), UNIT_PERCENT, 12.34, &german);
	ck_assert_str_eq(text, "12,3");
	unit_format(text, sizeof(text), UNIT_COUNT, 7, &german);
	ck_assert_str_eq(text, "7");
	unit_format(text, sizeof(text), UNIT_BYTES, 1536, NULL);
	ck_assert_str_eq(text, "1.50 KiB");
	ck_assert_int_eq(unit_format(text, 0, UNIT_BYTES, 1536, &german), 8);
}
END_TEST

START_TEST(fixed)
{
	static const struct {
		double value;
		int decimals;
		const char *text;
	} cases[] = {
		{ 0, 0, "0x" }, { 0, 2, "0.00x" }, { 0.004, 2, "0.00x" }, { 0.005, 2, "0.01x" },
		{ 0.05, 1, "0.1x" }, { 9.999, 2, "10.00x" },
		{ 12.34, 1, "12.3x" }, { 1e14, 2, "100000000000000.00x" },
		{ 1e20, 2, "100000000000000000000x" }, { 7, 0, "7x" },
	};
	char text[64];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(
			fixed_format(text, sizeof(text), cases[i].value, cases[i].decimals, "x"),
			(int)strlen(cases[i].text));
		ck_assert_str_eq(text, cases[i].text);
	}
	ck_assert_int_eq(fixed_format(text, 3, 12.34, 2, "x"), 6);
	ck_assert_str_eq(text, "12");
}
END_TEST

/* A locale with a comma in numbers, which few machines have: it must not reach the text. */
static void comma_locale(void)
{
	char folder[64], command[256];

	unit_mkdtemp(folder, sizeof(folder));
	snprintf(command, sizeof(command), "localedef -c -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>&1",
		 folder);
	if (system(command) == 0)
		setenv("LOCPATH", folder, 1);
	if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
		puts("no German locale: a point in numbers is a point anyway");
		return;
	}
	snprintf(command, sizeof(command), "%.1f", 0.5);
#ifdef __GLIBC__	/* musl takes every name, and has a point in all */
	ck_assert_str_eq(command, "0,5");
#endif
}

START_TEST(doubles)
{
	static const double values[] = { 0,	    -7,
					 1e15,	    -1e15,
					 123456789, 0.1,
					 1.0 / 3,   1e300,
					 5e-324,    123456789012345680.0,
					 -2.5,	    1.0000000000000002 };
	char text[64];

	comma_locale();
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		double back;

		ck_assert_int_gt(double_format(text, sizeof(text), values[i]), 0);
		ck_assert_int_eq(parse_f64(text, &back), 0);
		ck_assert(back == values[i]);
	}
	double_format(text, sizeof(text), 0.1);
	ck_assert_str_eq(text, "0.1");
}
END_TEST

START_TEST(whole)
{
	static const struct {
		uint64_t v;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { 7, "7" }, { 10, "10" }, { 9007199254740993, "9007199254740993" },
		{ UINT64_MAX, "18446744073709551615" },
	};
	char text[WHOLE_FORMAT];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(whole_format(text, cases[i].v), strlen(cases[i].text));
		ck_assert_str_eq(text, cases[i].text);
	}
}
END_TEST

UNIT_MAIN("units", units, classic_units, points, fixed, doubles, whole)
