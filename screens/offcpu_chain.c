// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whom the task under the cursor waited for as a tree: who woke it, or held the lock that it waits
 * for; below each the same of that one, up to a request, an interrupt or a timer.
 */
#include "screens/offcpu.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "data/stack/offcpu_wakers.h"
#include "tui/draw/text_cursor.h"
#include "view/view.h"

#define DEPTH 8
#define WAKERS 8	/* shown of a process, those with the most time */
#define LINES 2000	/* of a tree at most: it may have millions */

struct chain {
	struct text_cursor tc;
	const struct view *v;
	struct row_index by_process;
	struct arena arena;
	uint32_t path[DEPTH];	/* processes from the root of the tree to here */
	char indent[8 * DEPTH + 8];
	int left;	/* lines that may still be written */
};

static const struct offcpu_counters *counters(const struct chain *ch, const struct offcpu_row *r)
{
	return row_counters(&r->row, ch->v->spec->span);
}

static struct offcpu_wakers wakers_of(struct chain *ch, uint32_t tgid)
{
	return offcpu_wakers(&ch->by_process, tgid, ch->v->spec->span != SPAN_TICK, &ch->arena);
}

/* Who has not given free yet what is waited for. */
static int put_holder(struct text_cursor *tc, int x, const struct offcpu_row *r)
{
	char text[96];

	snprintf(text, sizeof(text), _("for %s %llu"), r->holder_comm,
		 (unsigned long long)r->holder_tid);
	return text_put(tc, x, -1, STYLE_BOLD, text);
}

static void put_line(struct chain *ch, const struct offcpu_waker *w, uint64_t total, bool last,
		     bool again)
{
	const struct offcpu_row *r = w->row;
	struct text_cursor *tc = &ch->tc;
	char text[192];
	int x = 1;

	x += text_put(tc, x, -1, STYLE_DIM, ch->indent);
	x += text_put(tc, x, -1, STYLE_DIM, last ? "└─" : "├─");
	snprintf(text, sizeof(text), "%3.0f %% ", 100.0 * (double)w->ns / (double)total);
	x += text_put(tc, x, -1, STYLE_NORMAL, text);
	unit_format(text, sizeof(text), UNIT_NS, (double)w->ns, &tc->c->units);
	text_right(tc, x, 7, STYLE_NORMAL, text);
	x += 9;
	x += text_put(tc, x, -1, STYLE_BOLD,
		      r->waker_kind == WAKER_NONE ? _("still waiting") : value_text(&r->woken)) +
	     2;
	if (r->waker_kind == WAKER_NONE && r->holder_comm)
		x += put_holder(tc, x, r) + 2;
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

/* The wakers of a process, each with its own wakers below it. */
static void put_wakers(struct chain *ch, uint32_t tgid, unsigned depth)
{
	struct offcpu_wakers wakers = wakers_of(ch, tgid);
	size_t n = MIN(wakers.n, WAKERS), len = strlen(ch->indent);

	ch->path[depth] = tgid;
	for (size_t i = 0; i < n && ch->left; i++, ch->left--) {
		uint32_t waker = wakers.items[i].tgid;
		bool last = i + 1 == wakers.n;
		bool again = false;

		for (unsigned k = 0; k <= depth && waker; k++)
			again |= ch->path[k] == waker;
		put_line(ch, &wakers.items[i], wakers.ns, last, again);
		if (!waker || again || depth + 1 >= DEPTH)
			continue;
		strcat(ch->indent, last ? "  " : "│ ");
		put_wakers(ch, waker, depth + 1);
		ch->indent[len] = '\0';
	}
	if (wakers.n > n && ch->left) {
		int x = 1 + text_put(&ch->tc, 1, -1, STYLE_DIM, ch->indent);

		x += text_put(&ch->tc, x, -1, STYLE_DIM, "└─");
		text_printf(&ch->tc, x, -1, STYLE_DIM, _("and %zu more"), wakers.n - n);
		text_next(&ch->tc);
	}
}

int offcpu_chain(struct canvas *c, struct rect area, int top, const struct view *v,
		 const struct row *row)
{
	const struct offcpu_row *r = (const struct offcpu_row *)row;
	struct chain ch = { .tc = text_start(c, area, top), .v = v, .left = LINES };
	char text[32];
	int x = 1;

	if (!r) {
		text_put(&ch.tc, 1, -1, STYLE_DIM, _("nothing to show yet"));
		return 1;
	}
	arena_init(&ch.arena);
	ch.by_process = offcpu_by_process(v->model, &ch.arena);
	x += text_put(&ch.tc, x, -1, STYLE_BOLD, r->row.name) + 2;
	unit_format(text, sizeof(text), UNIT_NS, (double)wakers_of(&ch, r->id.tgid).ns, &c->units);
	x += text_put(&ch.tc, x, -1, STYLE_NORMAL, text) + 2;
	text_put(&ch.tc, x, -1, STYLE_DIM, _("blocked, waited for"));
	text_next(&ch.tc);
	put_wakers(&ch, r->id.tgid, 0);
	if (!ch.left) {
		text_put(&ch.tc, 1, -1, STYLE_DIM, _("… and more: the tree ends here"));
		text_next(&ch.tc);
	}
	arena_release(&ch.arena);
	return text_lines(&ch.tc, top);
}
