// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/condition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "data/disk/disk.h"
#include "data/finding/finding.h"
#include "data/task/task.h"

struct condition {
	struct filter *filter;
	char *text;
	uint64_t lasts_ns;
};

/* In the order of enum condition_side: those with the fewest rows first. */
static const struct entity *const sides[] = {
	&entity_total, &entity_finding, &entity_disk, &entity_task, NULL,
};

/* Where the rows of each side are in the model. */
static const enum entity_id lists[CONDITION_SIDES] = {
	[CONDITION_FINDING] = ENTITY_FINDING,
	[CONDITION_DISK] = ENTITY_DISK,
	[CONDITION_TASK] = ENTITY_TASK,
};

/* The " for " that a time follows; NULL: there is none. In a quoted text it is part of that. */
static const char *find_for(const char *text)
{
	const char *found = NULL;

	for (const char *p = text; (p = strstr(p, " for ")); p++)
		found = p;
	return found && !strpbrk(found, "\"'") ? found : NULL;
}

int condition_parse(const char *text, struct condition **ret, size_t *ret_place, struct err *err)
{
	const char *lasts = find_for(text);
	_cleanup_(mem_freep) char *expr = mem_strndup(text, lasts ? (size_t)(lasts - text)
								 : strlen(text));
	struct filter *filter;
	uint64_t ns = 0;
	int r;

	if (lasts && parse_duration(lasts + strlen(" for "), NSEC_PER_SEC, &ns)) {
		*ret_place = (size_t)(lasts - text) + strlen(" for ");
		return err_set(err, EINVAL, _("a time such as 5s is expected behind \"for\""));
	}
	r = filter_parse_sides(expr, sides, &filter, ret_place, err);
	if (r < 0)
		return r;
	*ret = mem_alloc(sizeof(**ret));
	**ret = (struct condition){ filter, utf8_clean_dup(text), ns };
	return 0;
}

void condition_free(struct condition *c)
{
	if (!c)
		return;
	filter_free(c->filter);
	free(c->text);
	free(c);
}

/* One look at a model. */
struct look {
	const struct model *m;
	const struct row *total;
	struct condition_match match;
	struct filter_budget budget;
};

static enum filter_truth try_row(struct look *l, const struct filter *f, unsigned side,
				 const struct row *row);

/* Whether there are rows of this side and those behind it of which it is true. */
static bool try_side(struct look *l, const struct filter *f, unsigned side)
{
	static const struct finding_row nothing = {
		.row = { .entity = &entity_finding, .have = ~0u, .members = 1 }, .name = "",
	};
	const struct row_list *list;
	enum filter_truth t;

	while (side < CONDITION_SIDES && !(filter_sides(f) & 1u << side))
		side++;
	if (side == CONDITION_SIDES)
		return false;
	list = &l->m->rows[lists[side]];
	if (!list->n && side == CONDITION_FINDING)
		return try_row(l, f, side, &nothing.row) == FILTER_TRUE;
	for (size_t i = 0; i < list->n; i++) {
		if (list->rows[i]->flags & ROW_UNSELECTED)
			continue;
		t = try_row(l, f, side, list->rows[i]);
		if (t == FILTER_TRUE)
			return true;
	}
	l->match.rows[side] = NULL;
	return false;
}

/* What is decided by the rows so far needs no others. */
static enum filter_truth try_row(struct look *l, const struct filter *f, unsigned side,
				 const struct row *row)
{
	enum filter_truth t;

	l->match.rows[side] = row;
	t = filter_match_sides(f, l->match.rows, l->m, &l->budget);
	if (t == FILTER_UNKNOWN && try_side(l, f, side + 1))
		return FILTER_TRUE;
	return t;
}

static bool try_part(const struct filter *part, void *arg)
{
	struct look *l = arg;

	memset(&l->match, 0, sizeof(l->match));
	return try_row(l, part, CONDITION_TOTAL, l->total) == FILTER_TRUE;
}

bool condition_is_true(const struct condition *c, const struct model *m,
		       struct condition_match *ret)
{
	struct total_row total = total_row(m, SPAN_TICK);
	struct arena texts;
	struct look l = {
		.m = m, .total = &total.row,
		.budget = { .texts = &texts, .left = FILTER_TIME },
	};
	bool is_true;

	/* The first sample has nothing before it to compare with. */
	if (!(m->interval > 0))
		return false;
	arena_init(&texts);
	is_true = filter_any(c->filter, try_part, &l);
	arena_release(&texts);
	*ret = l.match;
	ret->rows[CONDITION_TOTAL] = NULL;
	return is_true;
}

uint64_t condition_lasts(const struct condition *c)
{
	return c->lasts_ns;
}

const char *condition_text(const struct condition *c)
{
	return c->text;
}

unsigned condition_needs(const struct condition *c)
{
	unsigned asked = filter_sides(c->filter), needs = filter_needs(c->filter);

	for (unsigned i = 0; i < CONDITION_SIDES; i++)
		if (asked & 1u << i)
			needs |= sides[i]->needs;
	return asked & 1u << CONDITION_FINDING ? needs | FINDING_NEEDS : needs;
}
