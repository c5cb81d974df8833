// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks: which path through the code does the I/O. */
#include <stdio.h>

#include "base/i18n.h"
#include "data/model.h"
#include "data/stack/stack.h"
#include "tui/binding.h"
#include "tui/draw/fields.h"
#include "tui/draw/text_cursor.h"
#include "tui/screen.h"
#include "view/view.h"

#define SIDE 58		/* columns of each stack, at least */

/* Innermost first: a function stands above its caller. */
static void draw_frames(struct text_cursor *tc, const char *title, const struct frames *f,
			uint64_t id, enum style style)
{
	text_section(tc);
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

/* The kernel's frames are above the program's, or beside them. */
static void draw_stacks(struct text_cursor *tc, const void *arg)
{
	const struct stack_row *r = arg;

	draw_frames(tc, _("KERNEL"), r->kstack, r->kstack_id, STYLE_ACCENT1);
	draw_frames(tc, _("PROGRAM"), r->ustack, r->ustack_id, STYLE_ACCENT2);
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
	text_columns(&tc, SIDE, draw_stacks, r);
	return text_lines(&tc, top);
}

/* Why some frames have no names; NULL: no reason is known. */
static const char *missing_reason(const struct model *m)
{
	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (SRC_STACKS & 1u << i && m->sources[i].state == SOURCE_PART)
			return m->sources[i].reason;
	return NULL;
}

/* The number of paths, of those whose names are being looked up, and why some have none. */
static int header(struct canvas *c, int y, const struct model *m, _unused_ enum span span)
{
	const char *reason = missing_reason(m);
	struct stack_totals totals = stack_totals(m);
	char text[96];
	int x = 1;

	if (!(m->have & SRC_STACKS))
		return 0;
	snprintf(text, sizeof(text), ngettext("%zu path", "%zu paths", totals.active),
		 totals.active);
	x += canvas_text(c, x, y, -1, STYLE_NORMAL, text) + 3;
	if (totals.unresolved) {
		snprintf(text, sizeof(text),
			 ngettext("%zu is being resolved …", "%zu are being resolved …",
				  totals.unresolved),
			 totals.unresolved);
		x += canvas_text(c, x, y, -1, STYLE_DIM, text) + 3;
	}
	if (reason)
		canvas_text_cut(c, x, y, -1, STYLE_DIM, _(reason));
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
	.tab = NC_("tab", "Stacks"),
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
