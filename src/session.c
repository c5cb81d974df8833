/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "collect/privilege.h"
#include "data/compare.h"
#include "data/counters.h"
#include "data/finding/finding.h"
#include "data/late.h"
#include "session_names.h"
#include "timeline.h"

#define HISTORY_BYTES (32u << 20)	/* of samples in memory */
#define LATE_BYTES (64u << 20)		/* of names that are kept for the next group */
#define TRIM_NS (60 * NSEC_PER_SEC)

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
	before.once = true;
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

/* Where samples are as far apart as that, each is a group. */
static void set_group(struct session *s, const struct session_options *opt)
{
	uint64_t interval = replay_interval(s->replay);

	if (opt->group_ns > interval + interval / 2) {
		s->group_ns = opt->group_ns;
		s->group_sums = opt->group_sums;
	}
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
	if (s->replay)
		set_group(s, opt);
	engine.accumulated |= s->group_ns && !s->group_sums;
	engine.whole |= s->group_ns && !s->group_sums;
	s->options = engine;
	s->engine = engine_new(&engine);
	s->probing = opt->probing && !s->replay;
	s->trigger = s->replay ? NULL : opt->trigger;
	if (opt->history_ns && !(s->replay && replay_is_store(s->replay)))
		s->flight = flight_new(opt->history_ns, HISTORY_BYTES);
	/* The last sample stays until it is known that there is no other. */
	s->once = s->looked_at = opt->once && s->replay;
	s->needs = opt->needs;
	if (opt->engine.selection)
		s->needs |= selection_needs(opt->engine.selection);
	s->samples[0] = sample_new();
	s->samples[1] = sample_new();
	s->late = sample_new();
	s->kept = sample_new();
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
	sample_free(s->kept);
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

void session_notes(struct session *s, struct buf *out)
{
	if (s->replay)
		replay_notes(s->replay, out);
	if (s->trigger)
		trigger_notes(s->trigger, out);
}

/* That a trigger has its sources on is part of the sample. */
static void tell_trigger(struct sample *s, const struct trigger *t)
{
	const char *text = trigger_on(t);

	sample_each(s, SYSTEM, struct sample_system, row)
		row->trigger = text ? sample_str(s, text, strlen(text)) : NULL;
}

/* What was left out behind the last sample: that is looked at, after all. */
static void look_back(struct session *s, unsigned wanted)
{
	if (!s->passed || !s->model)
		return;
	s->passed = false;
	engine_set_passing(s->engine, false);
	s->model = engine_advance(s->engine, s->model->cur, wanted);
	s->stale = true;
}

/* Whether a step has more samples. Intervals are not of the same length to the last digit. */
static bool group_goes_on(const struct session *s)
{
	return s->step_ns + s->interval_ns / 2 < s->group_ns && !replay_at_gap(s->replay);
}

static void replayed(struct session *s, const struct sample *sample)
{
	s->interval_ns = s->mono && !sample->gap ? counter_delta(sample->mono, s->mono) : 0;
	s->step_ns += s->interval_ns;
	s->mono = sample->mono;
	s->passed = (s->passing || group_goes_on(s)) && replay_left(s->replay) > 0;
	engine_set_passing(s->engine, s->passed);
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
		if (r <= 0) {
			look_back(s, needs | probes);
			return r;
		}
		tell_unrecorded(sample, needs);
		replayed(s, sample);
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

/* An engine that begins with the newest sample, unless nothing is compared with that. */
static void begin_group(struct session *s, unsigned wanted)
{
	const struct sample *last = s->model->cur;

	engine_free(s->engine);
	s->engine = engine_new(&s->options);
	s->model = NULL;
	if (replay_at_gap(s->replay))
		return;
	s->model = engine_advance(s->engine, last, wanted);
	engine_late(s->engine, s->late);
}

static int advance_group(struct session *s, unsigned needs, unsigned probes, struct err *err)
{
	bool any = false;
	int r;

	if (!s->group_sums)
		begin_group(s, needs | probes);
	s->step_ns = 0;
	do {
		r = advance(s, needs, probes, err);
		if (r <= 0)
			return any ? 1 : r;
		any = true;
	} while (group_goes_on(s));
	return 1;
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

/* Who reads a recording may begin anywhere: each sample has the names of what is in it. */
static void keep_names(struct session *s)
{
	struct sample *before = s->late;

	sample_reset(s->kept);
	s->kept->mono = clock_mono();
	late_keep(s->kept, before, s->model->cur);
	s->late = s->kept;
	s->kept = before;
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
	if (viewer->keep || s->recorder)
		keep_names(s);
	if (viewer->keep)
		viewer->keep(viewer->arg, s->model->cur, s->late);
	if (s->recorder) {
		before = privilege_raise(PRIV_RECORD);
		r = recorder_write(s->recorder, s->model->cur, s->late, err);
		privilege_restore(before);
	}
	/* The next engine of a group begins without names. */
	if (!viewer->keep && !s->recorder &&
	    (!s->group_ns || s->late->arena.used > LATE_BYTES))
		late_reset(s);
	return r;
}

/* What a storm of tasks or files took does not stay with a program that runs for months. */
static void trim(struct session *s)
{
	uint64_t now = s->model->cur->mono;

	if (s->replay || now - s->trimmed < TRIM_NS)
		return;
	mem_trim();
	s->trimmed = now;
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
	s->passing = s->once && !viewer->show;
	if (s->group_ns && s->model)
		r = advance_group(s, needs | s->needs, probes, err);
	else
		r = advance(s, needs | s->needs, probes, err);
	if (r <= 0)
		return r;
	note_sources(s, needs | s->needs);
	if (s->trigger)
		trigger_look(s->trigger, s->model);
	if (viewer->show) {
		session_yield(s, viewer);
		session_fetch_stacks(s, viewer);
		session_name_tasks(s, viewer);
	}
	r = record(s, viewer, err);
	trim(s);
	return r < 0 ? r : 1;
}
