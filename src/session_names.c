// SPDX-License-Identifier: GPL-2.0-or-later
/* What is fetched after a sample was taken: names of stacks, command lines. */
#include "session_names.h"

#include "base/clock.h"

static void show(struct session *s, const struct session_viewer *viewer)
{
	if (s->stale)
		viewer->show(viewer->arg, s->model);
	s->stale = false;
}

void session_yield(struct session *s, const struct session_viewer *viewer)
{
	if (!viewer->yield)
		return;
	/* Keys are answered from the view: its rows must be those of the model. */
	if (s->looked_at)
		show(s, viewer);
	viewer->yield(viewer->arg);
}

static void names_came(struct session *s)
{
	engine_late(s->engine, s->late);
	s->stale = true;
}

/* Ids of all stacks that rows want named; returns how many. */
static size_t wanted_stacks(const struct model *m, uint64_t **ret)
{
	size_t n = 0, max = 0;

	for (size_t e = 0; e < ENTITY_COUNT; e++)
		max += entities[e]->wants_stacks ? m->rows[e].n * ROW_STACKS : 0;
	*ret = mem_alloc(max * sizeof(**ret));
	for (size_t e = 0; e < ENTITY_COUNT; e++)
		for (size_t i = 0; entities[e]->wants_stacks && i < m->rows[e].n; i++)
			n += entities[e]->wants_stacks(m->rows[e].rows[i], *ret + n);
	return n;
}

/* For at most budget_ns (0: all of them); while recording all are looked up. */
static void fetch_stacks(struct session *s, uint64_t budget_ns)
{
	_cleanup_(mem_freep) uint64_t *ids = NULL;
	size_t n = wanted_stacks(s->model, &ids);

	s->unnamed = 0;
	if (!n)
		return;
	s->unnamed = collect_stacks(s->set, s->late, ids, n,
				    budget_ns && !s->recorder ? clock_mono() + budget_ns : 0);
	if (s->unnamed < n)
		names_came(s);
}

void session_fetch_stacks(struct session *s, const struct session_viewer *viewer)
{
	size_t before;

	if (!s->set)
		return;
	s->unnamed = SIZE_MAX;
	do {
		before = s->unnamed;
		fetch_stacks(s, viewer->stacks_ns);
		session_yield(s, viewer);
	} while (viewer->all_stacks && s->unnamed && s->unnamed < before);
	if (viewer->all_stacks && s->unnamed)
		fetch_stacks(s, 0);
}

/* Command lines of rows, given by at() one after the other up to NULL; one for each process. */
static void fetch_commands(struct session *s, const struct row *(*at)(void *arg, size_t i),
			   void *arg)
{
	_cleanup_(mem_freep) struct task_id *ids = NULL;
	const struct row *row;
	size_t n = 0, count = 0;
	struct hash asked;

	while (at(arg, n))
		n++;
	ids = mem_alloc(n * sizeof(*ids));
	hash_init(&asked, offsetof(struct task_id, tgid), sizeof(uint32_t));
	for (size_t i = 0; i < n && (row = at(arg, i)); i++)
		if (row->entity->wants_command && row->entity->wants_command(row, &ids[count]) &&
		    !hash_get(&asked, &ids[count].tgid))
			hash_put(&asked, &ids[count++]);
	hash_release(&asked);
	if (!count)
		return;
	collect_cmdlines(s->set, s->late, ids, count);
	names_came(s);
}

static const struct row *row_of_list(void *list, size_t i)
{
	const struct row_list *l = list;

	return i < l->n ? l->rows[i] : NULL;
}

/* Of all rows where they decide which are shown; then of those in sight. */
static void name_tasks(struct session *s, const struct session_viewer *viewer)
{
	const struct view_spec *spec = viewer->spec(viewer->arg);

	if (!s->set)
		return;
	if (view_selects(spec) & SRC_CMDLINE) {
		struct row_list all = s->model->rows[spec->entity_id];

		fetch_commands(s, row_of_list, &all);
	}
	show(s, viewer);
	fetch_commands(s, viewer->row, viewer->arg);
}

void session_name_stacks(struct session *s, const struct session_viewer *viewer)
{
	session_fetch_stacks(s, viewer);
	show(s, viewer);
}

void session_name_tasks(struct session *s, const struct session_viewer *viewer)
{
	name_tasks(s, viewer);
	show(s, viewer);
}
