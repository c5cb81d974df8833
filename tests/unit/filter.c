// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"
#include "thing.h"
#include "view/filter.h"

/* Which column a key means is looked up when a filter is parsed: this is not asked for each row. */
static unsigned lookups;

const struct column *__real_entity_column(const struct entity *e, const char *key);
const struct column *__wrap_entity_column(const struct entity *e, const char *key);

const struct column *__wrap_entity_column(const struct entity *e, const char *key)
{
	lookups++;
	return __real_entity_column(e, key);
}

/* The ids of the things that match, as digits. */
static const char *matches(const struct filter *f)
{
	struct filter_budget budget = { .left = FILTER_TIME };
	static char ids[8];
	unsigned before = lookups;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(things); i++)
		if (filter_match(f, &things[i].row, &thing_model, SPAN_TICK, &budget))
			ids[n++] = (char)('1' + i);
	ids[n] = '\0';
	ck_assert_uint_eq(lookups, before);
	return ids;
}

START_TEST(meaning)
{
	static const struct {
		const char *text, *ids;
	} cases[] = {
		{ "a", "123" }, { "AB", "1" }, { "^a[bc]$", "12" }, { "a(b|c)", "12" },
		{ "\"x, y\"", "5" }, { "x\\,", "5" },
		{ "id = 3", "3" }, { "id == 3", "3" }, { "id!=3", "12456" }, { "id<3", "12" },
		{ "id <= 3", "123" },
		{ "id > 3", "456" }, { "id>=3", "3456" }, { "bytes > 1k", "23" },
		{ "bytes >= 1000", "1235" },
		{ "bytes > 4GiB", "3" }, { "bytes>4.5G", "3" }, { "bytes > 4.7G", "" },
		{ "bytes > 1M/s", "3" },
		{ "max >= 10ns", "123" }, { "max > 15", "23" }, { "max > 1us", "" },
		{ "members = 1", "123456" },
		{ "big = 18446744073709551615", "2" }, { "big = 9223372036854775808", "1" },
		{ "big = 9223372036854775809", "" },
		{ "nice > 5.5", "23456" }, { "nice > -1", "123456" },
		{ "name = ab", "1" }, { "name = AB", "" }, { "name != ab", "2356" },
		{ "name ~ B", "156" }, { "name !~ b", "23" },
		{ "name ~ ^b", "56" }, { "frames ~ ^vfs", "1" }, { "frames ~ nothing", "" },
		/* Unknown is neither: 4 has no bytes, no name, and only 1 has a wait. */
		{ "wait > 40", "1" }, { "not wait > 40", "" }, { "wait > 40%", "1" },
		{ "!(bytes > 1k)", "156" }, { "not a", "56" },
		{ "not (wait > 40 or id = 2)", "" }, { "not (wait > 60 and id = 2)", "13456" },
		{ "wait < 60 or id = 4", "14" },
		/* Precedence. */
		{ "id=1 or id=2 and id=3", "1" }, { "(id=1 or id=2) id=2", "2" }, { "a b", "1" },
		{ "a and not b", "23" },
		{ "a && !b", "23" }, { "id=1 || id=4", "14" }, { "id>1, id<4", "23" },
		{ "id>1,id<4,a", "23" }, { "NOT id=1", "23456" },
		{ "not not id=1", "1" }, { "!!id=1", "1" }, { "((((id=1))))", "1" },
		{ "id=1 OR id=2", "12" }, { "  id=1  ", "1" },
		{ "name='ab'", "1" }, { "name=\"b\\\"x, y\"", "5" }, { "\344\270\255", "6" },
	};
	const char *ids;
	struct err err;
	size_t place;

	things_build();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct filter *f = NULL;

		ck_assert_msg(!filter_parse(cases[i].text, &thing_entity, &f, &place, &err),
			      "%s: %s", cases[i].text, err.text);
		ids = matches(f);
		ck_assert_msg(!strcmp(ids, cases[i].ids), "%s: %s", cases[i].text, ids);
		ck_assert_str_eq(filter_text(f), cases[i].text);
		filter_free(f);
	}
	ck_assert_uint_gt(lookups, 0);
	filter_free(NULL);
	things_release();
}
END_TEST

START_TEST(errors)
{
	static const struct {
		const char *text;
		size_t place;
		const char *err;
	} cases[] = {
		{ "", 0, "something is missing at the end" },
		{ "   ", 3, "something is missing at the end" },
		{ "id >", 4, "something is missing at the end" },
		{ "id > ", 5, "something is missing at the end" },
		{ "id = x", 5, "a number is expected here" },
		{ "bytes > 1q", 8, "a size such as 10M is expected here" },
		{ "max > 1x", 6, "a time such as 10ms is expected here" },
		{ "wait > lots", 7, "a number is expected here" },
		{ "bites > 1", 0, "no column \"bites\"; did you mean \"bytes\"?" },
		{ "a and zzzzz = 1", 6, "no column \"zzzzz\"; --list-columns lists them" },
		{ "(id=1", 0, "this parenthesis is not closed" },
		{ "a (b (c)", 2, "this parenthesis is not closed" },
		{ "id=1)", 4, "this closes nothing" }, { "name = 'x", 7,
		  "this quote is not closed" },
		{ "a or", 4, "something is missing at the end" },
		{ "> 3", 0, "a word or a value is expected here" },
		{ "id > > 3", 5, "a word or a value is expected here" },
		{ "bytes ~ 3", 6, "\"bytes\" is a number: compare it with = != < <= > >=" },
		{ "graph = 1", 6, "\"graph\" cannot be compared like this" },
		{ "hist = 1", 5, "\"hist\" cannot be compared like this" },
		{ "frames = main", 7, "\"frames\" cannot be compared like this" },
		{ "''", 0, "a word or a value is expected here" },
		{ "a+++++++++++++++++++++++", 0,
		  "bad regular expression: quantifier does not follow a repeatable item" },
		{ "x(a)\\1", 0, "bad regular expression: reference to non-existent subpattern" },
		{ "x(a{9}){99999}", 0, "bad regular expression: number too big in {} quantifier" },
		{ "!", 1, "something is missing at the end" },
		{ "()", 1, "a word or a value is expected here" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct filter *f = NULL;
		struct err err = { "" };
		size_t place = 99;

		ck_assert_msg(filter_parse(cases[i].text, &thing_entity, &f, &place, &err) ==
				      -EINVAL,
			      "%s", cases[i].text);
		ck_assert_ptr_null(f);
		ck_assert_str_eq(err.text, cases[i].err);
		ck_assert_msg(place == cases[i].place, "%s: %zu", cases[i].text, place);
	}
}
END_TEST

START_TEST(limits)
{
	static char text[70000];
	struct filter *f = NULL;
	struct err err;
	size_t place;

	memset(text, '(', sizeof(text));
	text[4000] = '\0';
	ck_assert_int_eq(filter_parse(text, &thing_entity, &f, &place, &err), -EINVAL);
	ck_assert_str_eq(err.text, "nested too deeply");
	memset(text, '!', 4000);
	text[4000] = '\0';
	ck_assert_int_eq(filter_parse(text, &thing_entity, &f, &place, &err), -EINVAL);
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(filter_parse(text, &thing_entity, &f, &place, &err), -EINVAL);
	ck_assert_str_eq(err.text, "the filter is too long");
	for (size_t i = 1; i < 65000; i += 2)
		text[i] = ' ';
	text[65000] = '\0';
	ck_assert_int_eq(filter_parse(text, &thing_entity, &f, &place, &err), 0);
	things_build();
	ck_assert_str_eq(matches(f), "123");
	things_release();
	filter_free(f);
}
END_TEST

START_TEST(needs)
{
	struct filter *f = NULL;
	size_t place;

	ck_assert_uint_eq(filter_needs(NULL), 0);
	ck_assert_int_eq(
		filter_parse("x or not (bytes > 1 and wait > 1)", &thing_entity, &f, &place, NULL),
		0);
	ck_assert_uint_eq(filter_needs(f), SRC_BLOCK | SRC_DELAYS | SRC_WAITS);
	filter_free(f);
}
END_TEST

#define ROWS 10000

/* ns of a processor that this process has had; other work on the machine does not count. */
static uint64_t cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

/*
 * Whatever the pattern and the text, a view is there in time, and says how many rows it could not
 * look at.
 */
START_TEST(bounded)
{
	static const char *const patterns[] = {
		"(a*)*b", "(a|a)*c", "((a|a)*)*z", "(.*){1,20}x", "(.*.*.*.*.*){1,60}=",
			"(a|b)*a(a|b){20}$", "(a|b)*a(a|b){200}z",
		"(a?){250}a{250}z", "(.?){900}z", "(x?y?a?){1,200}q", "(^x?y?a?){1,200}q",
			"(\\bx?y?a?){1,200}q", "(\\bx?y?){1,200}q",
		"(\\w+\\s*)+z$", "[^z]*\303\251.*\303\251", "([[:alpha:]]*[a-z]*)*\303\261",
			"not ~ here", "a{900}", "z",
	};
	static char text[16384];
	unsigned slow = 0;

	things_build();
	for (size_t i = 0; i < ARRAY_SIZE(patterns) * 3; i++) {
		struct filter_budget budget = { .left = FILTER_TIME };
		char filter[200];
		struct filter *f;
		uint64_t begin = cpu_time();
		unsigned matches = 0;
		struct err err;
		size_t place;

		for (size_t k = 0; k + 1 < sizeof(text); k++)
			text[k] = i % 3 == 0 ? 'a' : "ab"[(k * 2654435761u >> 13) & 1];
		for (size_t k = 0; i % 3 == 2 && k + 3 < sizeof(text); k += 5)
			memcpy(text + k, "\303\251 ", 3);
		things[0].name = text;
		snprintf(filter, sizeof(filter), "name ~ '%s'", patterns[i / 3]);
		ck_assert_msg(!filter_parse(filter, &thing_entity, &f, &place, &err), "%s: %s",
			      filter, err.text);
		for (unsigned row = 0; row < ROWS; row++)
			matches +=
				filter_match(f, &things[0].row, &thing_model, SPAN_TICK, &budget);
		ck_assert_msg(cpu_time() - begin < 2 * NSEC_PER_SEC, "%s: %g s", filter,
			      (double)(cpu_time() - begin) / NSEC_PER_SEC);
		/*
		 * Every row has the same text: those behind the first that was too much are not
		 * looked at.
		 */
		ck_assert_msg(matches == 0 || matches + budget.unread == ROWS, "%s: %u, %zu",
			      filter, matches, budget.unread);
		ck_assert_msg(budget.left || budget.unread,
			      "%s: no time is left, and all was looked at", filter);
		slow += budget.unread > 0;
		filter_free(f);
	}
	/* Some of them take too long for any library that follows one way after the other. */
	ck_assert_uint_gt(slow, 2);
	things_release();
}
END_TEST

/* A row that the rest of the filter decides on is known all the same. */
START_TEST(over)
{
	static const struct {
		const char *text;
		bool is;
		size_t unread;
	} cases[] = {
		{ "name ~ a.", false, 1 }, { "name !~ a.", false, 1 },
		{ "not name ~ a.", false, 1 }, { "a.", false, 1 }, { "not a.", false, 1 },
		{ "id = 1 or name ~ a.", true, 0 }, { "name ~ a. or id = 1", true, 0 },
		{ "id = 2 and name ~ a.", false, 0 },
		{ "name ~ a. and id = 2", false, 0 }, { "name = ab", true, 0 }, { "ab", true, 0 },
		{ "frames ~ m.", false, 1 },
		{ "name ~ a. and not name ~ a.", false, 1 },
	};

	things_build();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct filter_budget budget = { .left = 0 };
		struct filter *f;
		struct err err;
		size_t place;

		ck_assert_int_eq(filter_parse(cases[i].text, &thing_entity, &f, &place, &err), 0);
		ck_assert_msg(filter_match(f, &things[0].row, &thing_model, SPAN_TICK, &budget) ==
				      cases[i].is,
			      "%s", cases[i].text);
		ck_assert_msg(budget.unread == cases[i].unread, "%s: %zu", cases[i].text,
			      budget.unread);
		filter_free(f);
	}
	things_release();
}
END_TEST

/* In KiB; 0 where a sanitizer takes as much as all of it. */
static long peak_memory(void)
{
#if UNIT_SANITIZED
	return 0;
#else
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
#endif
}

/* Thousands of them take neither the memory nor the time. */
START_TEST(many_patterns)
{
	static char text[64000];
	uint64_t begin = cpu_time();
	struct filter *f;
	struct err err;
	size_t place, n = 0;

	while (n + 20 < sizeof(text))
		n += (size_t)sprintf(text + n, "a{900} ");
	ck_assert_int_eq(filter_parse(text, &thing_entity, &f, &place, &err), 0);
	filter_free(f);
	for (n = 0; n < 32000;)
		n += (size_t)sprintf(text + n, "a. ");
	ck_assert_int_eq(filter_parse(text, &thing_entity, &f, &place, &err), 0);
	filter_free(f);
	ck_assert_uint_lt(cpu_time() - begin, 5 * NSEC_PER_SEC);
	ck_assert_int_lt(peak_memory(), 64 << 10);
}
END_TEST

UNIT_MAIN("filter", meaning, errors, limits, needs, bounded, over, many_patterns)
