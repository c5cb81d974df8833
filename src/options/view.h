/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From options to the view of a screen. */
#ifndef IOTOP_OPTIONS_VIEW_H
#define IOTOP_OPTIONS_VIEW_H

#include "base/buf.h"
#include "options/options.h"
#include "view/view.h"

struct screen;

/* The chosen screen, or the first; NULL and one line in why when there is none of that name. */
const struct screen *options_screen(const char *name, struct buf *why);

/* The view that the options describe on a screen. Owns its filters. */
struct options_view {
	struct view_spec spec;
	struct filter *filter, *only;
	bool classic;		/* the layout that scripts know from other programs of this name */
};

/* 0, or -EINVAL and in why what is wrong: one line, for a filter two more with the place marked. */
int options_view(const struct options *o, const struct screen *screen, struct options_view *ret,
		 struct buf *why);
void options_view_release(struct options_view *v);

/*
 * --pid and --user as a filter of an entity's rows before they fold, so that a group holds what was
 * asked for and no more. *ret stays as it is when nothing was asked for; filter_free() by the
 * caller.
 */
int options_only(const struct options *o, const struct entity *e, struct filter **ret,
		 struct buf *why);

#endif
