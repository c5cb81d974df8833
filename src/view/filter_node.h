/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of a filter: filter_parse.c builds it, filter.c evaluates it. */
#ifndef IOTOP_VIEW_FILTER_NODE_H
#define IOTOP_VIEW_FILTER_NODE_H

#include "view/filter.h"
#include "view/pattern.h"

enum node_kind {
	NODE_AND,
	NODE_OR,
	NODE_NOT,	/* of its one part */
	NODE_WORD,
	NODE_TEST,
};

enum test_op {
	TEST_EQ,
	TEST_NE,
	TEST_LT,
	TEST_LE,
	TEST_GT,
	TEST_GE,
	TEST_MATCH,
	TEST_NOMATCH,
};

struct filter_node {
	enum node_kind kind;
	struct filter_node *parts;	/* of AND, OR and NOT: the first; the others by next */
	struct filter_node *next;	/* of the same AND or OR */
	const struct column *column;	/* of a test */
	const struct column **columns;	/* of a word: where it is looked for; NULL ends them */
	unsigned side;			/* of a test: whose column that is, of several sides */
	enum test_op op;
	struct value value;	/* of a test; text is word's */
	char *word;		/* of a word and of a test */
	struct pattern *pattern;	/* of a word with regex characters, and of ~ and !~;
					 * NULL: the word itself is looked for */
};

struct filter {
	struct filter_node *root;
	char *text;		/* what it was parsed from; NULL: nothing */
};

struct filter_node *filter_node_new(enum node_kind kind);
/* With its parts, without its next. */
void filter_node_free(struct filter_node *n);

/*
 * The column of a key, and of which side (NULL: there is only e) it is; NULL, and a sentence: there
 * is none.
 */
const struct column *filter_column(const struct entity *const *sides, const struct entity *e,
				   const char *key, unsigned *ret_side, struct err *err);
/* A number in the unit of the column; word may be changed. */
bool filter_value(const struct column *col, char *word, struct value *ret);
/* What is expected there, for a message. */
const char *filter_value_hint(enum unit unit);

/*
 * Where a bare word looks: comm and command, of waits the cause, of files the path and whether it
 * is deleted; where an entity has no comm, any text. NULL ends them; freed by the caller.
 */
const struct column **filter_word_columns(const struct entity *e);

#endif
