// SPDX-License-Identifier: GPL-2.0-or-later
/* From options to a view of a screen, and the texts that list the options. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/message.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "data/layer/layer.h"
#include "options/table.h"
#include "out/list.h"
#include "tui/screen.h"

const struct screen *options_screen(const char *name, struct buf *why)
{
	struct nearest near = { .word = name ? name : "" };
	size_t from = why->len;

	for (unsigned i = 0; screens[i]; i++) {
		if (!name || !strcmp(screens[i]->name, name))
			return screens[i];
		nearest_offer(&near, screens[i]->name);
	}
	buf_printf(why, "%s%s", _("there is no screen "), near.word);
	if (near.best)
		buf_printf(why, _("; did you mean %s?"), near.best);
	else
		buf_puts(why, _("; --list-screens lists them"));
	message_tidy(why, from);
	return NULL;
}

static int parse_filter(const char *text, const struct entity *e, struct filter **ret,
			struct buf *why)
{
	struct err err = { "" };
	size_t place = 0;

	if (!filter_parse(text, e, ret, &place, &err))
		return 0;
	buf_printf(why, "%s%s", _("filter: "), err.text);
	message_mark(why, text, place);
	return -EINVAL;
}

static void quote(struct buf *out, const char *word)
{
	buf_putc(out, '"');
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *word);
	}
	buf_putc(out, '"');
}

/* "(pid=1 or tid=1 or …)"; of processes all threads count where it is known whose they are. */
static void only_pids(const struct options *o, const struct entity *e, struct buf *out)
{
	bool whole = o->group == GROUP_PROCESS && o->tgids,
	     threads = !whole && entity_column(e, "tid");
	const uint32_t *pids = whole ? o->tgids : o->pids;

	for (size_t i = 0; i < o->npids; i++) {
		buf_printf(out, "%spid=%u", i ? " or " : "(", pids[i]);
		if (threads)
			buf_printf(out, " or tid=%u", pids[i]);
	}
	buf_putc(out, ')');
}

static void only_users(const struct options *o, const struct entity *e, struct buf *out)
{
	uint32_t uid;

	for (size_t i = 0; i < o->nusers; i++) {
		buf_puts(out, i ? " or " : " (");
		if (!parse_u32(o->users[i], &uid) && entity_column(e, "uid")) {
			buf_printf(out, "uid=%u", uid);
		} else {
			buf_puts(out, "user=");
			quote(out, o->users[i]);
		}
	}
	buf_putc(out, ')');
}

/* An fsync with what it is made of. */
static void only_op(uint32_t op, struct buf *out)
{
	buf_printf(out, op == LAYER_FSYNC ? " (op=%s" : " op=%s", layer_op_names[op]);
	if (op != LAYER_FSYNC)
		return;
	for (uint32_t part = LAYER_DATA; part <= LAYER_JOINED; part++)
		buf_printf(out, " or op=%s", layer_op_names[part]);
	buf_printf(out, " or (layer=%s op=%s))", layer_names[LAYER_FS],
		   layer_op_names[LAYER_FLUSH]);
}

int options_only(const struct options *o, const struct entity *e, struct filter **ret,
		 struct buf *why)
{
	bool io = o->io && entity_column(e, "op");
	struct buf text = { 0 };
	int r = 0;

	if (o->npids && entity_column(e, "pid"))
		only_pids(o, e, &text);
	if (o->nusers && entity_column(e, "user"))
		only_users(o, e, &text);
	if (io && e->steps)
		buf_printf(&text, " op=%s", o->io == 1 ? "read" : "write");
	if (e == &entity_layer && o->layer >= 0)
		buf_printf(&text, " layer=%s", layer_names[o->layer]);
	if (e == &entity_layer && o->op >= 0)
		only_op((uint32_t)o->op, &text);
	if (text.len)
		r = parse_filter(text.data, e, ret, why);
	buf_release(&text);
	return r;
}

/*
 * What programs get unless told otherwise: every column that costs no source beyond those of the
 * screen's own columns.
 */
static void full_columns(struct view_spec *spec)
{
	unsigned needs = view_needs(spec);

	spec->ncolumns = 0;
	entity_each_column(spec->entity, col)
		if (!(col->flags & COL_GRAPH) && !(col->needs & ~needs) &&
		    (!col->either || col->either & needs) && spec->ncolumns < VIEW_COLUMNS_MAX)
			spec->columns[spec->ncolumns++] = col;
}

/* Command lines in place of names, for people: the keys that programs read are those asked for. */
static void full_commands(struct view_spec *spec)
{
	const struct column *comm = entity_column(spec->entity, "comm"),
			    *command = entity_column(spec->entity, "command");
	const struct column **name = NULL;

	for (unsigned i = 0; i < spec->ncolumns; i++) {
		if (spec->columns[i] == command)
			return;
		if (spec->columns[i] == comm)
			name = &spec->columns[i];
	}
	if (name && command)
		*name = command;
}

static int set_columns(const struct options *o, const struct screen *screen, struct view_spec *spec,
		       struct err *err)
{
	int r = view_set_columns(spec, screen->columns, err);

	if (!r && o->format != OUT_TEXT)
		full_columns(spec);
	if (!r && o->columns)
		r = view_set_columns(spec, o->columns, err);
	if (!r && o->full_command && o->format == OUT_TEXT)
		full_commands(spec);
	return r;
}

static int set_group(const struct options *o, const struct screen *screen, struct view_spec *spec,
		     struct err *err)
{
	spec->group = o->group >= 0 ? (enum group_by)o->group : screen->group;
	if (o->group > 0 && spec->group != screen->group &&
	    !(spec->entity->groups & 1u << o->group))
		return err_set(err, EINVAL, _("the screen %s cannot be grouped by %s"),
			       screen->name, group_names[o->group]);
	return 0;
}

int options_view(const struct options *o, const struct screen *chosen, struct options_view *ret,
		 struct buf *why)
{
	const struct screen *screen =
		o->group >= 0 ? screen_grouped(chosen, (enum group_by)o->group) : chosen;
	struct options_view v = {
		.spec = {
			.entity = entities[screen->entity],
			.entity_id = screen->entity,
			.only_active = o->only_active,
			.hide_ended = o->hide_ended,
			.span = (enum span)o->span,
			.limit = o->rows,
		},
	};
	struct err err = { "" };

	if ((o->format == OUT_FOLDED || o->format == OUT_SVG) && !v.spec.entity->steps) {
		buf_printf(why, _("--format: the screen %s has no stacks; try --screen=stacks"),
			   screen->name);
		return -EINVAL;
	}
	if (o->format == OUT_SVG && o->iterations > 1) {
		buf_puts(why, _("--format=svg is one picture: -d says over how many seconds"));
		return -EINVAL;
	}
	/* Paths come and go: reports are of those with I/O. */
	if (o->batch && v.spec.entity->steps)
		v.spec.only_active = true;
	if (set_columns(o, screen, &v.spec, &err) < 0 ||
	    view_set_sort(&v.spec, o->sort ? o->sort : screen->sort, &err) < 0 ||
	    set_group(o, screen, &v.spec, &err) < 0) {
		buf_puts(why, err.text);
		return -EINVAL;
	}
	if (options_only(o, v.spec.entity, &v.only, why) < 0 ||
	    (o->filter && *o->filter &&
	     parse_filter(o->filter, v.spec.entity, &v.filter, why) < 0)) {
		options_view_release(&v);
		return -EINVAL;
	}
	v.spec.only = v.only;
	v.spec.filter = v.filter;
	v.classic = o->format == OUT_TEXT && !o->columns && screen->classic &&
		    v.spec.group <= GROUP_PROCESS;
	*ret = v;
	return 0;
}

void options_view_release(struct options_view *v)
{
	filter_free(v->filter);
	filter_free(v->only);
	*v = (struct options_view){ 0 };
}

/* "-n, --iter=NUM" */
static const char *help_name(struct arena *a, const struct option_info *info)
{
	char letter[8] = "    ";
	const char *arg = info->arg ? info->arg : "";

	if (info->letter)
		snprintf(letter, sizeof(letter), "-%c, ", info->letter);
	if (*arg == '[')
		return arena_printf(a, "%s--%s[=%s", letter, info->name, arg + 1);
	return arena_printf(a, "%s--%s%s%s", letter, info->name, *arg ? "=" : "", arg);
}

void options_help(struct buf *out)
{
	buf_puts(out, _("Usage: iotop [OPTION]... [SECONDS [REPORTS]]\n"
			"Who is doing disk I/O, to which disk, and why it is slow.\n"));
	for (int g = 0; g < HELP_GROUPS; g++) {
		struct list_item items[64];
		struct arena a;
		size_t n = 0;

		arena_init(&a);
		for (unsigned i = 0; i < option_count && n < ARRAY_SIZE(items); i++)
			if ((int)option_table[i].group == g && option_available(&option_table[i]))
				items[n++] = (struct list_item){ help_name(&a, &option_table[i]),
								 option_table[i].help };
		if (n) {
			buf_printf(out, "\n%s:\n", _(help_group_titles[g]));
			list_print(out, items, n, 2);
		}
		arena_release(&a);
	}
}
