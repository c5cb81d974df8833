/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --when waits for: a filter over the totals, the findings, the disks and the tasks of a
 * model, and for how long it must be true. It is true when there are one finding, one disk and one
 * task of which it is true; where nothing is wrong the finding is one without a name.
 */
#ifndef IOTOP_VIEW_CONDITION_H
#define IOTOP_VIEW_CONDITION_H

#include "data/total_row.h"
#include "view/filter.h"

enum condition_side {
	CONDITION_TOTAL,
	CONDITION_FINDING,
	CONDITION_DISK,
	CONDITION_TASK,
	CONDITION_SIDES,
};

struct condition;

/* Of what it was true, as far as it asks for it: rows of the model; NULL: it does not ask. */
struct condition_match {
	const struct row *rows[CONDITION_SIDES];
};

/*
 * "EXPR" or "EXPR for TIME". On failure as filter_parse(). condition_free() by the caller, which
 * takes NULL.
 */
int condition_parse(const char *text, struct condition **ret, size_t *ret_place, struct err *err);
void condition_free(struct condition *c);
bool condition_is_true(const struct condition *c, const struct model *m,
		       struct condition_match *ret);
uint64_t condition_lasts(const struct condition *c);	/* ns; 0: once is enough */
const char *condition_text(const struct condition *c);	/* clean */
/* Sources (enum source bits) that it looks at. */
unsigned condition_needs(const struct condition *c);

#endif
