/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A column is declared once, in the table of its entity; curses, text, CSV, JSON, sort, filter,
 * grouping, what must be sampled, --list-columns, the help screen and the manual all read that one
 * entry.
 */
#ifndef IOTOP_DATA_COLUMN_H
#define IOTOP_DATA_COLUMN_H

#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "data/source.h"
#include "data/value.h"

struct arena;
struct row;
struct model;

/*
 * The value of a group, from the values of its members. It is computed when a cell is asked for;
 * sort, filter and every format ask the same way. Members whose value is unknown are left out of
 * sums and maxima, and agree only with each other; when it is unknown of all members, it is unknown
 * of the group.
 */
enum fold {
	FOLD_FIRST,	/* of the leader, in groups that have one (ROW_LED); else as FOLD_SAME */
	FOLD_SAME,	/* the value when all members agree, "-" otherwise */
	FOLD_SUM,
	FOLD_MAX,
	FOLD_MEAN,	/* computed from the group's counters: weighted by what it is a mean of */
};

enum column_flag {
	COL_RATE = 1u << 0,	/* off is a counter: per second, or its sum with -a, or its mean
				 * with -A */
	COL_PERCENT = 1u << 1,	/* off is a counter of ns: percent of the time of one task */
	COL_COUNTER = 1u << 2,	/* off is a counter shown as it is over the span */
	COL_GROW = 1u << 3,	/* takes the width that is left; of several the last that is
				 * shown */
	COL_HIDDEN = 1u << 4,	/* off by default; in JSON and CSV, too, when it needs a source
				 * that no default column does */
	COL_READ = 1u << 5,	/* accent of reads */
	COL_WRITE = 1u << 6,	/* accent of writes */
	COL_GRAPH = 1u << 7,	/* history: the table draws it, get() returns VAL_PAIRS-free none */
	COL_ACTIVITY = 1u << 8,	/* a row with a non-zero value here is active (-o) */
	COL_WARN = 1u << 9,	/* warning colour of all but 0 */
	COL_TREE = 1u << 10,	/* carries the branches of the tree view; without one the column
				 * that grows does */
	COL_WORDS = 1u << 11,	/* a list read as words, not as a path of frames */
	COL_WHOLE = 1u << 12,	/* the row of a group is asked, not its members: get() computes from
				 * folded counters, or the entity knows better than any rule */
	COL_PER_SECOND = 1u << 14, /* get() returns a rate, with -a its sum */
	COL_PATH = 1u << 16,	/* a path: of a long one the end is shown, which tells more */
	COL_COUNTED = 1u << 15, /* get() returns a count of the interval, or of a sum's span */
	COL_NONZERO = 1u << 13,	/* off is a field in which 0 means unknown */
};

/* Which counters a cell shows. */
enum span {
	SPAN_TICK,	/* the last interval, as rates */
	SPAN_SUM,	/* since the start, as sums (-a) */
	SPAN_MEAN,	/* since the start, as rates (-A) */
};

/* What a column's get() may read. */
struct cell {
	const struct row *row;
	const void *counters;	/* row->now or row->sum, by span; NULL: the entity has none */
	double seconds;		/* of the span in which its sources counted; 0: unknown */
	enum span span;
	const struct model *model;
	struct arena *texts;	/* owns what get() makes; of whoever asks: a view, a report, a
				 * canvas */
};

/* A getter of one expression, which has the cell in `c`. */
#define COL_GETTER(column, expression)                         \
	static struct value get_##column(const struct cell *c) \
	{                                                      \
		return expression;                             \
	}

/* What was counted, as COL_RATE would show it. */
static inline struct value cell_rate(const struct cell *c, double n)
{
	if (c->span == SPAN_SUM)
		return value_f64(n);
	return c->seconds > 0 ? value_f64(n / c->seconds) : value_none();
}

/* An index where something is of the interval, or since the start. */
static inline bool cell_is_sum(const struct cell *c)
{
	return c->span != SPAN_TICK;
}

/*
 * VAL_PAIRS of the buckets that are not empty: upper bound in ns, count. counts: HIST_BUCKETS, or
 * NULL for no histogram.
 */
struct value cell_hist(const struct cell *c, const uint64_t *counts);

/* A field of a table of the sample. */
struct field_ref {
	uint16_t table;		/* enum sample_table + 1; 0: none */
	uint16_t off;		/* in its row */
};

#define COL_READS(TABLE, row, member) \
	{ .table = TABLE_##TABLE + 1, .off = offsetof(struct sample_##row, member) }

/* What a column of a comparison says of another one. */
enum compared {
	COMPARED_NOT,		/* it is none */
	COMPARED_WHEN,		/* in which of the two ranges the row is */
	COMPARED_DIFFERENCE,	/* how much more than before */
	COMPARED_RATIO,		/* how many times as much */
};

struct column {
	const char *key;	/* stable: --columns, --sort, filters, JSON, CSV */
	const char *head;	/* N_() heading */
	const char *scale;	/* N_() above a graph in place of head: where in it is what; NULL */
	const char *help;	/* N_() one sentence */
	enum value_kind kind;
	enum unit unit;
	enum fold fold;
	unsigned flags;
	unsigned width;		/* terminal columns; COL_GROW: the least */
	unsigned wide;		/* up to so many where the column that grows has more than it
				 * needs; 0: width */
	unsigned least;		/* COL_GROW: it gives way down to this before columns of priority
				 * 1 and 2 go; 0: they go before */
	unsigned priority;	/* 0 stays to the last, higher goes first on a narrow screen */
	unsigned needs;		/* enum source bits without which the cell is VAL_NONE */
	unsigned either;	/* any one of these will do; 0: no such choice */
	struct field_ref reads[2];	/* a sample that lacks one of these leaves it unknown, as
					 * without a source */
	size_t off;		/* of the counter (COL_RATE, COL_PERCENT, COL_COUNTER) or of the
				 * row's field … */
	struct value (*get)(const struct cell *c);	/* … or computed from them */
	enum compared compared;
	const struct column *of;	/* the column that is compared */
};

/* What a column is called: key, N_() heading and N_() help. */
#define COLUMN(name, heading, sentence) .key = (name), .head = (heading), .help = (sentence)
/* A field of the row, which has the kind of its C type; numbers have 8 bytes. */
#define COL_KIND_OF(type, member) \
	_Generic(((type *)0)->member, uint64_t: VAL_U64, uint32_t: VAL_U64, \
		 int64_t: VAL_I64, double: VAL_F64, \
		 const char *: VAL_STR, char *: VAL_STR)
#define COL_FIELD(type, member)                                               \
	.kind = COL_KIND_OF(type, member),                                    \
	.off = offsetof(type, member) +                                       \
	       0 * sizeof(char[1 - 2 * !(COL_KIND_OF(type, member) == VAL_STR || \
					 sizeof(((type *)0)->member) == 8)])
/* A counter: a uint64_t of the entity's counters struct. */
#define COL_COUNT(type, member, declared)                                        \
	.kind = (declared),                                                      \
	.off = offsetof(type, member) +                                          \
	       0 * sizeof(char[1 - 2 * !(COL_KIND_OF(type, member) == VAL_U64 && \
					 sizeof(((type *)0)->member) == 8)])

/*
 * The value of a column in a row: VAL_NONE when a source it needs gave nothing for this row. Texts
 * and lists are the row's or in `texts`: they are valid as long as both are.
 */
struct value column_value(const struct column *col, const struct row *row,
			  const struct model *model, enum span span, struct arena *texts);
/*
 * Whether two rows have the same value for sure: without computing it, which with thousands of rows
 * is most of the work. False: perhaps they do not.
 */
bool column_is_same(const struct column *col, const struct row *a, const struct row *b);
bool column_is_number(const struct column *col);
/* Whether a table has its values, and its heading, at the left. */
bool column_is_left(const struct column *col);
#define COLUMN_HEAD 48
/* What stands behind the unit of a number of this span: "/s" of a rate, else nothing. */
const char *column_per(const struct column *col, enum span span);
/* Whether its numbers are counted over an interval, and are no rate. */
bool column_counts(const struct column *col);
#define COLUMN_INTERVAL 16
/* What stands behind a count of an interval so long: "/s", "/5s". */
const char *column_interval(char out[COLUMN_INTERVAL], double seconds);
/* The heading, translated, with what column_per() says. */
const char *column_head(char out[COLUMN_HEAD], const struct column *col, enum span span);
/* What a person reads in it: formatted by unit; "-" for none. Returns the length written. */
int column_text(char *out, size_t size, const struct column *col, const struct value *v,
		const struct unit_style *style);

#endif
