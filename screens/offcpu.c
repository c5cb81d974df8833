// SPDX-License-Identifier: GPL-2.0-or-later
/* Off-CPU: which tasks are blocked, where in the code, for how long, and who wakes them. */
#include "screens/offcpu.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "data/stack/offcpu_wakers.h"
#include "tui/binding.h"
#include "tui/draw/fields.h"
#include "tui/screen.h"
#include "view/view.h"

#define BESIDE 100	/* from so many columns on both stacks stand beside each other */

static void draw_end(struct text_cursor *tc, const struct frames *f)
{
	const char *text = frames_end_text(f);

	if (!text)
		return;
	text_put(tc, 3, -1, STYLE_DIM, text);
	text_next(tc);
}

static void draw_frames(struct text_cursor *tc, const struct offcpu_row *r, enum offcpu_stack which,
			bool outermost_first)
{
	const struct frames *f = r->stacks[which];
	bool user = which == OFFCPU_USER || which == OFFCPU_WAKER_USER;

	if (!f) {
		if (r->stack_ids[which]) {
			text_put(tc, 3, -1, STYLE_DIM, _("not resolved yet"));
			text_next(tc);
		}
		return;
	}
	if (outermost_first)
		draw_end(tc, f);
	for (size_t i = 0; i < f->n; i++) {
		field_frame(tc, f, outermost_first ? f->n - 1 - i : i,
			    user ? STYLE_ACCENT2 : STYLE_ACCENT1);
	}
	if (!outermost_first)
		draw_end(tc, f);
}

static void draw_waker_name(struct text_cursor *tc, const struct offcpu_row *r)
{
	int x = 1;

	x += text_put(tc, x, -1, STYLE_HEAD, _("WAKER")) + 1;
	if (r->waker_kind == WAKER_NONE)
		text_put(tc, x, -1, STYLE_BOLD, _("still waiting"));
	else
		text_put(tc, x, -1, STYLE_BOLD, value_text(&r->woken));
	text_next(tc);
}

static void draw_target_name(struct text_cursor *tc, const struct offcpu_row *r)
{
	int x = 1 + text_put(tc, 1, -1, STYLE_HEAD, _("TARGET")) + 1;

	text_put(tc, x, -1, STYLE_BOLD, r->row.name);
	text_next(tc);
}

static const char *const woken_how[WAKER_UNKNOWN + 1] = {
	[WAKER_NONE] = N_("nobody has woken it"),
	[WAKER_TASK] = N_("woken by a task"),
	[WAKER_IRQ] = N_("woken by an interrupt"),
	[WAKER_SOFTIRQ] = N_("woken by a soft interrupt"),
	[WAKER_IDLE] = N_("woken by the idle task"),
	[WAKER_UNKNOWN] = N_("woken by something unknown"),
};

static void draw_how(struct text_cursor *tc, const struct offcpu_row *r, const char *cause)
{
	int x = 1;

	x += text_put(tc, x, -1, STYLE_SORT, "── ");
	x += text_put(tc, x, -1, STYLE_SORT, _(woken_how[r->waker_kind])) + 2;
	text_put(tc, x, -1, STYLE_BOLD, cause);
	text_next(tc);
}

/*
 * The waker above, outermost first, the target below, innermost first: they meet at the line
 * between them.
 */
static void draw_meeting(struct text_cursor *tc, const struct offcpu_row *r, const char *cause)
{
	draw_waker_name(tc, r);
	if (r->waker_kind != WAKER_NONE) {
		draw_frames(tc, r, OFFCPU_WAKER_USER, true);
		draw_frames(tc, r, OFFCPU_WAKER_KERNEL, true);
	}
	draw_how(tc, r, cause);
	draw_frames(tc, r, OFFCPU_KERNEL, false);
	draw_frames(tc, r, OFFCPU_USER, false);
	draw_target_name(tc, r);
}

/* Where there is room, beside each other: both innermost first, where they met is on top. */
static void draw_beside(struct text_cursor *tc, const struct offcpu_row *r, const char *cause)
{
	struct text_cursor left, right;

	draw_how(tc, r, cause);
	left = right = *tc;
	left.area.width /= 2;
	right.area.x += left.area.width;
	right.area.width -= left.area.width;
	draw_waker_name(&left, r);
	if (r->waker_kind != WAKER_NONE) {
		draw_frames(&left, r, OFFCPU_WAKER_KERNEL, false);
		draw_frames(&left, r, OFFCPU_WAKER_USER, false);
	}
	draw_target_name(&right, r);
	draw_frames(&right, r, OFFCPU_KERNEL, false);
	draw_frames(&right, r, OFFCPU_USER, false);
	tc->line = MAX(left.line, right.line);
}

/* Who held the lock, and what that one waits for itself. */
static void draw_holder(struct text_cursor *tc, const struct model *m, const struct offcpu_row *r,
			bool since_start)
{
	const struct offcpu_row *wait;
	struct row_index by_thread;
	struct arena a;
	char text[192];
	int x = 1;

	if (r->lock == WAIT_NO_LOCK)
		return;
	x += text_put(tc, x, -1, STYLE_HEAD, _("HOLDER")) + 1;
	if (!r->holder_comm) {
		text_put(tc, x, -1, STYLE_DIM, _("unknown"));
		text_next(tc);
		return;
	}
	arena_init(&a);
	by_thread = offcpu_by_thread(m, &a);
	wait = offcpu_holder_wait(&by_thread, &r->holder_id, since_start);
	snprintf(text, sizeof(text), "%s %llu", r->holder_comm, (unsigned long long)r->holder_tid);
	x += text_put(tc, x, -1, STYLE_BOLD, text) + 2;
	if (wait) {
		offcpu_cause(text, sizeof(text), wait,
			     since_start ? wait->row.sum : wait->row.now);
		if (*text)
			text_printf(tc, x, -1, STYLE_NORMAL, _("waits in turn: %s"), text);
	}
	text_next(tc);
	arena_release(&a);
}

static int detail(struct canvas *c, struct rect area, int top, const struct view *v,
		  const struct row *row)
{
	static const char *const keys[] = { "blocked", "count", "max", "state" };
	const struct offcpu_row *r = (const struct offcpu_row *)row;
	struct text_cursor tc = text_start(c, area, top);
	const struct offcpu_counters *now = row->now;
	char cause[192];

	offcpu_cause(cause, sizeof(cause), r, now->blocked_ns ? now : row->sum);
	field_numbers(&tc, v->model, row, keys, ARRAY_SIZE(keys), SPAN_SUM);
	draw_holder(&tc, v->model, r, !now->blocked_ns);
	if (area.width >= BESIDE)
		draw_beside(&tc, r, cause);
	else
		draw_meeting(&tc, r, cause);
	return text_lines(&tc, top);
}

#define HEADER_SPACE 3	/* columns between its parts */

static int header(struct canvas *c, int y, const struct model *m, _unused_ enum span span)
{
	struct offcpu_totals totals = offcpu_totals(m);
	char number[24], interval[24], blocked[128], io[128], server[128], waiting[96] = "";
	bool known = model_watched(m, SRC_OFFCPU, false) > 0;
	int x = 1, room;

	unit_format(number, sizeof(number), UNIT_NS, known ? (double)totals.blocked_ns : NAN,
		    &c->units);
	unit_format(interval, sizeof(interval), UNIT_NS, m->interval * NSEC_PER_SEC, &c->units);
	snprintf(blocked, sizeof(blocked), _("%s blocked, all tasks together, in %s"), number,
		 interval);
	unit_format(number, sizeof(number), UNIT_NS, known ? (double)totals.io_ns : NAN, &c->units);
	snprintf(io, sizeof(io), _("%s of it waiting for disk I/O"), number);
	unit_format(number, sizeof(number), UNIT_NS, (double)m->totals.server_ns, &c->units);
	snprintf(server, sizeof(server), _("%s for servers of file systems"), number);
	if (totals.waiting)
		snprintf(waiting, sizeof(waiting),
			 ngettext("%llu still waiting", "%llu still waiting", totals.waiting),
			 (unsigned long long)totals.waiting);
	x += canvas_text_cut(c, x, y, -1, STYLE_BOLD, blocked) + HEADER_SPACE;
	/* Without room for all what is part of the sum is left out. */
	room = c->width - x - (*waiting ? utf8_width(waiting) + HEADER_SPACE : 0);
	if (utf8_width(io) <= room)
		x += canvas_text(c, x, y, -1, STYLE_NORMAL, io) + HEADER_SPACE;
	room -= utf8_width(io) + HEADER_SPACE;
	if (m->totals.server_ns && utf8_width(server) <= room)
		x += canvas_text(c, x, y, -1, STYLE_NORMAL, server) + HEADER_SPACE;
	canvas_text_cut(c, x, y, -1, STYLE_BOLD, waiting);
	return 1;
}

/* Who waits for a server of a file system, as of FUSE, sleeps like one that waits for a key. */
static size_t nothing(const struct model *m, const struct unit_style *style, char *text,
		      size_t size)
{
	if (!(model_watched(m, SRC_OFFCPU, false) > 0))
		return (size_t)snprintf(text, size, "%s", _("nothing to show yet"));
	return (size_t)snprintf(text, size, "%s",
				_("no such wait; w changes between those for disk I/O and all, "
				  "also for servers of file systems"));
}

static const struct binding keys[] = {
	{ 'w', "w", N_("all waits"), N_("waits of any kind, or those for I/O"), act_every_block,
	  .label_back = N_("I/O waits"), .is_on = app_shows_every_block },
	{ 'v', "v", N_("wakers"),
	  N_("who woke it or held its lock, the same of that one, up to a request or a timer"),
	  act_alternative },
	{ 'K', "K", NULL, N_("kernel stacks only, or both"), act_kernel_stacks },
	{ 'U', "U", NULL, N_("user stacks only, or both"), act_user_stacks },
	{ 0 },
};

static const struct binding detail_keys[] = {
	{ 'v', "v", N_("wakers"),
	  N_("who woke it or held its lock, the same of that one, up to a request or a timer"),
	  act_alternative },
	{ 0 },
};

const struct screen screen_offcpu = {
	.name = "offcpu",
	.title = N_("Off-CPU"),
	.tab = NC_("tab", "Off-CPU"),
	.help = N_("who is blocked, on what, and who woke it"),
	.entity = ENTITY_OFFCPU,
	.columns = "blocked,count,max,state,comm,pid,cause,request_op,request_disk,request_avg,"
		   "woken,path",
	.sort = "blocked",
	.group = GROUP_PROCESS,
	/* What limits hold back is known to the block programs. */
	.needs = SRC_DISKS | SRC_SYSTEM | SRC_BLOCK,
	.header = header,
	.detail = detail,
	.detail_keys = detail_keys,
	.alternative = offcpu_chain,
	.empty = nothing,
	.keys = keys,
};
