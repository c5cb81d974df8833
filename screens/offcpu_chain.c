// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The other view of the off-CPU tab: who woke the task under the cursor, who had woken that one, up
 * to a request or a timer.
 */
#include "screens/offcpu.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "data/model.h"
#include "data/stack/offcpu.h"
#include "tui/draw/text_cursor.h"
#include "view/view.h"

#define DEPTH 8
#define WAKERS 8	/* shown of one task, those with the most time */

/* What ended the blocks of a task: another task, or not one. */
struct waker {
	const struct offcpu_row *row;	/* with the most time */
	uint64_t ns, row_ns;
};

struct chain {
	struct text_cursor tc;
	const struct view *v;
	uint32_t path[DEPTH];	/* processes from the top on */
	char indent[8 * DEPTH + 8];
};

static const struct offcpu_counters *counters(const struct chain *ch, const struct offcpu_row *r)
{
	return (const struct offcpu_counters *)(ch->v->spec->span == SPAN_TICK ? r->row.now
									       : r->row.sum);
}

static bool same_waker(const struct offcpu_row *a, const struct offcpu_row *b)
{
	return a->waker_kind == b->waker_kind && a->waker_id.tgid == b->waker_id.tgid &&
	       a->dev == b->dev && a->op_id == b->op_id;
}

/* Keeps w sorted by time, at most WAKERS. */
static size_t insert(struct waker *w, size_t n, const struct waker *one)
{
	size_t i = n < WAKERS ? n : WAKERS;

	while (i && w[i - 1].ns < one->ns) {
		if (i < WAKERS)
			w[i] = w[i - 1];
		i--;
	}
	if (i < WAKERS)
		w[i] = *one;
	return n < WAKERS ? n + 1 : n;
}

/* The wakers of a process; returns how many. */
static size_t gather(const struct chain *ch, uint32_t tgid, struct waker *w, uint64_t *ret_total)
{
	const struct row_list *list = &ch->v->model->rows[ENTITY_OFFCPU];
	struct waker all[64];
	size_t n = 0, shown = 0;

	*ret_total = 0;
	for (size_t i = 0; i < list->n; i++) {
		const struct offcpu_row *r = (const struct offcpu_row *)list->rows[i];
		uint64_t ns = counters(ch, r)->blocked_ns;
		size_t k = 0;

		if (r->id.tgid != tgid || !ns)
			continue;
		*ret_total += ns;
		while (k < n && !same_waker(all[k].row, r))
			k++;
		if (k == ARRAY_SIZE(all))
			continue;
		if (k == n)
			all[n++] = (struct waker){ .row = r };
		all[k].ns += ns;
		if (ns > all[k].row_ns) {
			all[k].row = r;
			all[k].row_ns = ns;
		}
	}
	for (size_t k = 0; k < n; k++)
		shown = insert(w, shown, &all[k]);
	return shown;
}

static void put_line(struct chain *ch, const struct waker *w, uint64_t total, bool last, bool again)
{
	const struct offcpu_row *r = w->row;
	struct text_cursor *tc = &ch->tc;
	char text[192];
	int x = 1;

	x += text_put(tc, x, -1, STYLE_DIM, ch->indent);
	x += text_put(tc, x, -1, STYLE_DIM, last ? "└─ " : "├─ ");
	snprintf(text, sizeof(text), "%3.0f %% ", 100.0 * (double)w->ns / (double)total);
	x += text_put(tc, x, -1, STYLE_NORMAL, text);
	unit_format(text, sizeof(text), UNIT_NS, (double)w->ns, &tc->c->units);
	text_right(tc, x, 7, STYLE_NORMAL, text);
	x += 9;
	x += text_put(tc, x, -1, r->waker_kind == WAKER_NONE ? STYLE_WARN : STYLE_BOLD,
		      _(r->woken)) +
	     2;
	offcpu_cause(text, sizeof(text), r, counters(ch, r));
	x += text_put(tc, x, -1,
		      r->disk && r->op_id == OP_READ ? STYLE_READ
		      : r->disk			     ? STYLE_WRITE
						     : STYLE_NORMAL,
		      text) +
	     2;
	if (again)
		text_put(tc, x, -1, STYLE_DIM, _("(see above)"));
	text_next(tc);
}

/* One after the other down to tasks that only interrupts wake. */
static void put_wakers(struct chain *ch, uint32_t tgid, unsigned depth)
{
	struct waker w[WAKERS];
	uint64_t total;
	size_t n = gather(ch, tgid, w, &total), len = strlen(ch->indent);

	ch->path[depth] = tgid;
	for (size_t i = 0; i < n; i++) {
		uint32_t waker = w[i].row->waker_kind == WAKER_TASK ? w[i].row->waker_id.tgid : 0;
		bool again = false;

		for (unsigned k = 0; k <= depth && waker; k++)
			again |= ch->path[k] == waker;
		put_line(ch, &w[i], total, i + 1 == n, again);
		if (!waker || again || depth + 1 >= DEPTH)
			continue;
		strcat(ch->indent, i + 1 == n ? "   " : "│  ");
		put_wakers(ch, waker, depth + 1);
		ch->indent[len] = '\0';
	}
}

void offcpu_chain(struct canvas *c, struct rect area, const struct view *v, const struct row *row)
{
	const struct offcpu_row *r = (const struct offcpu_row *)row;
	struct chain ch = { .tc = text_start(c, area, 0), .v = v };
	char text[32];
	struct waker w[WAKERS];
	uint64_t total;
	int x = 1;

	if (!r) {
		text_put(&ch.tc, 1, -1, STYLE_DIM, _("nothing to show yet"));
		return;
	}
	gather(&ch, r->id.tgid, w, &total);
	x += text_put(&ch.tc, x, -1, STYLE_BOLD, r->row.name) + 2;
	unit_format(text, sizeof(text), UNIT_NS, (double)total, &c->units);
	x += text_put(&ch.tc, x, -1, STYLE_NORMAL, text) + 2;
	text_put(&ch.tc, x, -1, STYLE_DIM, _("blocked, woken by"));
	text_next(&ch.tc);
	put_wakers(&ch, r->id.tgid, 0);
}
