// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/filter.h"

#include <stdlib.h>
#include <string.h>

#include "view/filter_node.h"

/* Kleene's logic: what is unknown stays unknown when negated. */
enum truth {
	FALSE,
	UNKNOWN,
	TRUE,
};

static enum truth truth_of(bool b)
{
	return b ? TRUE : FALSE;
}

/* What is asked of one row. */
struct question {
	const struct row *row;
	const struct model *m;
	enum span span;
	struct filter_budget *budget;
};

static enum truth text_matches(const struct filter_node *n, const char *text,
			       const struct question *q)
{
	int r;

	if (!n->pattern)
		return truth_of(strcasestr(text, n->word));
	r = pattern_search(n->pattern, text, &q->budget->left);
	q->budget->over |= r < 0;
	return r < 0 ? UNKNOWN : truth_of(r);
}

static enum truth match_pattern(const struct filter_node *n, const struct value *v,
				const struct question *q)
{
	enum truth best = FALSE;

	if (v->kind == VAL_STR)
		return text_matches(n, v->str, q);
	if (v->kind != VAL_LIST)
		return UNKNOWN;
	for (size_t i = 0; i < v->list.n && best != TRUE; i++)
		best = MAX(best, text_matches(n, v->list.items[i], q));
	return best;
}

static enum truth match_test(const struct filter_node *n, const struct question *q)
{
	struct value v = column_value(n->column, q->row, q->m, q->span, q->budget->texts);
	int order;

	if (v.kind == VAL_NONE)
		return UNKNOWN;
	if (n->op == TEST_MATCH || n->op == TEST_NOMATCH) {
		enum truth t = match_pattern(n, &v, q);

		return n->op == TEST_MATCH ? t : TRUE - t;
	}
	order = value_compare(&v, &n->value);
	switch (n->op) {
	case TEST_EQ:
		return truth_of(order == 0);
	case TEST_NE:
		return truth_of(order != 0);
	case TEST_LT:
		return truth_of(order < 0);
	case TEST_LE:
		return truth_of(order <= 0);
	case TEST_GT:
		return truth_of(order > 0);
	default:
		return truth_of(order >= 0);
	}
}

/* In any of the columns a bare word looks at; unknown when it knows none of them. */
static enum truth match_word(const struct filter_node *n, const struct question *q)
{
	const struct entity *e = q->row->entity;
	bool known = false, unread = false;

	for (unsigned i = 0; i < e->ncolumns; i++) {
		struct value v;
		enum truth t;

		if (!filter_word_column(e, &e->columns[i]))
			continue;
		v = column_value(&e->columns[i], q->row, q->m, q->span, q->budget->texts);
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

static enum truth match(const struct filter_node *n, const struct question *q)
{
	enum truth left, right;

	switch (n->kind) {
	case NODE_WORD:
		return match_word(n, q);
	case NODE_TEST:
		return match_test(n, q);
	case NODE_NOT:
		return TRUE - match(n->left, q);
	default:
		break;
	}
	left = match(n->left, q);
	if (left == (n->kind == NODE_AND ? FALSE : TRUE))
		return left;
	right = match(n->right, q);
	return n->kind == NODE_AND ? MIN(left, right) : MAX(left, right);
}

bool filter_match(const struct filter *f, const struct row *row, const struct model *m,
		  enum span span, struct filter_budget *budget)
{
	const struct question q = { .row = row, .m = m, .span = span, .budget = budget };
	enum truth t;

	budget->over = false;
	t = match(f->root, &q);
	budget->unread += t == UNKNOWN && budget->over;
	return t == TRUE;
}

static unsigned node_needs(const struct filter_node *n, const struct entity *e)
{
	unsigned needs = 0;

	if (n->left)
		needs |= node_needs(n->left, e);
	if (n->right)
		needs |= node_needs(n->right, e);
	if (n->column)
		needs |= n->column->needs | n->column->either;
	for (unsigned i = 0; n->kind == NODE_WORD && i < e->ncolumns; i++)
		if (filter_word_column(e, &e->columns[i]))
			needs |= e->columns[i].needs | e->columns[i].either;
	return needs;
}

unsigned filter_needs(const struct filter *f)
{
	return f ? node_needs(f->root, f->entity) : 0;
}

const char *filter_text(const struct filter *f)
{
	return f->text;
}

void filter_node_free(struct filter_node *n)
{
	if (!n)
		return;
	filter_node_free(n->left);
	filter_node_free(n->right);
	pattern_free(n->pattern);
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
