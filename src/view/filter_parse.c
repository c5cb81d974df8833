// SPDX-License-Identifier: GPL-2.0-or-later
/* Recursive descent over the text, one function a rule of the grammar in filter.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/i18n.h"
#include "view/filter_node.h"

#define TEXT_MAX (64 << 10)	/* bytes of a filter */
#define DEPTH_MAX 64	/* nested parentheses and negations */

struct parser {
	const char *text, *p;
	const struct entity *entity;
	const struct entity *const *sides;	/* NULL: only this one */
	unsigned depth;
	struct err *err;
	size_t place;	/* of the error */
};

#define PARSE_FAIL(ps, at, ...) \
	((ps)->place = (size_t)((at) - (ps)->text), err_set((ps)->err, EINVAL, __VA_ARGS__), NULL)

static struct filter_node *parse_or(struct parser *ps);

/* The parts of an AND or an OR while they are read. */
struct part_list {
	struct filter_node *first, *last;
};

static void list_add(struct part_list *l, struct filter_node *n)
{
	*(l->last ? &l->last->next : &l->first) = n;
	l->last = n;
}

/* One part stands for itself. NULL, with the parts freed, when another one failed to parse. */
static struct filter_node *list_node(enum node_kind kind, const struct part_list *l, bool failed)
{
	struct filter_node *n = l->first;

	if (!failed && n == l->last)
		return n;
	n = filter_node_new(kind);
	n->parts = l->first;
	if (!failed)
		return n;
	filter_node_free(n);
	return NULL;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(struct parser *ps)
{
	while (is_space(*ps->p))
		ps->p++;
}

/* Eats an operator spelt `symbol` or, as a whole word, `word`. */
static bool eat(struct parser *ps, const char *symbol, const char *word)
{
	size_t n = strlen(word);

	skip_space(ps);
	if (!strncmp(ps->p, symbol, strlen(symbol))) {
		ps->p += strlen(symbol);
		return true;
	}
	if (strncasecmp(ps->p, word, n) ||
	    !(is_space(ps->p[n]) || ps->p[n] == '(' || ps->p[n] == '!' || !ps->p[n]))
		return false;
	ps->p += n;
	return true;
}

static const struct operator {
	const char *text;
	enum test_op op;
	bool pattern;		/* a regular expression stands behind it */
} operators[] = {
	/* Longer ones before those they begin with. */
	{ "==", TEST_EQ }, { "=~", TEST_MATCH, true },
	{ "!=", TEST_NE }, { "!~", TEST_NOMATCH, true },
	{ "<=", TEST_LE }, { ">=", TEST_GE },
	{ "=", TEST_EQ },  { "~", TEST_MATCH, true },
	{ "<", TEST_LT },  { ">", TEST_GT },
};

/* The operator that s begins with; NULL: none. */
static const struct operator *operator_at(const char *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (!strncmp(s, operators[i].text, strlen(operators[i].text)))
			return &operators[i];
	return NULL;
}

/*
 * Length of the unquoted word at s: brackets that it opened belong to it with all that is in them
 * but blanks.
 */
static size_t word_length(const char *s)
{
	unsigned open = 0;
	size_t n = 0;

	for (; s[n] && !is_space(s[n]); n++) {
		if (s[n] == '\\' && s[n + 1]) {
			n++;
			continue;
		}
		if (strchr("([{", s[n]))
			open++;
		else if (open && strchr(")]}", s[n]))
			open--;
		else if (!open && (strchr("),", s[n]) || operator_at(s + n) ||
				   !strncmp(s + n, "&&", 2) || !strncmp(s + n, "||", 2)))
			break;
	}
	return n;
}

/* A word or a quoted text, allocated. NULL and the error set when there is none. */
static char *take_word(struct parser *ps, bool *ret_quoted)
{
	const char *start = ps->p;
	char quote = *start;
	char *word;
	size_t n = 0;

	*ret_quoted = quote == '"' || quote == '\'';
	if (!*ret_quoted) {
		n = word_length(start);
		if (!n)
			return *start ? PARSE_FAIL(ps, start,
						   _("a word or a value is expected here"))
				      : PARSE_FAIL(ps, start, _("something is missing at the end"));
		ps->p += n;
		word = mem_alloc(n + 1);
		memcpy(word, start, n);
		word[n] = '\0';
		return word;
	}
	word = mem_alloc(strlen(start));
	for (ps->p++; *ps->p && *ps->p != quote; ps->p++) {
		if (*ps->p == '\\' && (ps->p[1] == quote || ps->p[1] == '\\'))
			ps->p++;
		word[n++] = *ps->p;
	}
	word[n] = '\0';
	if (*ps->p != quote) {
		free(word);
		return PARSE_FAIL(ps, start, _("this quote is not closed"));
	}
	ps->p++;
	return word;
}

static struct filter_node *set_pattern(struct parser *ps, struct filter_node *n, const char *at)
{
	char why[128];

	if (!pattern_new(n->word, &n->pattern, why, sizeof(why)))
		return n;
	filter_node_free(n);
	return PARSE_FAIL(ps, at, _("bad regular expression: %s"), why);
}

static struct filter_node *parse_test(struct parser *ps, const struct column *col, unsigned side,
				      const struct operator *op, const char *op_at)
{
	bool text = col->kind == VAL_STR || col->kind == VAL_LIST, quoted;
	struct filter_node *n;
	const char *at;
	char *word;

	if (col->flags & COL_GRAPH || col->kind == VAL_PAIRS ||
	    (col->kind == VAL_LIST && !op->pattern))
		return PARSE_FAIL(ps, op_at, _("\"%s\" cannot be compared like this"), col->key);
	if (op->pattern && !text)
		return PARSE_FAIL(ps, op_at,
				  _("\"%s\" is a number: compare it with = != < <= > >="),
				  col->key);
	skip_space(ps);
	at = ps->p;
	word = take_word(ps, &quoted);
	if (!word)
		return NULL;
	n = filter_node_new(NODE_TEST);
	n->column = col;
	n->side = side;
	n->op = op->op;
	n->word = word;
	if (op->pattern)
		return set_pattern(ps, n, at);
	if (text) {
		n->value = value_str(word);
		return n;
	}
	if (filter_value(col, word, &n->value))
		return n;
	filter_node_free(n);
	return PARSE_FAIL(ps, at, "%s", filter_value_hint(col->unit));
}

/* A word, or a test when an operator follows. */
static struct filter_node *parse_term(struct parser *ps)
{
	const char *at = ps->p, *after, *op_at;
	const struct column *col;
	struct filter_node *n;
	const struct operator *op;
	bool quoted;
	unsigned side;
	char *word = take_word(ps, &quoted);

	if (!word)
		return NULL;
	after = ps->p;
	skip_space(ps);
	op_at = ps->p;
	op = quoted ? NULL : operator_at(op_at);
	if (op) {
		ps->p += strlen(op->text);
		col = filter_column(ps->sides, ps->entity, word, &side, ps->err);
		free(word);
		ps->place = (size_t)(at - ps->text);
		return col ? parse_test(ps, col, side, op, op_at) : NULL;
	}
	ps->p = after;
	if (ps->sides) {
		free(word);
		return PARSE_FAIL(ps, at,
				  _("a comparison such as disk.util > 90 is expected here"));
	}
	if (!*word) {
		free(word);
		return PARSE_FAIL(ps, at, _("a word or a value is expected here"));
	}
	n = filter_node_new(NODE_WORD);
	n->word = word;
	n->columns = filter_word_columns(ps->entity);
	return !quoted && strpbrk(word, "^$.*+?[](){}|\\") ? set_pattern(ps, n, at) : n;
}

static struct filter_node *parse_group(struct parser *ps)
{
	const char *at = ps->p++;
	struct filter_node *n = parse_or(ps);

	if (!n)
		return NULL;
	skip_space(ps);
	if (*ps->p != ')') {
		filter_node_free(n);
		return PARSE_FAIL(ps, at, _("this parenthesis is not closed"));
	}
	ps->p++;
	return n;
}

static struct filter_node *parse_not(struct parser *ps)
{
	const char *at;
	struct filter_node *n, *not;
	bool negated;

	skip_space(ps);
	at = ps->p;
	if (++ps->depth > DEPTH_MAX)
		return PARSE_FAIL(ps, at, _("nested too deeply"));
	negated = !operator_at(at) && eat(ps, "!", "not");
	if (negated)
		n = parse_not(ps);
	else
		n = *ps->p == '(' ? parse_group(ps) : parse_term(ps);
	ps->depth--;
	if (!n || !negated)
		return n;
	not = filter_node_new(NODE_NOT);
	not->parts = n;
	return not;
}

/* Whether a term follows without an operator before it. */
static bool at_term(struct parser *ps)
{
	skip_space(ps);
	return *ps->p && *ps->p != ')';
}

static bool eat_or(struct parser *ps)
{
	return eat(ps, "||", "or");
}

static struct filter_node *parse_and(struct parser *ps)
{
	struct part_list list = { 0 };
	struct filter_node *n;

	while ((n = parse_not(ps))) {
		const char *before;

		list_add(&list, n);
		if (!at_term(ps))
			break;
		before = ps->p;
		if (eat_or(ps)) {
			ps->p = before;
			break;
		}
		if (!eat(ps, "&&", "and"))
			eat(ps, ",", "and");
	}
	return list_node(NODE_AND, &list, !n);
}

static struct filter_node *parse_or(struct parser *ps)
{
	struct part_list list = { 0 };
	struct filter_node *n;

	while ((n = parse_and(ps))) {
		list_add(&list, n);
		if (!eat_or(ps))
			break;
	}
	return list_node(NODE_OR, &list, !n);
}

static int parse(const char *text, const struct entity *e, const struct entity *const *sides,
		 struct filter **ret, size_t *ret_place, struct err *err)
{
	struct parser ps = { .text = text, .p = text, .entity = e, .sides = sides, .err = err };
	struct filter_node *root = NULL;

	if (strnlen(text, TEXT_MAX + 1) > TEXT_MAX)
		err_set(err, EINVAL, _("the filter is too long"));
	else
		root = parse_or(&ps);
	if (root && *ps.p) {
		filter_node_free(root);
		root = PARSE_FAIL(&ps, ps.p, _("this closes nothing"));
	}
	if (!root) {
		*ret_place = ps.place;
		return -EINVAL;
	}
	*ret = mem_alloc(sizeof(**ret));
	**ret = (struct filter){ .root = root, .text = mem_strdup(text) };
	return 0;
}

int filter_parse(const char *text, const struct entity *e, struct filter **ret, size_t *ret_place,
		 struct err *err)
{
	return parse(text, e, NULL, ret, ret_place, err);
}

int filter_parse_sides(const char *text, const struct entity *const *sides, struct filter **ret,
		       size_t *ret_place, struct err *err)
{
	return parse(text, sides[0], sides, ret, ret_place, err);
}
