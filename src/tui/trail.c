// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/trail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static void drop_first(struct trail *t)
{
	free(t->steps[0].filter);
	t->n--;
	memmove(&t->steps[0], &t->steps[1], t->n * sizeof(t->steps[0]));
}

void trail_add(struct trail *t, unsigned from, unsigned to, const struct tab *tab,
	       const char *title)
{
	struct trail_step *step;

	if (t->n == TRAIL_STEPS)
		drop_first(t);
	step = &t->steps[t->n++];
	*step = (struct trail_step){
		.from = from,
		.to = to,
		.group = tab->spec.group,
		.detail = tab->detail,
		.pinned = tab->pinned,
		.cursor = tab->cursor,
		.filter = tab->filter ? mem_strdup(filter_text(tab->filter)) : NULL,
	};
	snprintf(step->title, sizeof(step->title), "%s", title);
	utf8_trim(step->title);
}

struct trail_step *trail_last(struct trail *t)
{
	return t->n ? &t->steps[t->n - 1] : NULL;
}

void trail_undo(struct trail *t, struct tab *tab)
{
	struct trail_step *step = &t->steps[--t->n];

	if (tab->spec.group != step->group)
		tab_set_group(tab, step->group);
	tab_set_filter(tab, step->filter ? step->filter : "", NULL, NULL);
	tab->detail = tab->pinned = false;
	if (step->from == step->to) {
		tab->detail = step->detail;
		tab->pinned = step->pinned;
		tab->cursor = step->cursor;
	}
	free(step->filter);
}

void trail_clear(struct trail *t)
{
	while (t->n)
		drop_first(t);
}
