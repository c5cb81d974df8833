// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks: which path through the code does the I/O. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "data/model.h"
#include "data/stack/stack.h"
#include "tui/binding.h"
#include "tui/draw/fields.h"
#include "tui/draw/text_cursor.h"
#include "tui/screen.h"
#include "view/view.h"

/* Innermost first: a function stands above its caller. */
static void draw_frames(struct text_cursor *tc, const char *title, const struct frames *f,
			uint64_t id, enum style style)
{
	text_put(tc, 1, -1, STYLE_HEAD, title);
	text_next(tc);
	if (!f) {
		text_put(tc, 3, -1, STYLE_DIM, id ? _("not resolved yet") : _("none"));
		text_next(tc);
	}
	for (size_t i = 0; f && i < f->n; i++) {
		field_frame(tc, f, i, style);
	}
	if (f && frames_end_text(f)) {
		text_put(tc, 3, -1, STYLE_DIM, frames_end_text(f));
		text_next(tc);
	}
	text_next(tc);
}

static int detail(struct canvas *c, struct rect area, int top, const struct view *v,
		  const struct row *row)
{
	static const char *const numbers[] = { "ios", "bytes", "lat" };
	const struct stack_row *r = (const struct stack_row *)row;
	struct text_cursor tc = text_start(c, area, top);
	struct value pid = column_value(entity_column(&entity_stack, "pid"), row, v->model,
					v->spec->span, &c->texts);
	int x = 1;

	x += text_put(&tc, x, -1, STYLE_BOLD, r->comm) + 1;
	if (pid.kind == VAL_U64)
		x += text_printf(&tc, x, -1, STYLE_NORMAL, "%llu", (unsigned long long)pid.u64) + 1;
	x += text_put(&tc, x, -1, r->op_id == OP_READ ? STYLE_READ : STYLE_WRITE, r->op) + 1;
	text_put(&tc, x, -1, STYLE_NORMAL, r->disk);
	text_next(&tc);
	text_next(&tc);
	field_numbers(&tc, v->model, row, numbers, ARRAY_SIZE(numbers), SPAN_SUM);
	draw_frames(&tc, _("KERNEL"), r->kstack, r->kstack_id, STYLE_ACCENT1);
	draw_frames(&tc, _("PROGRAM"), r->ustack, r->ustack_id, STYLE_ACCENT2);
	return text_lines(&tc, top);
}

/* A rate or a sum with its name. Returns the column behind it. */
static int draw_bytes(struct canvas *c, int x, int y, enum style style, const char *name,
		      double bytes, const char *suffix)
{
	char number[24], text[32];

	unit_format(number, sizeof(number), UNIT_BYTES, bytes, &c->units);
	snprintf(text, sizeof(text), "%s%s", number, isnan(bytes) ? "" : suffix);
	x += canvas_text(c, x, y, -1, style, name) + 1;
	return x + canvas_text_right(c, x, y, 10, bytes > 0 ? style : STYLE_DIM, text) + 3;
}

/* Why some frames have no names; NULL: no reason is known. */
static const char *missing_reason(const struct model *m)
{
	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (SRC_STACKS & 1u << i && m->sources[i].state == SOURCE_PART)
			return m->sources[i].reason;
	return NULL;
}

/*
 * Rates at the disks, where a byte counts once; the number of paths, of those whose names are being
 * looked up, and why names are missing for good.
 */
static int header(struct canvas *c, int y, const struct model *m, enum span span)
{
	const char *reason = missing_reason(m);
	struct stack_totals totals = stack_totals(m);
	struct model_flows flows = model_flows(m, span);
	const char *suffix = span == SPAN_SUM ? "" : "/s";
	char text[96];
	int x = 1;

	x = draw_bytes(c, x, y, STYLE_READ, _("READ"), flows.disk_read, suffix);
	x = draw_bytes(c, x, y, STYLE_WRITE, _("WRITE"), flows.disk_write, suffix);
	if (m->have & SRC_STACKS) {
		snprintf(text, sizeof(text), ngettext("%zu path", "%zu paths", totals.active),
			 totals.active);
		x += canvas_text(c, x, y, -1, STYLE_NORMAL, text) + 3;
	}
	if (totals.unresolved) {
		snprintf(text, sizeof(text), _("%zu are being resolved …"), totals.unresolved);
		x += canvas_text(c, x, y, -1, STYLE_DIM, text) + 3;
	}
	if (reason)
		canvas_text(c, x, y, -1, STYLE_DIM, reason);
	return 1;
}

static const struct binding keys[] = {
	{ 'v', "v", N_("icicle"), N_("all paths as an icicle: what calls what, and how much"),
	  act_alternative },
	{ 'K', "K", NULL, N_("kernel stacks only, or both"), act_kernel_stacks },
	{ 'U', "U", NULL, N_("user stacks only, or both"), act_user_stacks },
	{ 0 },
};

const struct screen screen_stacks = {
	.name = "stacks",
	.title = N_("Stacks"),
	.help = N_("which path through the code does the I/O"),
	.entity = ENTITY_STACK,
	.columns = "disk,comm,op,ios,bytes,lat,path",
	.sort = "bytes",
	.group = GROUP_COMM,
	.needs = SRC_BLOCK | SRC_DISKS | SRC_SYSTEM,
	.header = header,
	.detail = detail,
	.keys = keys,
};
