// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "view/filter_node.h"

/* Kleene's logic: what is unknown stays unknown when negated. */
#define FALSE FILTER_FALSE
#define UNKNOWN FILTER_UNKNOWN
#define TRUE FILTER_TRUE

static enum filter_truth truth_of(bool b)
{
	return b ? TRUE : FALSE;
}

/* One row of each side, and with what its values are computed. */
struct question {
	const struct row *const *rows;
	const struct model *m;
	enum span span;
	struct filter_budget *budget;
};

static enum filter_truth text_matches(const struct filter_node *n, const char *text,
			       const struct question *q)
{
	int r;

	if (!n->pattern)
		return truth_of(strcasestr(text, n->word));
	r = pattern_search(n->pattern, text, &q->budget->left);
	q->budget->over |= r < 0;
	return r < 0 ? UNKNOWN : truth_of(r);
}

static enum filter_truth match_pattern(const struct filter_node *n, const struct value *v,
				const struct question *q)
{
	enum filter_truth best = FALSE;

	if (v->kind == VAL_STR)
		return text_matches(n, v->str, q);
	if (v->kind != VAL_LIST)
		return UNKNOWN;
	for (size_t i = 0; i < v->n && best != TRUE; i++)
		best = MAX(best, text_matches(n, v->list[i], q));
	return best;
}

static enum filter_truth match_test(const struct filter_node *n, const struct question *q)
{
	const struct row *row = q->rows[n->side];
	struct value v;

	if (!row)
		return UNKNOWN;
	v = column_value(n->column, row, q->m, q->span, q->budget->texts);
	if (v.kind == VAL_NONE)
		return UNKNOWN;
	switch (n->op) {
	case TEST_EQ:
		return truth_of(value_compare(&v, &n->value) == 0);
	case TEST_NE:
		return truth_of(value_compare(&v, &n->value) != 0);
	case TEST_LT:
		return truth_of(value_compare(&v, &n->value) < 0);
	case TEST_LE:
		return truth_of(value_compare(&v, &n->value) <= 0);
	case TEST_GT:
		return truth_of(value_compare(&v, &n->value) > 0);
	case TEST_GE:
		return truth_of(value_compare(&v, &n->value) >= 0);
	case TEST_MATCH:
		return match_pattern(n, &v, q);
	case TEST_NOMATCH:
		return TRUE - match_pattern(n, &v, q);
	}
	return UNKNOWN;
}

/* A bare word: TRUE when any of its columns matches; UNKNOWN when none of them has a value. */
static enum filter_truth match_word(const struct filter_node *n, const struct question *q)
{
	bool known = false, unread = false;

	for (size_t i = 0; n->columns[i]; i++) {
		struct value v = column_value(n->columns[i], q->rows[0], q->m, q->span,
					      q->budget->texts);
		enum filter_truth t;

		if (v.kind != VAL_STR)
			continue;
		t = text_matches(n, v.str, q);
		if (t == TRUE)
			return TRUE;
		known = true;
		unread |= t == UNKNOWN;
	}
	return known && !unread ? FALSE : UNKNOWN;
}

static enum filter_truth match(const struct filter_node *n, const struct question *q);

/* AND is the minimum of its parts, OR the maximum; stops at the first part that decides. */
static enum filter_truth match_parts(const struct filter_node *n, const struct question *q)
{
	enum filter_truth decided = n->kind == NODE_AND ? FALSE : TRUE, truth = TRUE - decided;

	for (const struct filter_node *part = n->parts; part && truth != decided;
	     part = part->next) {
		enum filter_truth t = match(part, q);

		truth = n->kind == NODE_AND ? MIN(truth, t) : MAX(truth, t);
	}
	return truth;
}

static enum filter_truth match(const struct filter_node *n, const struct question *q)
{
	switch (n->kind) {
	case NODE_AND:
	case NODE_OR:
		return match_parts(n, q);
	case NODE_NOT:
		return TRUE - match(n->parts, q);
	case NODE_WORD:
		return match_word(n, q);
	case NODE_TEST:
		return match_test(n, q);
	}
	return UNKNOWN;
}

bool filter_match(const struct filter *f, const struct row *row, const struct model *m,
		  enum span span, struct filter_budget *budget)
{
	const struct question q = { .rows = &row, .m = m, .span = span, .budget = budget };
	enum filter_truth t;

	budget->over = false;
	t = match(f->root, &q);
	budget->unread += t == UNKNOWN && budget->over;
	return t == TRUE;
}

enum filter_truth filter_match_sides(const struct filter *f,
				     const struct row *const rows[FILTER_SIDES],
				     const struct model *m, struct filter_budget *budget)
{
	const struct question q = { .rows = rows, .m = m, .span = SPAN_TICK, .budget = budget };

	return match(f->root, &q);
}

bool filter_any(const struct filter *f, bool (*look)(const struct filter *part, void *arg),
		void *arg)
{
	if (f->root->kind != NODE_OR)
		return look(f, arg);
	for (struct filter_node *n = f->root->parts; n; n = n->next) {
		const struct filter part = { .root = n };

		if (filter_any(&part, look, arg))
			return true;
	}
	return false;
}

static unsigned node_sides(const struct filter_node *n)
{
	unsigned sides = n->column ? 1u << n->side : 0;

	for (const struct filter_node *part = n->parts; part; part = part->next)
		sides |= node_sides(part);
	return sides;
}

unsigned filter_sides(const struct filter *f)
{
	return node_sides(f->root);
}

static unsigned node_needs(const struct filter_node *n)
{
	unsigned needs = 0;

	for (const struct filter_node *part = n->parts; part; part = part->next)
		needs |= node_needs(part);
	if (n->column)
		needs |= n->column->needs | n->column->either;
	for (size_t i = 0; n->columns && n->columns[i]; i++)
		needs |= n->columns[i]->needs | n->columns[i]->either;
	return needs;
}

unsigned filter_needs(const struct filter *f)
{
	return f ? node_needs(f->root) : 0;
}

const char *filter_text(const struct filter *f)
{
	return f->text;
}

struct filter_node *filter_node_new(enum node_kind kind)
{
	struct filter_node *n = mem_alloc(sizeof(*n));

	*n = (struct filter_node){ .kind = kind };
	return n;
}

void filter_node_free(struct filter_node *n)
{
	if (!n)
		return;
	for (struct filter_node *part = n->parts, *next; part; part = next) {
		next = part->next;
		filter_node_free(part);
	}
	pattern_free(n->pattern);
	free(n->columns);
	free(n->word);
	free(n);
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	filter_node_free(f->root);
	free(f->text);
	free(f);
}
