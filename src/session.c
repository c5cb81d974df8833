/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"

#include <string.h>

#include "base/clock.h"
#include "collect/privilege.h"
#include "data/stack/offcpu.h"
#include "data/stack/stack.h"
#include "data/task/task.h"

static int source_open(struct session *s, const struct session_options *opt, struct err *err)
{
	uint64_t before;
	int r;

	if (opt->replay)
		return replay_open(opt->replay, &s->replay, err);
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

int session_open(struct session *s, const struct session_options *opt, struct err *err)
{
	int r;

	memset(s, 0, sizeof(*s));
	r = source_open(s, opt, err);
	if (r < 0)
		return r;
	s->engine = engine_new(&opt->engine);
	s->samples[0] = sample_new();
	s->samples[1] = sample_new();
	s->late = sample_new();
	return 0;
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
	engine_free(s->engine);
	sample_free(s->samples[0]);
	sample_free(s->samples[1]);
	sample_free(s->late);
	memset(s, 0, sizeof(*s));
	return r;
}

static struct sample *current(struct session *s)
{
	return s->samples[s->turn % 2];
}

/* Its rows were recorded, or nobody does. */
static void late_reset(struct session *s)
{
	sample_reset(s->late);
	s->late->mono = clock_mono();
}

int session_tick(struct session *s, unsigned wanted, struct err *err)
{
	struct sample *sample;
	int r;

	s->turn += s->looked_at;
	sample = current(s);
	sample_reset(sample);
	if (s->replay || !s->recorder)
		late_reset(s);
	if (s->replay) {
		r = replay_next(s->replay, sample, s->late, err);
		if (r <= 0)
			return r;
	} else {
		collect_want(s->set, wanted);
		r = collect_sample(s->set, sample, err);
		if (r < 0)
			return r;
	}
	sample_seal(sample);
	s->model = engine_advance(s->engine, sample, wanted);
	if (s->replay)
		engine_late(s->engine, s->late);
	return 1;
}

bool session_fetch(struct session *s, const struct task_id *ids, size_t n)
{
	if (!n)
		return false;
	if (s->set)
		collect_cmdlines(s->set, s->late, ids, n);
	engine_late(s->engine, s->late);
	return true;
}

/* Threads of a process have one command line: the first of them asks for it. */
static bool first_of_process(struct hash *asked, struct task_id *id)
{
	if (hash_get(asked, &id->tgid))
		return false;
	hash_put(asked, id);
	return true;
}

/* Of n rows, row i given by at(). */
static bool fetch_rows(struct session *s, size_t n,
		       const struct row *(*at)(const void *list, size_t i), const void *list)
{
	_cleanup_(mem_freep) struct task_id *ids = mem_alloc((n + 1) * sizeof(*ids));
	struct hash asked;
	size_t count = 0;

	hash_init(&asked, offsetof(struct task_id, tgid), sizeof(uint32_t));
	for (size_t i = 0; i < n; i++)
		if (task_wants_command(at(list, i), &ids[count]) &&
		    first_of_process(&asked, &ids[count]))
			count++;
	hash_release(&asked);
	return session_fetch(s, ids, count);
}

static const struct row *row_of_view(const void *list, size_t i)
{
	return ((const struct view *)list)->rows[i].row;
}

static const struct row *row_of_model(const void *list, size_t i)
{
	return ((const struct row_list *)list)->rows[i];
}

bool session_names(struct session *s, const struct view *v)
{
	return v->spec->entity_id == ENTITY_TASK && fetch_rows(s, v->n, row_of_view, v);
}

bool session_select(struct session *s, const struct view_spec *spec)
{
	const struct row_list *all = &s->model->rows[ENTITY_TASK];

	return spec->entity_id == ENTITY_TASK && view_selects(spec) & SRC_CMDLINE &&
	       fetch_rows(s, all->n, row_of_model, all);
}

/* What a row of an entity may have. */
#define IDS_PER_STACK 2

size_t session_stacks(struct session *s, uint64_t budget_ns, bool *ret_any)
{
	size_t max = IDS_PER_STACK * s->model->rows[ENTITY_STACK].n +
		     OFFCPU_STACKS * s->model->rows[ENTITY_OFFCPU].n,
	       n, left;
	_cleanup_(mem_freep) uint64_t *ids = NULL;

	if (ret_any)
		*ret_any = false;
	if (!s->set || !max)
		return 0;
	ids = mem_alloc(max * sizeof(*ids));
	n = stack_unresolved(s->model, true, ids, max);
	n += offcpu_unresolved(s->model, true, ids + n, max - n);
	if (!n)
		return 0;
	left = collect_stacks(s->set, s->late, ids, n,
			      budget_ns && !s->recorder ? clock_mono() + budget_ns : 0);
	engine_late(s->engine, s->late);
	if (ret_any)
		*ret_any = left < n;
	return left;
}

int session_record(struct session *s, struct err *err)
{
	uint64_t before;
	int r;

	if (!s->recorder || !s->model)
		return 0;
	before = privilege_raise(PRIV_RECORD);
	r = recorder_write(s->recorder, s->model->cur, s->late, err);
	privilege_restore(before);
	late_reset(s);
	return r;
}
