/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "collect/privilege.h"
#include "data/compare.h"
#include "data/finding/finding.h"
#include "timeline.h"

#define HISTORY_BYTES (32u << 20)	/* of samples in memory */

static int source_open(struct session *s, const struct session_options *opt, struct err *err)
{
	uint64_t before;
	int r;

	if (opt->replay) {
		r = opt->store ? replay_open_folder(opt->replay, &s->replay, err)
			       : replay_open(opt->replay, &s->replay, err);
		if (r < 0 || !(opt->begin || opt->end))
			return r;
		r = replay_limit(s->replay, opt->begin, opt->end, err);
		if (r < 0)
			replay_close(s->replay);
		return r;
	}
	if (opt->record) {
		/* The checks are made on the descriptors that are written to. */
		before = privilege_raise(PRIV_RECORD);
		r = recorder_open(opt->record, &s->recorder, err);
		privilege_restore(before);
		if (r < 0)
			return r;
	}
	s->set = collect_open(&opt->collect);
	collect_on_stop(s->set, opt->stop_fd);
	return 0;
}

/* Its rows were recorded, or nobody records. */
static void late_reset(struct session *s)
{
	sample_reset(s->late);
	s->late->mono = clock_mono();
}

/* The range before, played to its end by a session of its own. */
static int open_before(struct session *s, const struct session_options *opt, struct err *err)
{
	static const struct session_viewer nobody;
	_cleanup_(mem_freep) char *begin = mem_strdup(opt->compare);
	struct session_options before = *opt;
	char *end = strchr(begin, ',');
	int r;

	if (!end)
		return err_set(err, EINVAL, _("--compare takes two times: 03:00,04:00"));
	*end++ = '\0';
	before.begin = begin;
	before.end = end;
	before.compare = NULL;
	before.engine.accumulated = before.engine.whole = true;
	s->before = mem_zalloc(sizeof(*s->before));
	r = session_open(s->before, &before, err);
	if (r < 0) {
		free(s->before);
		s->before = NULL;
		return r;
	}
	do
		r = session_step(s->before, ~0u, &nobody, err);
	while (r > 0);
	return r;
}

void session_compare(struct session *s)
{
	if (!s->before || !s->before->model || !s->model)
		return;
	model_compare(s->model, s->before->model);
	s->stale = true;
}

int session_open(struct session *s, const struct session_options *opt, struct err *err)
{
	struct err closing = { "" };
	struct engine_options engine = opt->engine;
	int r;

	memset(s, 0, sizeof(*s));
	r = source_open(s, opt, err);
	if (r < 0)
		return r;
	/* Of a range all that ended in it is told. */
	engine.accumulated |= opt->compare != NULL;
	engine.whole |= opt->compare != NULL;
	s->engine = engine_new(&engine);
	s->probing = opt->probing && !s->replay;
	s->trigger = s->replay ? NULL : opt->trigger;
	if (opt->history_ns && !(s->replay && replay_is_store(s->replay)))
		s->flight = flight_new(opt->history_ns, HISTORY_BYTES);
	s->needs = opt->needs;
	if (opt->engine.selection)
		s->needs |= selection_needs(opt->engine.selection);
	s->samples[0] = sample_new();
	s->samples[1] = sample_new();
	s->late = sample_new();
	late_reset(s);
	if (!opt->compare)
		return 0;
	r = open_before(s, opt, err);
	if (r < 0)
		session_close(s, &closing);
	return r;
}

int session_close(struct session *s, struct err *err)
{
	uint64_t before = privilege_raise(PRIV_RECORD);
	int r = recorder_close(s->recorder, err);

	privilege_restore(before);
	if (s->set)
		collect_close(s->set);
	if (s->replay)
		replay_close(s->replay);
	if (s->before)
		session_close(s->before, err);
	free(s->before);
	engine_free(s->engine);
	flight_free(s->flight);
	sample_free(s->samples[0]);
	sample_free(s->samples[1]);
	sample_free(s->late);
	memset(s, 0, sizeof(*s));
	return r;
}

/* A recording has what its screen and columns needed: what else is asked of it is unknown. */
static void tell_unrecorded(struct sample *s, unsigned needs)
{
	sample_each(s, SOURCE, const struct sample_source, row)
		needs &= ~row->source;
	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (needs >> i & 1)
			sample_source(s, 1u << i, SOURCE_OFF, source_unrecorded);
}

/* That a trigger has its sources on is part of the sample. */
static void tell_trigger(struct sample *s, const struct trigger *t)
{
	const char *text = trigger_on(t);

	sample_each(s, SYSTEM, struct sample_system, row)
		row->trigger = text ? sample_str(s, text, strlen(text)) : NULL;
}

/* Taken, sealed, and made into a model. */
static int advance(struct session *s, unsigned needs, unsigned probes, struct err *err)
{
	struct sample *sample;
	int r;

	s->turn += s->looked_at;
	sample = s->samples[s->turn % 2];
	sample_reset(sample);
	if (s->replay) {
		r = replay_next(s->replay, sample, s->late, err);
		if (r <= 0)
			return r;
		tell_unrecorded(sample, needs);
	} else {
		collect_enable(s->set, needs | probes);
		r = collect_sample(s->set, sample, err);
		if (r < 0)
			return r;
		if (s->trigger)
			tell_trigger(sample, s->trigger);
	}
	sample_seal(sample);
	s->model = engine_advance(s->engine, sample, needs | probes);
	if (s->replay)
		engine_late(s->engine, s->late);
	s->stale = true;
	return 1;
}

static void show(struct session *s, const struct session_viewer *viewer)
{
	if (s->stale)
		viewer->show(viewer->arg, s->model);
	s->stale = false;
}

static void yield(struct session *s, const struct session_viewer *viewer)
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

static void name_stacks(struct session *s, const struct session_viewer *viewer)
{
	size_t before;

	if (!s->set)
		return;
	s->unnamed = SIZE_MAX;
	do {
		before = s->unnamed;
		fetch_stacks(s, viewer->stacks_ns);
		yield(s, viewer);
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
	name_stacks(s, viewer);
	show(s, viewer);
}

void session_name_tasks(struct session *s, const struct session_viewer *viewer)
{
	name_tasks(s, viewer);
	show(s, viewer);
}

/* Of a recording whatever is on was asked for. */
static void note_sources(struct session *s, unsigned asked)
{
	unsigned on = s->model->have, changed = on ^ s->steady;

	if (!s->replay)
		changed = (changed & asked) | (asked ^ s->asked);
	s->changed = s->asked && changed;
	s->asked = asked;
	s->steady = on;
}

unsigned session_mark(const struct session *s)
{
	const struct finding_row *worst = model_verdict(s->model);

	return (worst ? (unsigned)worst->severity + 1 : 0) |
	       (s->model->trigger ? (unsigned)MARK_TRIGGER : 0) |
	       (s->changed ? (unsigned)MARK_SOURCES : 0);
}

/* The sample before is there as long as two take turns. */
static void remember(struct session *s)
{
	const struct sample *before = s->samples[(s->turn + 1) % 2];

	flight_add(s->flight, s->model->cur, before->mono ? before : NULL, s->late);
	flight_set_mark(s->flight, session_mark(s));
}

static int record(struct session *s, const struct session_viewer *viewer, struct err *err)
{
	uint64_t before;
	int r = 0;

	if (s->flight)
		remember(s);
	if (viewer->keep)
		viewer->keep(viewer->arg, s->model->cur, s->late);
	if (s->recorder) {
		before = privilege_raise(PRIV_RECORD);
		r = recorder_write(s->recorder, s->model->cur, s->late, err);
		privilege_restore(before);
	}
	late_reset(s);
	return r;
}

int session_step(struct session *s, unsigned needs, const struct session_viewer *viewer,
		 struct err *err)
{
	unsigned probes = s->probing && s->model ? finding_probes(s->model) : 0;
	int r;

	/* What was recorded because findings asked for it is there for them. */
	if (s->replay)
		probes = finding_sources();
	if (s->trigger)
		probes |= trigger_needs(s->trigger);
	r = advance(s, needs | s->needs, probes, err);
	if (r <= 0)
		return r;
	note_sources(s, needs | s->needs);
	if (s->trigger)
		trigger_look(s->trigger, s->model);
	if (viewer->show) {
		yield(s, viewer);
		name_stacks(s, viewer);
		session_name_tasks(s, viewer);
	}
	r = record(s, viewer, err);
	return r < 0 ? r : 1;
}
