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

static bool text_matches(const struct filter_node *n, const char *text)
{
	if (n->has_regex)
		return !regexec(&n->regex, text, 0, NULL, 0);
	return strcasestr(text, n->word);
}

static enum truth match_regex(const struct filter_node *n, const struct value *v)
{
	if (v->kind == VAL_STR)
		return truth_of(text_matches(n, v->str));
	if (v->kind != VAL_LIST)
		return UNKNOWN;
	for (size_t i = 0; i < v->list.n; i++)
		if (text_matches(n, v->list.items[i]))
			return TRUE;
	return FALSE;
}

static enum truth match_test(const struct filter_node *n, const struct row *row, const struct model *m, enum span span)
{
	struct value v = column_value(n->column, row, m, span);
	int order;

	if (v.kind == VAL_NONE)
		return UNKNOWN;
	if (n->op == TEST_MATCH || n->op == TEST_NOMATCH) {
		enum truth t = match_regex(n, &v);

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
static enum truth match_word(const struct filter_node *n, const struct row *row, const struct model *m, enum span span)
{
	enum truth best = UNKNOWN;

	for (unsigned i = 0; i < row->entity->ncolumns; i++) {
		const struct column *col = &row->entity->columns[i];
		struct value v;

		if (!filter_word_column(row->entity, col))
			continue;
		v = column_value(col, row, m, span);
		if (v.kind != VAL_STR)
			continue;
		if (text_matches(n, v.str))
			return TRUE;
		best = FALSE;
	}
	return best;
}

static enum truth match(const struct filter_node *n, const struct row *row, const struct model *m, enum span span)
{
	enum truth left, right;

	switch (n->kind) {
	case NODE_WORD:
		return match_word(n, row, m, span);
	case NODE_TEST:
		return match_test(n, row, m, span);
	case NODE_NOT:
		return TRUE - match(n->left, row, m, span);
	default:
		break;
	}
	left = match(n->left, row, m, span);
	if (left == (n->kind == NODE_AND ? FALSE : TRUE))
		return left;
	right = match(n->right, row, m, span);
	return n->kind == NODE_AND ? MIN(left, right) : MAX(left, right);
}

bool filter_match(const struct filter *f, const struct row *row, const struct model *m, enum span span)
{
	return match(f->root, row, m, span) == TRUE;
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
	if (n->has_regex)
		regfree(&n->regex);
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
