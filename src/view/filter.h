/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter language.
 *	expr  := and { "or" and }        and := not { ["and"] not }        not := ["not" | "!"] test
 *	test  := "(" expr ")" | word | key op value
 *	op    := = != < <= > >= ~ (regular expression) !~
 * A word ends at a blank, a comma, a parenthesis it did not open, or an operator; in quotes it may
 * hold anything. A bare word matches comm and command (a substring, case ignored; with regex
 * characters: a regular expression, which looks at the first 1024 bytes of a text, see pattern.h).
 * Values take units by the column: write > 1M, lat >= 10ms, io > 50. "&&", "||" and "," (and) are
 * accepted as well.
 *
 * A filter may also be about several rows at once, each of another entity (its sides): keys are
 * then ENTITY.KEY, "disk.util > 90 and task.io > 50", and there are no bare words. An entity alone
 * stands for what its rows are called: disk = sda, finding != "".
 */
#ifndef IOTOP_VIEW_FILTER_H
#define IOTOP_VIEW_FILTER_H

#include <stdbool.h>

#include "base/err.h"
#include "data/entity.h"

struct filter;

/*
 * On failure -EINVAL, the sentence, and *ret_column = offset in bytes of the place where it went
 * wrong (for the caret).
 */
int filter_parse(const char *text, const struct entity *e, struct filter **ret, size_t *ret_place,
		 struct err *err);
/* Of several sides, in an order that NULL ends; at most FILTER_SIDES. */
#define FILTER_SIDES 4
int filter_parse_sides(const char *text, const struct entity *const *sides, struct filter **ret,
		       size_t *ret_place, struct err *err);
void filter_free(struct filter *f);

/*
 * Time that regular expressions may take for all rows of a view. A row that they could not look at
 * any more is unknown: it is not shown.
 */
#define FILTER_TIME (100 * 1000000ULL)
struct filter_budget {
	struct arena *texts;	/* for what columns compute; of whoever asks */
	uint64_t left;		/* ns */
	size_t unread;		/* rows that the filter could not decide on for that */
	bool over;		/* in the row looked at last */
};

/* Three-valued: a test on an unknown value is false, and so is its negation. */
bool filter_match(const struct filter *f, const struct row *row, const struct model *m,
		  enum span span, struct filter_budget *budget);
enum filter_truth {
	FILTER_FALSE,
	FILTER_UNKNOWN,
	FILTER_TRUE,
};

/* The same of several sides, whose rows may be NULL: not known. */
enum filter_truth filter_match_sides(const struct filter *f,
				     const struct row *const rows[FILTER_SIDES],
				     const struct model *m, struct filter_budget *budget);
/* Calls look() for the parts of a filter that is an OR, else for all of it, until it is true. */
bool filter_any(const struct filter *f, bool (*look)(const struct filter *part, void *arg),
		void *arg);
/* Bits by the index of the sides that it asks about. */
unsigned filter_sides(const struct filter *f);
/* Sources its columns need or can use. f may be NULL. */
unsigned filter_needs(const struct filter *f);
/* The text it was parsed from; NULL: there is none, it was put together. */
const char *filter_text(const struct filter *f);

#endif
