// SPDX-License-Identifier: GPL-2.0-or-later
/* What one tab remembers. Nothing here knows of the app, of keys or of what is drawn. */
#include "tui/tab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/task/task.h"

/* A row of the tree that was folded or unfolded by key. */
struct fold_key {
	uint64_t key;
	bool folded;
};

static bool is_folded(const void *arg, const struct row *row)
{
	const struct tab *tab = arg;
	const struct fold_key *key = hash_get(&tab->folded, &row->key);

	return key ? key->folded : (row->flags & ROW_FOLDED) != 0;
}

static bool never_keep(void *value, void *arg)
{
	return false;
}

static void drop_fold(void *value, void *arg)
{
	free(value);
}

int tab_init(struct tab *tab, const struct screen *screen, const struct app_options *opt,
	     struct err *err)
{
	tab->home = screen;
	hash_init(&tab->folded, offsetof(struct fold_key, key), sizeof(uint64_t));
	tab->spec = (struct view_spec){
		.only_active = opt->only_active,
		.hide_ended = opt->hide_ended,
		.hide_idle = opt->hide_idle && screen->all_there,
		.tree = screen->tree,
		.group = screen->group,
		.span = opt->span,
		.rows = opt->rows,
		.folded = is_folded,
		.folded_arg = tab,
	};
	tab->make_selection = opt->selection;
	tab->selection_arg = opt->selection_arg;
	return tab_show(tab, screen, err);
}

void tab_release(struct tab *tab)
{
	filter_free(tab->filter);
	filter_free(tab->search);
	filter_free(tab->selection);
	filter_free(tab->everywhere);
	hash_filter(&tab->folded, never_keep, drop_fold, NULL);
	if (tab->icicle)
		icicle_release(tab->icicle);
	free(tab->icicle);
	hash_release(&tab->folded);
}

static struct tab_look *look_of(struct tab *tab)
{
	return &tab->looks[tab->screen != tab->home];
}

static void keep_look(struct tab *tab)
{
	struct tab_look *look = look_of(tab);

	memcpy(look->columns, tab->spec.columns, sizeof(look->columns));
	look->ncolumns = tab->spec.ncolumns;
	look->sort = tab->spec.sort;
	look->descending = tab->spec.descending;
}

/* False: it was not shown before. */
static bool take_look(struct tab *tab)
{
	const struct tab_look *look = look_of(tab);

	if (!look->ncolumns)
		return false;
	memcpy(tab->spec.columns, look->columns, sizeof(look->columns));
	tab->spec.ncolumns = look->ncolumns;
	tab->spec.sort = look->sort;
	tab->spec.descending = look->descending;
	return true;
}

int tab_show(struct tab *tab, const struct screen *screen, struct err *err)
{
	int r;

	if (tab->screen)
		keep_look(tab);
	tab->screen = screen;
	tab->spec.entity = entities[screen->entity];
	tab->spec.entity_id = screen->entity;
	tab->spec.ncolumns = 0;
	tab->detail = tab->pinned = false;
	tab->lines = 0;
	tab->nmarked = 0;
	/* The filters name columns of the entity that was shown before. */
	filter_free(tab->selection);
	tab->selection = tab->make_selection
				 ? tab->make_selection(tab->selection_arg, tab->spec.entity)
				 : NULL;
	tab->spec.selection = tab->selection;
	filter_free(tab->filter);
	filter_free(tab->search);
	tab->filter = tab->search = NULL;
	tab->spec.filter = NULL;
	if (take_look(tab))
		return 0;
	r = view_set_columns(&tab->spec, screen->columns, err);
	return r ? r : view_set_sort(&tab->spec, screen->sort, err);
}

bool tab_can_group(const struct tab *tab, enum group_by group)
{
	return entities[tab->home->entity]->groups & 1u << group ||
	       screen_grouped(tab->home, group) != tab->home;
}

void tab_set_group(struct tab *tab, enum group_by group)
{
	const struct screen *screen = screen_grouped(tab->home, group);

	tab->spec.group = group;
	if (screen != tab->screen)
		tab_show(tab, screen, NULL);
	view_name_group(&tab->spec);
}

bool tab_has_tree(const struct tab *tab)
{
	return tab->spec.entity->hangs && tab->spec.group <= GROUP_PROCESS;
}

/* *to becomes the filter of a text, NULL of an empty one; an error leaves it as it is. */
static int parse_into(const struct tab *tab, const char *text, struct filter **to,
		      size_t *ret_place, struct err *err)
{
	_cleanup_(mem_freep) char *trimmed = mem_strdup(text);
	struct filter *filter = NULL;
	size_t len = strlen(trimmed);
	int r = 0;

	while (len && trimmed[len - 1] == ' ')
		trimmed[--len] = 0;
	if (len)
		r = filter_parse(trimmed, tab->spec.entity, &filter, ret_place, err);
	if (r)
		return r;
	filter_free(*to);
	*to = filter;
	return 0;
}

int tab_set_filter(struct tab *tab, const char *text, size_t *ret_place, struct err *err)
{
	int r = parse_into(tab, text, &tab->filter, ret_place, err);

	tab->spec.filter = tab->filter;
	return r;
}

int tab_set_search(struct tab *tab, const char *text, size_t *ret_place, struct err *err)
{
	return parse_into(tab, text, &tab->search, ret_place, err);
}

bool tab_is_marked(const struct tab *tab, uint64_t row)
{
	for (unsigned i = 0; i < tab->nmarked; i++)
		if (tab->marked[i] == row)
			return true;
	return false;
}

bool tab_mark(struct tab *tab, uint64_t row, bool on)
{
	unsigned n = 0;

	for (unsigned i = 0; i < tab->nmarked; i++)
		if (tab->marked[i] != row)
			tab->marked[n++] = tab->marked[i];
	tab->nmarked = n;
	if (!on)
		return true;
	if (n == TAB_MARKS)
		return false;
	tab->marked[tab->nmarked++] = row;
	return true;
}

void tab_set_everywhere(struct tab *tab, const char *text, unsigned serial)
{
	size_t place;

	if (tab->everywhere_serial == serial && tab->everywhere_of == tab->spec.entity)
		return;
	tab->everywhere_serial = serial;
	tab->everywhere_of = tab->spec.entity;
	filter_free(tab->everywhere);
	tab->everywhere = NULL;
	parse_into(tab, text, &tab->everywhere, &place, NULL);
	tab->spec.everywhere = tab->everywhere;
}

void tab_set_folded(struct tab *tab, uint64_t row, bool folded)
{
	struct fold_key *key = hash_get(&tab->folded, &row);

	if (!key) {
		key = mem_alloc(sizeof(*key));
		key->key = row;
		hash_put(&tab->folded, key);
	}
	key->folded = folded;
}

bool tab_is_log(const struct tab *tab)
{
	return tab->screen->log && !tab->spec.descending && tab->spec.sort &&
	       tab->spec.sort->unit == UNIT_CLOCK;
}

bool tab_has_icicle(const struct tab *tab)
{
	return tab->spec.entity->steps && !tab->screen->alternative;
}

bool tab_is_icicle(const struct tab *tab)
{
	return tab->alternative && tab->icicle && tab_has_icicle(tab);
}

void tab_open_icicle(struct tab *tab)
{
	if (tab->icicle)
		return;
	tab->icicle = mem_alloc(sizeof(*tab->icicle));
	icicle_init(tab->icicle);
}

void tab_build_icicle(struct tab *tab, const struct view *v)
{
	tab_open_icicle(tab);
	if (!tab->icicle_built)
		icicle_build(tab->icicle, v);
	tab->icicle_built = true;
}

void tab_title(const struct tab *tab, char *out, size_t size, const struct row *row)
{
	const struct task_row *task = (const struct task_row *)row;

	if (row->entity == &entity_task && tab->spec.group <= GROUP_PROCESS && task->tid)
		snprintf(out, size, "%s %llu", row->name, (unsigned long long)task->tid);
	else
		snprintf(out, size, "%s", row->name ? row->name : "");
	utf8_trim(out);
}
