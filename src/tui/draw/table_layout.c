// SPDX-License-Identifier: GPL-2.0-or-later
/* Which columns of a table there is room for, and how wide each is. */
#include "tui/draw/table.h"

#include <string.h>

#include "base/utf8.h"

#define GUTTER 1	/* left of the first column: the mark of ended rows */
#define GAP 1		/* between columns; a sorted heading's arrow goes there */
#define GROW_MIN 4	/* a growing column gives way down to this before priority 0 is dropped */
#define IMPORTANT 2	/* … and down to its `least' before this one is */
#define GRAPH_SPARE 90	/* columns beyond which what is left is shared with graphs */
#define WIDE_SPARE 30	/* likewise with names that are often longer than their column */
#define KILOBYTES_WIDTH 13

/* With what stands behind the heading: it does not move when that is not known for an interval. */
static int heading_width(const struct column *col, const char *per, enum span span)
{
	char head[COLUMN_HEAD];
	int width = utf8_width(column_head(head, col, span));

	if (!column_counts(col) || span != SPAN_TICK)
		return width;
	return width + MAX(utf8_width(per), (int)strlen("/s"));
}

static int wanted_width(const struct column *col, const struct view_spec *spec,
			const struct canvas *c)
{
	int least = col->flags & (COL_GRAPH | COL_GROW)
			    ? 1
			    : heading_width(col, c->per, spec->span);

	if (col->unit == UNIT_BYTES && c->units.kilobytes)
		least = MAX(least, KILOBYTES_WIDTH);
	return MAX((int)col->width, least);
}

/*
 * Between column i and the next: numbers that end where text begins need air, and where there is
 * room an arrow that the next heading would follow at once.
 */
static int gap_after(const struct table_layout *l, unsigned i)
{
	const struct table_column *tc = &l->columns[i], *next = i + 1 < l->n ? tc + 1 : NULL;
	bool glued = next && l->spare && tc->sorted && next->head >= next->width;
	bool air = next && table_is_right(tc->col) && (glued || !table_is_right(next->col));

	return air ? GAP + 1 : GAP;
}

static int total_width(const struct table_layout *l)
{
	int width = GUTTER;

	for (unsigned i = 0; i < l->n; i++)
		width += l->columns[i].width + (i + 1 < l->n ? gap_after(l, i) : 0);
	return width;
}

/* The column of the group and that of the sort are dropped last. */
static unsigned drop_rank(const struct table_layout *l, unsigned i, const struct view_spec *spec)
{
	const struct column *col = l->columns[i].col;
	bool names_group = spec->group == GROUP_PROCESS
				   ? !strcmp(col->key, "pid")
				   : !strcmp(col->key, group_names[spec->group]);

	return col == spec->sort || names_group ? 0 : col->priority;
}

/*
 * Takes away the column that matters least; the rightmost of equals. False when only columns up to
 * priority `kept` are left (-1: one goes in any case).
 */
static bool drop_column(struct table_layout *l, const struct view_spec *spec, int kept)
{
	unsigned victim = 0, rank = 0;

	for (unsigned i = 0; i < l->n; i++) {
		if (drop_rank(l, i, spec) >= rank) {
			rank = drop_rank(l, i, spec);
			victim = i;
		}
	}
	if ((int)rank <= kept)
		return false;
	memmove(&l->columns[victim], &l->columns[victim + 1],
		(l->n - victim - 1) * sizeof(l->columns[0]));
	l->n--;
	return true;
}

/* The last growing column: it is the first of them that a narrow screen drops. */
static struct table_column *growing(struct table_layout *l)
{
	for (unsigned i = l->n; i--; )
		if (l->columns[i].col->flags & COL_GROW)
			return &l->columns[i];
	return NULL;
}

static void share_spare(struct table_layout *l, int spare)
{
	struct table_column *grow = growing(l);

	for (unsigned i = 0; i < l->n && spare > GRAPH_SPARE; i++) {
		struct table_column *tc = &l->columns[i];
		int more = MIN((spare - GRAPH_SPARE) * 2 / 3, HISTORY_TICKS - tc->width);

		if (!(tc->col->flags & COL_GRAPH) || tc->col->get || more <= 0)
			continue;
		tc->width += more;
		spare -= more;
	}
	for (unsigned i = 0; i < l->n && spare > WIDE_SPARE; i++) {
		struct table_column *tc = &l->columns[i];
		int more = MIN(spare - WIDE_SPARE, (int)tc->col->wide - tc->width);

		if (more > 0) {
			tc->width += more;
			spare -= more;
		}
	}
	if (grow)
		grow->width += spare;
}

/* What does not fit is taken from it, as far as it is wider than this. */
static void give_way(struct table_layout *l, struct table_column *grow, int width, int least)
{
	int over = total_width(l) - width;

	if (over > 0 && grow->width > least)
		grow->width = MAX(least, grow->width - over);
}

void table_layout(struct table_layout *l, const struct view_spec *spec, const struct canvas *c)
{
	int width = c->width;
	struct table_column *grow;
	int x = GUTTER;

	l->n = 0;
	l->spare = false;
	for (unsigned i = 0; i < spec->ncolumns; i++) {
		const struct column *col = spec->columns[i];

		l->columns[l->n++] = (struct table_column){
			.col = col,
			.width = wanted_width(col, spec, c),
			.head = heading_width(col, c->per, spec->span),
			.sorted = col == spec->sort,
		};
	}
	grow = growing(l);
	while (l->n > 1 && total_width(l) > width &&
	       drop_column(l, spec, grow && grow->col->least ? IMPORTANT : 0))
		grow = growing(l);
	if (grow && grow->col->least)
		give_way(l, grow, width, (int)grow->col->least);
	while (l->n > 1 && total_width(l) > width && drop_column(l, spec, 0))
		;
	grow = growing(l);
	if (grow)
		give_way(l, grow, width, GROW_MIN);
	while (l->n > 1 && total_width(l) > width)
		drop_column(l, spec, -1);
	l->spare = total_width(l) < width;
	if (l->spare)
		share_spare(l, width - total_width(l));
	for (unsigned i = 0; i < l->n; i++) {
		l->columns[i].x = x;
		x += l->columns[i].width + gap_after(l, i);
	}
}

const struct column *table_column_at(const struct table_layout *l, int x)
{
	for (unsigned i = 0; i < l->n; i++) {
		const struct table_column *tc = &l->columns[i];

		/* With the arrow behind the heading. */
		if (x >= tc->x && x < tc->x + tc->width + tc->sorted)
			return tc->col;
	}
	return NULL;
}
