// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines of layers, below each other as in the tree of the table: what is a part of what. */
#include "screens/layers.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "tui/draw/plot.h"

#define NAME 26		/* or less, where the screen is narrow */
#define NAME_LEAST 12
#define NUMBER 7
#define SHARE 6
#define BAR_MOST 40

#define COUNTS 2	/* numbers that are counted in the interval, the first ones */

/* Columns that its name in their headings takes more than usual. */
static int more(const struct text_cursor *tc)
{
	return MAX(0, utf8_width(tc->c->per) - (int)strlen("/s"));
}

int layers_names_end(const struct text_cursor *tc)
{
	int numbers = 4 * (NUMBER + 1) + COUNTS * more(tc) + SHARE + 1;

	return MAX(MIN(NAME, tc->area.width - numbers), NAME_LEAST);
}

/* Where number i ends. */
static int number_end(const struct text_cursor *tc, int i)
{
	return layers_names_end(tc) + (i + 1) * (NUMBER + 1) - 1 + MIN(i + 1, COUNTS) * more(tc);
}

static void draw_number(struct text_cursor *tc, int i, enum unit unit, double value)
{
	text_number(tc, number_end(tc, i) - NUMBER, NUMBER, STYLE_NORMAL, unit, value, "");
}

void layers_draw_head(struct text_cursor *tc, const char *title, bool p99)
{
	const char *const heads[] = { N_("COUNT"), N_("TOTAL"), N_("AVG"),
				      p99 ? N_("P99") : N_("MAX"), N_("SHARE%") };
	char text[32];

	text_put(tc, 1, layers_names_end(tc) - 2, STYLE_HEAD, title);
	for (int i = 0; i < (int)ARRAY_SIZE(heads); i++) {
		int end = number_end(tc, i) - (i == 4 ? NUMBER - SHARE : 0),
		    width = (i == 4 ? SHARE : NUMBER) + (i < COUNTS ? more(tc) : 0);

		snprintf(text, sizeof(text), "%s%s", _(heads[i]), i < COUNTS ? tc->c->per : "");
		text_right(tc, end - width, width, STYLE_HEAD, text);
	}
	text_next(tc);
}

void layers_draw_line(struct text_cursor *tc, const char *name, enum style style,
		      const struct layer_counters *c, uint64_t high_ns, uint64_t whole_ns)
{
	int x = number_end(tc, 3) + 1, left;

	if (*name == '/')
		text_path(tc, 1, layers_names_end(tc) - 1, style, name, NULL);
	else
		text_put(tc, 1, layers_names_end(tc) - 1, style, name);
	draw_number(tc, 0, UNIT_COUNT, canvas_count(tc->c, (double)c->count));
	draw_number(tc, 1, UNIT_NS, canvas_count(tc->c, (double)c->time_ns));
	if (c->count) {
		draw_number(tc, 2, UNIT_NS, (double)(c->lat_ns / c->count));
		/* The longest one is of the newest interval with any: 0, it is not known. */
		if (high_ns)
			draw_number(tc, 3, UNIT_NS, (double)high_ns);
	}
	/*
	 * More than the whole: of several at a time, or begun before the interval. That is no
	 * share.
	 */
	if (c->time_ns > whole_ns)
		whole_ns = 0;
	if (whole_ns)
		text_number(tc, x, SHARE, STYLE_NORMAL, UNIT_PERCENT,
			    100.0 * (double)c->time_ns / (double)whole_ns, "");
	x += NUMBER;
	left = MIN(tc->area.width - x - 1, BAR_MOST);
	if (whole_ns && left > 0 && text_y(tc) >= 0)
		plot_bar(tc->c, tc->area.x + x, text_y(tc), left, STYLE_ACCENT1,
			 (double)c->time_ns / (double)whole_ns);
	text_next(tc);
}

enum style layers_op_style(uint32_t op)
{
	return op == LAYER_READ || op == LAYER_FAULT ? STYLE_READ
	       : op == LAYER_WRITE		     ? STYLE_WRITE
						     : STYLE_NORMAL;
}

void layers_draw_part(struct text_cursor *tc, const struct view *v, const char *branches,
		      const struct layer_row *r, uint64_t whole_ns)
{
	const struct layer_counters *c = layer_shown(r, v);
	uint64_t p99 = c->count ? MIN(hist_percentile(r->hist[c == r->sum], 99), c->max_ns) : 0;
	char name[LAYERS_BRANCHES + 64];

	snprintf(name, sizeof(name), "%s%s %s", branches, r->layer, r->op);
	layers_draw_line(tc, name, layers_op_style(r->op_id), c, p99, whole_ns);
}

/* Whether another line of this depth comes before one that is less deep. */
static bool goes_on(const unsigned *depths, size_t n, size_t i, unsigned depth)
{
	for (i++; i < n && depths[i] >= depth; i++)
		if (depths[i] == depth)
			return true;
	return false;
}

void layers_branches(char *out, size_t size, const unsigned *depths, size_t n, size_t i)
{
	size_t len = 0;

	out[0] = '\0';
	for (unsigned depth = 1; depth <= depths[i] && len + sizeof("│ ") < size; depth++) {
		bool more = goes_on(depths, n, i, depth), last = depth == depths[i];

		strcpy(out + len, last ? more ? "├─" : "└─" : more ? "│ " : "  ");
		len += strlen(out + len);
	}
}

struct tree {
	const struct layer_row *const *rows;
	size_t n;
	size_t *order;		/* of the rows, parents before their parts */
	unsigned *depths;	/* of the lines in that order */
	size_t lines;
};

/* The row that a row is a part of, of those in the list; n: none. */
static size_t part_of(const struct tree *t, size_t i)
{
	const struct row *up = t->rows[i]->row.parent;
	size_t k;

	for (; up; up = up->parent)
		for (k = 0; k < t->n; k++)
			if (&t->rows[k]->row == up)
				return k;
	return t->n;
}

/* There are as many levels as layers. */
static void add_below(struct tree *t, size_t above, unsigned depth)
{
	for (size_t i = 0; i < t->n; i++) {
		if (part_of(t, i) != above)
			continue;
		t->order[t->lines] = i;
		t->depths[t->lines++] = depth;
		add_below(t, i, depth + 1);
	}
}

void layers_draw_rows(struct text_cursor *tc, const struct view *v,
		      const struct layer_row *const *rows, const uint64_t *whole_ns, size_t n)
{
	struct tree t = { .rows = rows, .n = n };
	struct arena a;

	arena_init(&a);
	t.order = arena_new(&a, size_t, n + 1);
	t.depths = arena_new(&a, unsigned, n + 1);
	add_below(&t, n, 0);
	for (size_t i = 0; i < t.lines; i++) {
		char branches[LAYERS_BRANCHES];

		layers_branches(branches, sizeof(branches), t.depths, t.lines, i);
		layers_draw_part(tc, v, branches, rows[t.order[i]], whole_ns[t.order[i]]);
	}
	arena_release(&a);
}
