// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/view.h"

#include <errno.h>
#include <string.h>

#include "base/i18n.h"
#include "base/message.h"
#include "base/nearest.h"
#include "data/layer/layertask.h"
#include "data/stack/offcpu.h"
#include "out/out.h"
#include "tui/screen.h"
#include "view/condition.h"

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

int options_when(const struct options *o, struct condition **ret, struct buf *why)
{
	struct err err = { "" };
	size_t place = 0;

	if (!condition_parse(o->when, ret, &place, &err))
		return 0;
	buf_printf(why, "%s%s", "--when: ", err.text);
	message_mark(why, o->when, place);
	return -EINVAL;
}

void options_select(const struct options *o, struct selection *ret)
{
	bool processes = o->group == GROUP_PROCESS && o->tgids.n;

	*ret = (struct selection){
		.pids = processes ? &o->tgids : o->pids.n ? &o->pids : NULL,
		.tgids = o->tgids.n ? &o->tgids : NULL,
		.uids = o->uids.n ? &o->uids : NULL,
		.users = o->users.n ? &o->users : NULL,
		.tid = (uint32_t)o->tid,
		.cgroup = o->cgroup_name,
	};
}

/*
 * --op of layers. fsync includes its parts: data, journal commits and the flush of the file system.
 */
static void select_op(uint32_t op, struct buf *out)
{
	buf_printf(out, op == LAYER_FSYNC ? " (op=%s" : " op=%s", layer_op_names[op]);
	if (op != LAYER_FSYNC)
		return;
	for (uint32_t part = LAYER_DATA; part <= LAYER_JOINED; part++)
		buf_printf(out, " or op=%s", layer_op_names[part]);
	buf_printf(out, " or (layer=%s op=%s))", layer_names[LAYER_FS],
		   layer_op_names[LAYER_FLUSH]);
}

int options_selection(const struct options *o, const struct entity *e, struct filter **ret,
		      struct buf *why)
{
	const char *op = entity_column(e, "op")           ? "op"
			 : entity_column(e, "request_op") ? "request_op"
							  : NULL;
	struct buf text = { 0 };
	int r = 0;

	if (op && o->io)
		buf_printf(&text, " %s=%s", op, o->io == 1 ? "read" : "write");
	if (layer_is_entity(e) && o->layer >= 0)
		buf_printf(&text, " layer=%s", layer_names[o->layer]);
	if (layer_is_entity(e) && o->op >= 0)
		select_op((uint32_t)o->op, &text);
	else if (op && o->op >= 0)
		buf_printf(&text, " %s=%s", op, layer_op_names[o->op]);
	for (const char *s = e == &entity_offcpu ? o->state : NULL; s && *s; s++)
		buf_printf(&text, "%s state=%c%s", s == o->state ? " (" : " or", *s,
			   s[1] ? "" : ")");
	if (text.len)
		r = parse_filter(text.data, e, ret, why);
	buf_release(&text);
	return r;
}

/*
 * The default columns of JSON and CSV: all that need no source beyond those of the screen's own
 * columns.
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

/* In text, a row of a group says which group it is. */
static int name_group(struct view_spec *spec, struct err *err)
{
	view_name_group(spec);
	return spec->group == GROUP_PROCESS && entity_column(spec->entity, "pid")
		       ? view_set_columns(spec, "+pid", err) : 0;
}

static int set_columns(const struct options *o, const struct screen *screen, struct view_spec *spec,
		       struct err *err)
{
	int r = view_set_columns(spec, screen->columns, err);

	if (!r && o->format != OUT_TEXT)
		full_columns(spec);
	if (!r && o->columns)
		r = view_set_columns(spec, o->columns, err);
	else if (!r && o->format == OUT_TEXT)
		r = name_group(spec, err);
	if (!r && o->full_command && o->format == OUT_TEXT)
		view_replace_column(spec, "comm", "command");
	return r;
}

static int set_group(const struct options *o, const struct screen *screen, struct view_spec *spec,
		     struct err *err)
{
	spec->group = o->group >= 0 ? (enum group_by)o->group : screen->group;
	/* By thread: as what has rows of threads, or is grouped by itself. */
	if (o->group == GROUP_NONE ? !screen->group && !entity_column(spec->entity, "tid")
				   : o->group > 0 && spec->group != screen->group &&
					     !(spec->entity->groups & 1u << o->group))
		return err_set(err, EINVAL, _("the screen %s cannot be grouped by %s"),
			       screen->name, group_names[o->group]);
	return 0;
}

static bool has_metrics(enum entity_id e)
{
	return e == ENTITY_TASK || e == ENTITY_DISK || e == ENTITY_LAYER || e == ENTITY_OFFCPU ||
	       e == ENTITY_FINDING;
}

static bool is_single(const struct options *o)
{
	return o->format == OUT_SVG || o->format == OUT_PPROF;
}

/* So many reports of it are asked for. */
static bool is_repeated(const struct options *o)
{
	return o->iterations > 1 && !o->summary;
}

/* Formats that not all screens have. */
static int check_format(const struct options *o, const struct screen *screen, struct buf *why)
{
	const struct entity *e = entities[screen->entity];

	if (o->format == OUT_PPROF && !out_has_pprof)
		buf_puts(why, _("--format=pprof: built without protobuf-c or zlib"));
	else if ((o->format == OUT_FOLDED || is_single(o)) && !e->steps)
		buf_printf(why, _("--format: the screen %s has no stacks; try --screen=stacks"),
			   screen->name);
	else if (o->format == OUT_OPENMETRICS && !has_metrics(screen->entity))
		buf_printf(why,
			   _("--format=openmetrics: the screen %s has no metrics; there are: "
			     "tasks, disks, layers, offcpu, why"),
			   screen->name);
	else if (o->format == OUT_HIST && screen->entity != ENTITY_DISK &&
		 screen->entity != ENTITY_LAYER)
		buf_printf(why,
			   _("--format=hist: the screen %s has no histograms; there are: "
			     "disks, layers"),
			   screen->name);
	else if (o->hist_by & 1u << OUT_HIST_ALL &&
		 o->hist_by & (1u << OUT_HIST_DISK | 1u << OUT_HIST_OP | OUT_HIST_OF_EVENTS))
		buf_puts(why, _("--hist-by=all is one histogram: not by anything else"));
	else if (o->hist_by & OUT_HIST_OF_EVENTS && o->span != SPAN_TICK)
		buf_puts(why, _("--hist-by=flag and task are of each report, not since the start"));
	else if (o->hist_by & OUT_HIST_OF_EVENTS && (o->filter || o->rows || o->sort))
		buf_printf(why, _("--hist-by=flag and task are of single requests: --%s does "
				  "nothing"),
			   o->filter ? "filter" : o->rows ? "rows" : "sort");
	else if (o->format == OUT_SVG && is_repeated(o))
		buf_puts(why, _("--format=svg is one picture: -d says over how many seconds"));
	else if (o->format == OUT_PPROF && is_repeated(o))
		buf_puts(why, _("--format=pprof is one profile: -d says over how many seconds"));
	else
		return 0;
	return -EINVAL;
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
			.rows = o->rows,
		},
	};
	struct err err = { "" };

	if (check_format(o, screen, why) < 0)
		return -EINVAL;
	/* Stacks and files appear and disappear all the time: reports list those with I/O. */
	if (o->batch && (v.spec.entity->steps || screen->entity == ENTITY_FILE))
		v.spec.only_active = true;
	if (set_group(o, screen, &v.spec, &err) < 0 ||
	    set_columns(o, screen, &v.spec, &err) < 0 ||
	    view_set_sort(&v.spec, o->sort ? o->sort : screen->sort, &err) < 0) {
		buf_puts(why, err.text);
		return -EINVAL;
	}
	if (options_selection(o, v.spec.entity, &v.selection, why) < 0 ||
	    (o->filter && *o->filter &&
	     parse_filter(o->filter, v.spec.entity, &v.filter, why) < 0)) {
		options_view_release(&v);
		return -EINVAL;
	}
	v.spec.selection = v.selection;
	v.spec.filter = v.filter;
	v.page = o->format == OUT_TEXT && !o->columns && screen->entity == ENTITY_FINDING;
	v.classic = o->format == OUT_TEXT && !o->columns && screen->classic &&
		    v.spec.group <= GROUP_PROCESS;
	if (o->compare) {
		view_compare(&v.spec);
		v.classic = false;
	}
	*ret = v;
	return 0;
}

void options_view_release(struct options_view *v)
{
	filter_free(v->filter);
	filter_free(v->selection);
	*v = (struct options_view){ 0 };
}
