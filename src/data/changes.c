// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/changes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"

/* What is looked at: which number of which rows, what these are called, and how many are told. */
static const struct aspect {
	enum entity_id entity;
	const char *key;
	const char *names[4];	/* keys of columns */
	unsigned most;
} aspects[] = {
	{ ENTITY_TASK, "write", { "comm" }, 2 },
	{ ENTITY_TASK, "read", { "comm" }, 2 },
	{ ENTITY_DISK, "util", { "disk" }, 1 },
	{ ENTITY_DISK, "rlat", { "disk" }, 1 },
	{ ENTITY_DISK, "wlat", { "disk" }, 1 },
	{ ENTITY_LAYER, "avg", { "layer", "op", "fs", "disk" }, 2 },
	{ ENTITY_MOUNT, "avg", { "mount" }, 1 },
};

/* Less than that is nothing: percent of the larger number, and percent of all. */
#define LEAST_SHARE 10
#define LEAST_OF_ALL 2
#define LEAST_PERCENT 2		/* of numbers that are percentages themselves */
#define LEAST_NS 20000

/* What one of its rows, or all of one name, did. */
struct part {
	const char *who;
	double before, now;
};

static double number(const struct column *col, const struct row *row, const struct model *m,
		     struct arena *texts)
{
	struct value v = row ? column_value(col, row, m, SPAN_MEAN, texts) : value_none();
	double d;

	return value_number(&v, &d) ? d : NAN;
}

static const char *name_of(const struct aspect *a, const struct row *row, const struct model *m,
			   struct arena *texts)
{
	const char *name = "";

	for (size_t i = 0; i < ARRAY_SIZE(a->names) && a->names[i]; i++) {
		struct value v = column_value(entity_column(row->entity, a->names[i]), row, m,
					      SPAN_MEAN, texts);

		if (v.kind == VAL_STR && *v.str)
			name = *name ? arena_printf(texts, "%s %s", name, v.str) : v.str;
	}
	return name;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct part *)a)->who, ((const struct part *)b)->who);
}

static int by_change(const void *pa, const void *pb)
{
	const struct part *a = pa, *b = pb;
	double x = fabs(a->now - a->before), y = fabs(b->now - b->before);

	if (x != y)
		return x < y ? 1 : -1;
	return strcmp(a->who, b->who);
}

/* Who was not there did nothing; what has no rate is not known then. */
static double or_zero(double d, const struct column *col)
{
	return isnan(d) && col->flags & COL_RATE ? 0 : d;
}

/* Those of one name become one: the first of them. Returns how many are left. */
static size_t fold(struct part *parts, size_t n)
{
	size_t left = 0;

	qsort(parts, n, sizeof(*parts), by_name);
	for (size_t i = 0; i < n; i++) {
		if (left && !strcmp(parts[left - 1].who, parts[i].who)) {
			parts[left - 1].before += parts[i].before;
			parts[left - 1].now += parts[i].now;
		} else {
			parts[left++] = parts[i];
		}
	}
	return left;
}

static size_t collect(const struct model *m, const struct aspect *a, const struct column *col,
		      struct arena *texts, struct part *parts)
{
	const struct row_list *list = &m->rows[a->entity];
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct row *row = list->rows[i];
		struct part *p = &parts[n];

		p->now = or_zero(row->flags & ROW_BEFORE ? NAN : number(col, row, m, texts), col);
		p->before = or_zero(number(col, row->before, m->before, texts), col);
		if (row->flags & ROW_UNSELECTED || isnan(p->now) || isnan(p->before))
			continue;
		p->who = name_of(a, row, m, texts);
		/* Who ended long before has no name any more. */
		if (!*p->who && row->before)
			p->who = name_of(a, row->before, m->before, texts);
		n++;
	}
	return col->flags & COL_RATE ? fold(parts, n) : n;
}

static bool is_large(const struct part *p, const struct column *col, double all)
{
	double most = MAX(p->now, p->before), change = fabs(p->now - p->before);

	if (change <= 0 || change * 100 < most * LEAST_SHARE)
		return false;
	if (col->unit == UNIT_PERCENT)
		return change >= LEAST_PERCENT;
	if (col->unit == UNIT_NS)
		return change >= LEAST_NS;
	return change * 100 >= all * LEAST_OF_ALL;
}

static size_t look(const struct model *m, const struct aspect *a, struct arena *texts,
		   struct change *ret)
{
	const struct column *col = entity_column(entities[a->entity], a->key);
	struct part *parts = arena_new(texts, struct part, m->rows[a->entity].n);
	size_t n = collect(m, a, col, texts, parts), found = 0;
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += MAX(parts[i].now, parts[i].before);
	qsort(parts, n, sizeof(*parts), by_change);
	for (size_t i = 0; i < n && found < a->most; i++)
		if (is_large(&parts[i], col, all))
			ret[found++] = (struct change){ parts[i].who, col, parts[i].before,
							parts[i].now };
	return found;
}

size_t changes_find(const struct model *m, struct arena *texts, struct change ret[CHANGES_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(aspects); i++)
		if (m->rows[aspects[i].entity].n && n + aspects[i].most <= CHANGES_MAX)
			n += look(m, &aspects[i], texts, ret + n);
	return n;
}

size_t change_text(const struct change *change, const struct unit_style *style, char *text,
		   size_t size)
{
	const struct column *col = change->column;
	const char *suffix = col->unit == UNIT_PERCENT ? " %" : column_per(col, SPAN_MEAN);
	char head[COLUMN_HEAD], now[32], before[32], more[32];
	double difference = change->now - change->before;

	unit_format(now, sizeof(now), col->unit, change->now, style);
	unit_format(before, sizeof(before), col->unit, change->before, style);
	unit_format(more, sizeof(more), col->unit, fabs(difference), style);
	return (size_t)snprintf(text, size, _("%s: %s %s%s, before %s%s (%s%s%s)"), change->who,
				column_head(head, col, SPAN_SUM), now, suffix, before, suffix,
				difference < 0 ? "-" : "+", more, suffix);
}
