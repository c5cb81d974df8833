/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From options to the view of a screen. */
#ifndef IOTOP_OPTIONS_VIEW_H
#define IOTOP_OPTIONS_VIEW_H

#include "base/buf.h"
#include "options/options.h"
#include "data/selection.h"
#include "view/view.h"

struct screen;

/* The chosen screen, or the first; NULL and one line in why when there is none of that name. */
const struct screen *options_screen(const char *name, struct buf *why);

/* The view that the options describe on a screen. Owns its filters. */
struct options_view {
	struct view_spec spec;
	struct filter *filter, *selection;
	bool classic;		/* text as the classic iotop prints it */
	bool page;		/* text as a page of findings */
};

/* 0, or -EINVAL and in why what is wrong: one line, for a filter two more with the place marked. */
int options_view(const struct options *o, const struct screen *screen, struct options_view *ret,
		 struct buf *why);
void options_view_release(struct options_view *v);

/* The condition of --when, which was given; otherwise as options_view(). */
struct condition;
int options_when(const struct options *o, struct condition **ret, struct buf *why);
/* What --pid, --tid, --user and --cgroup select; borrows from o. */
void options_select(const struct options *o, struct selection *ret);
/*
 * The filter of an entity's rows that --io, --layer, --op and --state make. It applies before
 * rows are grouped: a group holds selected members only. *ret is NULL when none of them was given;
 * filter_free() by the caller.
 */
int options_selection(const struct options *o, const struct entity *e, struct filter **ret,
		      struct buf *why);

#endif
