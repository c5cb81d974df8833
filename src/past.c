// SPDX-License-Identifier: GPL-2.0-or-later
#include "past.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "data/compare.h"
#include "data/history.h"

#define WAIT (NSEC_PER_SEC / 3)
#define GAP 3	/* times the usual interval, and so many seconds: samples are missing */

struct past {
	struct timeline *line;
	struct engine *engine;		/* NULL: not begun */
	struct engine_options options;
	uint64_t at;			/* number of the sample that is shown */
	uint64_t begin;			/* number of the first sample of a range, + 1; 0: none */
	bool on, stale;			/* stale: the engine has other options */
	bool range;			/* what is shown is one */
	bool begins;			/* one begins at what is shown */
	struct span_of {
		uint64_t from, to;	/* numbers of its first and last sample; both 0: none */
	} shown, previous;		/* the newest range that was shown, and the one before */
	struct engine *before;		/* of the range that is compared with; NULL: none is */
	struct span_of compared;
	const struct model *model;
	void (*wait)(void *arg, unsigned percent);	/* as in past_on_wait(); NULL: nobody */
	void *wait_arg;
	uint64_t told;			/* clock_mono() of the last call, or of the begin */
};

struct past *past_new(struct timeline *line, const struct engine_options *opt)
{
	struct past *p = mem_zalloc(sizeof(*p));

	p->line = line;
	p->options = *opt;
	return p;
}

void past_free(struct past *p)
{
	if (!p)
		return;
	engine_free(p->engine);
	engine_free(p->before);
	free(p);
}

void past_set_options(struct past *p, const struct engine_options *opt)
{
	p->options = *opt;
	p->stale = true;
}

void past_on_wait(struct past *p, void (*wait)(void *arg, unsigned percent), void *arg)
{
	p->wait = wait;
	p->wait_arg = arg;
}

/* So many of all samples were read; none: it begins. */
static void tell(struct past *p, uint64_t done, uint64_t all)
{
	uint64_t now = clock_mono();

	if (!done)
		p->told = now;
	if (!p->wait || now - p->told < WAIT)
		return;
	p->told = now;
	p->wait(p->wait_arg, (unsigned)(100 * done / all));
}

static void advance(struct past *p, uint64_t number)
{
	p->model = engine_advance(p->engine, timeline_read(p->line, number), ~0u);
	p->at = number;
}

static void end_comparison(struct past *p)
{
	engine_free(p->before);
	p->before = NULL;
}

/* A new engine, from one sample to another. */
static void rebuild(struct past *p, uint64_t from, uint64_t number)
{
	struct engine_options options = p->options;

	/* Of a range all that ended in it is told. */
	options.accumulated |= p->range;
	options.whole = p->range;
	engine_free(p->engine);
	p->engine = engine_new(&options);
	p->stale = false;
	for (uint64_t i = from; i <= number; i++) {
		tell(p, i - from, number - from + 1);
		engine_set_passing(p->engine, i < number);
		advance(p, i);
		/* Findings name what stacks say, of which all names are there from the first on. */
		if (i < number && (i == from || timeline_late_each(p->line)))
			engine_late(p->engine, timeline_late(p->line));
	}
}

static const struct model *show(struct past *p, uint64_t number)
{
	uint64_t first = timeline_first(p->line),
		 from = number > first + HISTORY_TICKS ? number - HISTORY_TICKS : first;

	p->on = true;
	p->begins = false;
	if (p->range)
		rebuild(p, MAX(p->shown.from, first), number);
	else if (p->engine && !p->stale && number == p->at + 1)
		advance(p, number);
	else if (!p->engine || p->stale || number != p->at)
		rebuild(p, from, number);
	engine_late(p->engine, timeline_late(p->line));
	return p->model;
}

/* The first sample has nothing before it to compare with. */
static const struct model *go_to(struct past *p, uint64_t number)
{
	uint64_t first = timeline_first(p->line), end = timeline_end(p->line);

	if (number + 1 >= end) {
		past_leave(p);
		return NULL;
	}
	return show(p, MAX(number, MIN(first + 1, end - 1)));
}

/* From here on one interval is shown again. */
static void leave_range(struct past *p)
{
	p->stale |= p->range;
	p->range = false;
	end_comparison(p);
}

static uint64_t now_at(const struct past *p)
{
	return p->on ? p->at : timeline_now(p->line);
}

void past_begin_range(struct past *p)
{
	p->begin = now_at(p) + 1;
	p->begins = true;
}

const struct model *past_end_range(struct past *p)
{
	uint64_t at = now_at(p);

	/* Where it began it does not end: it goes on up to the newest. */
	if (p->begin && at + 1 == p->begin)
		at = MAX(timeline_end(p->line), 1) - 1;
	if (!p->begin || at + 1 <= p->begin || at < timeline_first(p->line))
		return NULL;
	end_comparison(p);
	p->range = true;
	if (p->shown.to)
		p->previous = p->shown;
	p->shown = (struct span_of){ MAX(p->begin - 1, timeline_first(p->line)), at };
	return show(p, at);
}

/* The range before the one that is shown, or as much time as it has. */
static bool find_before(const struct past *p, struct span_of *ret)
{
	uint64_t first = timeline_first(p->line), from = p->shown.from,
		 length = p->shown.to - from;

	*ret = p->previous;
	if (!ret->to)
		*ret = (struct span_of){ from > first + length ? from - length : first, from };
	/* What is not kept any more is not compared with. */
	ret->from = MAX(ret->from, first);
	return ret->from < ret->to;
}

const struct model *past_compare(struct past *p)
{
	struct engine_options options = p->options;
	const struct model *before = NULL;

	/* In the past one interval is shown: what it began is compared, up to the newest. */
	if (!p->range && p->on) {
		past_begin_range(p);
		past_end_range(p);
	}
	if (!p->range)
		return NULL;
	if (p->before) {
		end_comparison(p);
		return show(p, p->at);
	}
	if (!find_before(p, &p->compared))
		return NULL;
	options.accumulated = options.whole = true;
	p->before = engine_new(&options);
	for (uint64_t i = p->compared.from; i <= p->compared.to; i++) {
		tell(p, i - p->compared.from, p->compared.to - p->compared.from + 1);
		engine_set_passing(p->before, i < p->compared.to);
		before = engine_advance(p->before, timeline_read(p->line, i), ~0u);
		if (i == p->compared.to || timeline_late_each(p->line))
			engine_late(p->before, timeline_late(p->line));
	}
	show(p, p->at);
	model_compare(p->model, before);
	return p->model;
}

const struct model *past_step(struct past *p, long intervals)
{
	uint64_t at = now_at(p), back = intervals < 0 ? (uint64_t)-intervals : 0;

	if (!intervals && p->on)
		return p->model;
	leave_range(p);

	return go_to(p, intervals < 0 ? at > back ? at - back : 0 : at + (uint64_t)intervals);
}

void past_play(struct past *p)
{
	if (!p->range && !p->begins)
		past_step(p, 1);
}

/* The newest sample that is not after a moment. */
static uint64_t find(const struct past *p, uint64_t real)
{
	uint64_t low = timeline_first(p->line), high = timeline_end(p->line);

	while (low + 1 < high) {
		uint64_t middle = low + (high - low) / 2;

		if (timeline_time(p->line, middle) <= real)
			low = middle;
		else
			high = middle;
	}
	return low;
}

const struct model *past_to(struct past *p, uint64_t real)
{
	if (!timeline_end(p->line))
		return NULL;
	leave_range(p);
	return go_to(p, find(p, real));
}

const struct model *past_skip(struct past *p, double seconds)
{
	uint64_t at = now_at(p), ns = (uint64_t)(seconds < 0 ? -seconds : seconds) * NSEC_PER_SEC,
		 real, to;

	if (!timeline_end(p->line))
		return NULL;
	leave_range(p);
	if (at < timeline_first(p->line))
		at = timeline_first(p->line);
	real = timeline_time(p->line, at);
	to = find(p, seconds < 0 ? real - MIN(ns, real) : real + ns);
	/* A second of an interval of ten is still a step. */
	if (to == at)
		return past_step(p, seconds < 0 ? -1 : 1);
	return go_to(p, to);
}

void past_leave(struct past *p)
{
	p->on = p->range = p->begins = false;
	end_comparison(p);
	p->model = NULL;
	engine_free(p->engine);
	p->engine = NULL;
}

static void say(struct past_message *said, bool failed, const char *text)
{
	*said = (struct past_message){ text, failed };
}

const struct model *past_travel(struct past *p, enum app_travel how, int64_t much,
				struct past_message *said)
{
	const struct model *m = NULL;

	*said = (struct past_message){ 0 };
	switch (how) {
	case TRAVEL_INTERVALS:
		return past_step(p, (long)much);
	case TRAVEL_SECONDS:
		return past_skip(p, (double)much);
	case TRAVEL_TO:
		return past_to(p, (uint64_t)much);
	case TRAVEL_NOW:
		past_leave(p);
		return NULL;
	case TRAVEL_BEGIN:
		past_begin_range(p);
		say(said, false, N_("a range begins here; ] where it ends shows it"));
		break;
	case TRAVEL_END:
		m = past_end_range(p);
		if (!m)
			say(said, true, N_("a range begins with [, before it ends"));
		break;
	case TRAVEL_COMPARE:
		m = past_compare(p);
		if (!m)
			say(said, true,
			    N_("[ and ] show a range first; D compares it with another"));
		break;
	}
	return !m && p->on ? past_step(p, 0) : m;
}

bool past_is_on(const struct past *p)
{
	return p->on;
}

/* A trigger began, or else the worst finding, or other sources. */
static uint8_t mark_of(const struct timeline *line, uint64_t number, unsigned before)
{
	unsigned mark = timeline_mark(line, number);

	if (mark & ~before & MARK_TRIGGER)
		return APP_TRIGGER;
	if (mark & MARK_SEVERITY)
		return (uint8_t)(APP_FINDING + (mark & MARK_SEVERITY) - 1);
	return mark & MARK_SOURCES ? APP_SOURCES : APP_SAMPLES;
}

static bool is_event(uint8_t mark)
{
	return mark == APP_SOURCES || mark == APP_TRIGGER;
}

static void time_marks(const struct timeline *line, struct app_time *ret)
{
	uint64_t first = timeline_first(line), end = timeline_end(line), before = UINT64_MAX,
		 span = MAX(ret->last - ret->first, 1),
		 gap = MAX(GAP * span / (end - first), GAP * NSEC_PER_SEC);
	unsigned mark_before = 0;
	size_t from = 0;

	for (uint64_t i = first; i < end; i++) {
		uint64_t t = timeline_time(line, i);
		size_t cell = (size_t)((t - ret->first) * (APP_TIME_MARKS - 1) / span);
		uint8_t mark = mark_of(line, i, mark_before),
			until = is_event(mark) ? APP_SAMPLES : mark;

		/* A sample stands for the interval that it ends, an event for its moment. */
		if (t > before && t - before > gap)
			from = cell;
		for (; from < cell; from++)
			ret->marks[from] = MAX(ret->marks[from], until);
		ret->marks[cell] = MAX(ret->marks[cell], mark);
		from = cell;
		before = t;
		mark_before = timeline_mark(line, i);
	}
}

void past_time(const struct past *p, struct app_time *ret)
{
	uint64_t first = timeline_first(p->line), end = timeline_end(p->line);

	memset(ret, 0, sizeof(*ret));
	ret->on = p->on;
	if (!p->on || first == end)
		return;
	ret->first = timeline_time(p->line, first);
	ret->last = timeline_time(p->line, end - 1);
	ret->at = p->model->real_ns;
	if (p->range)
		ret->begin = timeline_time(p->line, MAX(p->shown.from, first));
	ret->compared = p->before;
	if (p->before && p->compared.from >= first) {
		ret->compared_begin = timeline_time(p->line, p->compared.from);
		ret->compared_end = timeline_time(p->line, p->compared.to);
	}
	time_marks(p->line, ret);
}
