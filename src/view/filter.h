/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter language.
 *	expr  := and { "or" and }        and := not { ["and"] not }        not := ["not" | "!"] test
 *	test  := "(" expr ")" | word | key op value
 *	op    := = != < <= > >= ~ (regular expression) !~
 * A word ends at a blank, a comma, a parenthesis it did not open, or an operator; in quotes it may hold anything.
 * A bare word matches comm and command (a substring, case ignored; with regex characters: an extended regular expression).
 * Values take units by the column: write > 1M, lat >= 10ms, io > 50. "&&", "||" and "," (and) are accepted as well.
 */
#ifndef IOTOP_VIEW_FILTER_H
#define IOTOP_VIEW_FILTER_H

#include <stdbool.h>

#include "base/err.h"
#include "data/entity.h"

struct filter;

/* On failure -EINVAL, the sentence, and *ret_column = offset in bytes of the place where it went wrong (for the caret). */
int filter_parse(const char *text, const struct entity *e, struct filter **ret, size_t *ret_place, struct err *err);
void filter_free(struct filter *f);
/* Three-valued: a test on an unknown value is false, and so is its negation. */
bool filter_match(const struct filter *f, const struct row *row, const struct model *m, enum span span);
/* Sources its columns need or can use. f may be NULL. */
unsigned filter_needs(const struct filter *f);
const char *filter_text(const struct filter *f);

#endif
