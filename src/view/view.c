// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/view.h"

#include <errno.h>
#include <string.h>

#include "base/i18n.h"
#include "base/nearest.h"
#include "data/compare.h"
#include "view/arrange.h"

#define RECENT 10	/* intervals without activity after which a row is idle */
#define RECENT_ENDED 3	/* the same of one that ended: it will never do anything again */

void view_init(struct view *v)
{
	*v = (struct view){ 0 };
	arena_init(&v->arena);
}

void view_release(struct view *v)
{
	arena_release(&v->arena);
	*v = (struct view){ 0 };
}

static bool column_active(struct view *v, const struct model *m, const struct column *col,
			  const struct row *row)
{
	enum span span = v->spec->span;
	struct value value;
	double d;

	if (col->needs & ~row->have || (col->either && !(col->either & row->have)))
		return false;
	/*
	 * The counter itself: no division where only zero or not is asked, and this is asked for
	 * every idle row.
	 */
	if (!col->get && col->flags & (COL_RATE | COL_PERCENT | COL_COUNTER)) {
		const char *counters = row_counters(row, span);

		return counters && *(const uint64_t *)(counters + col->off);
	}
	value = column_value(col, row, m, span, &v->arena);
	return value_number(&value, &d) && d != 0;
}

/* The columns that make a row active: asked of every row, so they are looked for once. */
struct activity {
	const struct column *columns[8];
	size_t n;
};

static struct activity activity_of(const struct entity *e)
{
	struct activity a = { .n = 0 };

	entity_each_column(e, col)
		if (col->flags & COL_ACTIVITY && a.n < ARRAY_SIZE(a.columns))
			a.columns[a.n++] = col;
	return a;
}

static bool row_active(struct view *v, const struct row *row, const struct activity *a)
{
	const struct model *before = v->model->before;

	/* Nearly all of ten thousand tasks are. */
	if (row_is_still(row, v->spec->span) && !before)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (column_active(v, v->model, a->columns[i], row) ||
		    (before && row->before &&
		     column_active(v, before, a->columns[i], row->before)))
			return true;
	return false;
}

/* In one of the last intervals: what comes and goes each second is not to make the list jump. */
static bool row_was_active(const struct row *row)
{
	unsigned recent = row->flags & ROW_ENDED ? RECENT_ENDED : RECENT;
	const struct history *h = row->history;

	for (unsigned i = h && h->n > recent ? h->n - recent : 0; h && i < h->n; i++)
		if (h->read[i] > 0 || h->write[i] > 0)
			return true;
	return false;
}

static bool row_is_urgent(const struct row *row, enum span span)
{
	return !row_is_still(row, span) && row->entity->urgency &&
	       row->entity->urgency(row, span);
}

static bool row_is_idle(struct view *v, const struct row *row, const struct activity *a)
{
	const struct view_spec *spec = v->spec;

	return spec->hide_idle && !spec->filter && !spec->everywhere && !spec->selection &&
	       !v->model->selection && !row_was_active(row) && !row_active(v, row, a) &&
	       !row_is_urgent(row, spec->span);
}

static bool row_wanted(struct view *v, const struct row *row, const struct activity *a)
{
	const struct view_spec *spec = v->spec;
	bool quiet = row->flags & ROW_QUIET || (row->flags & ROW_UNASKED && !spec->filter);

	if (spec->hide_ended && row->flags & ROW_ENDED)
		return false;
	if ((spec->only_active || quiet) && !row_active(v, row, a)) {
		v->quiet += quiet;
		return false;
	}
	if (row_is_idle(v, row, a)) {
		v->idle++;
		return false;
	}
	return (!spec->filter ||
		filter_match(spec->filter, row, v->model, spec->span, &v->budget)) &&
	       (!spec->everywhere ||
		filter_match(spec->everywhere, row, v->model, spec->span, &v->budget));
}

/* The rows of selected tasks, and of these what the selection of the view lets through. */
static struct row_list rows_selected(struct view *v, const struct row_list *all)
{
	struct row_list out = { .rows = arena_new(&v->arena, const struct row *, all->n),
				.cap = all->n };

	for (size_t i = 0; i < all->n; i++)
		if (!(all->rows[i]->flags & ROW_UNSELECTED) &&
		    (!v->spec->selection || filter_match(v->spec->selection, all->rows[i], v->model,
							 v->spec->span, &v->budget)))
			out.rows[out.n++] = all->rows[i];
	return out;
}

void view_build(struct view *v, const struct model *m, const struct view_spec *spec)
{
	const struct activity activity = activity_of(spec->entity);
	struct row_list all = m->rows[spec->entity_id];
	const struct row **rows;
	size_t n = 0;

	arena_reset(&v->arena);
	v->spec = spec;
	v->model = m;
	v->budget = (struct filter_budget){ .left = FILTER_TIME, .texts = &v->arena };
	if (spec->selection || m->selection)
		all = rows_selected(v, &all);
	if (spec->group != GROUP_NONE && spec->entity->groups & 1u << spec->group)
		all = view_fold(v, &all);
	v->all = all;
	v->total = all.n;
	v->idle = v->quiet = 0;
	rows = arena_new(&v->arena, const struct row *, all.n);
	for (size_t i = 0; i < all.n; i++)
		if (row_wanted(v, all.rows[i], &activity))
			rows[n++] = all.rows[i];
	v->n = spec->rows && !spec->tree ? MIN(n, spec->rows) : n;
	view_sort(v, rows, NULL, n, v->n);
	v->rows = arena_new(&v->arena, struct view_row, n);
	for (size_t i = 0; i < v->n; i++)
		v->rows[i].row = rows[i];
	if (spec->tree)
		view_tree(v, rows, n);
	if (spec->rows && v->n > spec->rows)
		v->n = spec->rows;
}

const struct row *view_any(const struct view *v, uint64_t key)
{
	for (size_t i = 0; i < v->all.n; i++)
		if (v->all.rows[i]->key == key)
			return v->all.rows[i];
	return NULL;
}

long view_find(const struct view *v, uint64_t key)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->rows[i].row->key == key)
			return (long)i;
	return -1;
}

struct value view_value(const struct view *v, size_t row, const struct column *col,
			struct arena *texts)
{
	return column_value(col, v->rows[row].row, v->model, v->spec->span, texts);
}

static unsigned filters_need(const struct view_spec *spec)
{
	return filter_needs(spec->filter) | filter_needs(spec->everywhere) |
	       filter_needs(spec->selection);
}

unsigned view_selects(const struct view_spec *spec)
{
	unsigned needs = filters_need(spec);

	return spec->sort ? needs | spec->sort->needs | spec->sort->either : needs;
}

unsigned view_needs(const struct view_spec *spec)
{
	unsigned needs =
		spec->entity->needs | filters_need(spec);

	for (unsigned i = 0; i < spec->ncolumns; i++)
		needs |= spec->columns[i]->needs | spec->columns[i]->either;
	if (spec->sort)
		needs |= spec->sort->needs | spec->sort->either;
	/*
	 * Whether a row is active is asked of columns that need not be shown; of those that are
	 * hidden at first it counts where their source is on for something else.
	 */
	entity_each_column(spec->entity, col)
		if (spec->only_active && col->flags & COL_ACTIVITY && !(col->flags & COL_HIDDEN))
			needs |= col->needs | col->either;
	return needs;
}

/* The column called by the n bytes at key. */
static const struct column *find_column(const struct entity *e, const char *key, size_t n,
					struct err *err)
{
	char name[64];
	struct nearest near = { .word = name };
	const struct column *col;

	if (n >= sizeof(name))
		n = sizeof(name) - 1;
	memcpy(name, key, n);
	name[n] = '\0';
	col = entity_column(e, name);
	if (col)
		return col;
	entity_each_column(e, other)
		nearest_offer(&near, other->key);
	if (near.best)
		err_set(err, EINVAL, _("no column \"%s\"; did you mean \"%s\"?"), name, near.best);
	else
		err_set(err, EINVAL, _("no column \"%s\"; --list-columns lists them"), name);
	return NULL;
}

static unsigned spec_index(const struct view_spec *spec, const struct column *col)
{
	unsigned i = 0;

	while (i < spec->ncolumns && spec->columns[i] != col)
		i++;
	return i;
}

static void spec_remove(struct view_spec *spec, const struct column *col)
{
	unsigned i = spec_index(spec, col);

	if (i == spec->ncolumns)
		return;
	memmove(&spec->columns[i], &spec->columns[i + 1],
		(spec->ncolumns - i - 1) * sizeof(*spec->columns));
	spec->ncolumns--;
}

/* At the end, or before the growing column that ends the table. */
static int spec_add(struct view_spec *spec, const struct column *col, bool change, struct err *err)
{
	unsigned i = spec->ncolumns;

	if (spec_index(spec, col) < spec->ncolumns)
		return 0;
	if (i == VIEW_COLUMNS_MAX)
		return err_set(err, EINVAL, _("more than %d columns"), VIEW_COLUMNS_MAX);
	if (change && i && spec->columns[i - 1]->flags & COL_GROW) {
		spec->columns[i] = spec->columns[i - 1];
		i--;
	}
	spec->columns[i] = col;
	spec->ncolumns++;
	return 0;
}

int view_set_columns(struct view_spec *spec, const char *list, struct err *err)
{
	struct view_spec next = *spec;
	bool change = *list == '+' || *list == '-';

	if (!change)
		next.ncolumns = 0;
	for (const char *p = list; *p;) {
		size_t n = strcspn(p, ",");
		bool remove = *p == '-';
		size_t sign = *p == '+' || *p == '-';
		const struct column *col = find_column(spec->entity, p + sign, n - sign, err);

		if (!col)
			return -EINVAL;
		if (remove)
			spec_remove(&next, col);
		else if (spec_add(&next, col, change, err) < 0)
			return -EINVAL;
		p += n;
		if (*p == ',')
			p++;
	}
	if (!next.ncolumns)
		return err_set(err, EINVAL, _("no column is left"));
	*spec = next;
	return 0;
}

void view_compare(struct view_spec *spec)
{
	const struct entity *e = spec->entity;
	const struct view_spec old = *spec;
	const struct column *more;

	spec->ncolumns = 0;
	spec_add(spec, compare_column(e, NULL, COMPARED_WHEN), false, NULL);
	for (unsigned i = 0; i < old.ncolumns; i++) {
		spec_add(spec, old.columns[i], false, NULL);
		for (enum compared c = COMPARED_DIFFERENCE; c <= COMPARED_RATIO; c++) {
			more = compare_column(e, old.columns[i], c);
			if (more)
				spec_add(spec, more, false, NULL);
		}
	}
	more = old.sort ? compare_column(e, old.sort, COMPARED_DIFFERENCE) : NULL;
	if (more)
		spec->sort = more;
}

bool view_replace_column(struct view_spec *spec, const char *from, const char *to)
{
	const struct column *old = entity_column(spec->entity, from),
			    *new = entity_column(spec->entity, to);
	unsigned at = old ? spec_index(spec, old) : spec->ncolumns;

	if (!new || at == spec->ncolumns || spec_index(spec, new) < spec->ncolumns)
		return false;
	spec->columns[at] = new;
	if (spec->sort == old)
		spec->sort = new;
	return true;
}

void view_name_group(struct view_spec *spec)
{
	static const char *const names[] = { "tid", "pid", "members" };
	unsigned name = MIN((unsigned)spec->group, ARRAY_SIZE(names) - 1);

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		if (i != name)
			view_replace_column(spec, names[i], names[name]);
	if (spec->group == GROUP_CGROUP)
		view_replace_column(spec, "user", "cgroup");
	else
		view_replace_column(spec, "cgroup", "user");
}

int view_set_sort(struct view_spec *spec, const char *key, struct err *err)
{
	size_t n = strcspn(key, ":");
	const struct column *col = find_column(spec->entity, key, n, err);
	bool descending;

	if (!col)
		return -EINVAL;
	if (col->flags & COL_GRAPH)
		return err_set(err, EINVAL, _("\"%s\" has no order to sort by"), col->key);
	descending = col->kind != VAL_STR;
	if (!strcmp(key + n, ":asc"))
		descending = false;
	else if (!strcmp(key + n, ":desc"))
		descending = true;
	else if (key[n])
		return err_set(err, EINVAL, _("sort direction \"%s\" is neither asc nor desc"),
			       key + n + 1);
	spec->sort = col;
	spec->descending = descending;
	return 0;
}
