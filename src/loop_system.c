// SPDX-License-Identifier: GPL-2.0-or-later
/* What keys change outside of the app (struct app_system). */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "loop_state.h"
#include "shown_file.h"
#include "system.h"

/* Speeds of a replay, as powers of 2. */
#define SLOWEST (-3)
#define FASTEST 8
#define PATIENCE (2 * NSEC_PER_SEC)

void loop_show(struct loop *l, const struct model *m)
{
	struct app_time time = { 0 };

	if (l->past)
		past_time(l->past, &time);
	time.ended = l->ended && !time.on;
	time.speed = l->speed;
	app_time(l->app, &time);
	app_model(l->app, m);
}

void loop_show_again(struct loop *l)
{
	bool past = l->past && past_is_on(l->past);

	loop_show(l, past ? past_step(l->past, 0) : l->session->model);
}

void loop_set_timer(struct loop *l, double first)
{
	double period = ldexp(l->delay, -l->speed);

	events_timer(&l->events, MIN(first, period), period);
}

void loop_set_engine_options(struct loop *l)
{
	engine_set_options(l->session->engine, &l->engine);
	if (l->past)
		past_set_options(l->past, &l->engine);
}

static int change_delayacct(void *arg, bool on, struct err *err)
{
	struct loop *l = arg;

	return collect_delayacct_set(l->session->set, on, err);
}

static void change_delay(void *arg, double delay)
{
	struct loop *l = arg;

	l->delay = delay;
	loop_set_timer(l, delay);
}

static void change_attribute(void *arg, enum attribute attribute)
{
	struct loop *l = arg;

	l->engine.attribute = attribute;
	loop_set_engine_options(l);
}

static void change_stacks(void *arg, enum which_stacks stacks)
{
	struct loop *l = arg;

	l->engine.stacks = stacks;
	loop_set_engine_options(l);
}

static void change_every_block(void *arg, bool on)
{
	struct loop *l = arg;

	if (l->session->set)
		collect_every_block(l->session->set, on);
}

static void change_speed(void *arg, int by)
{
	struct loop *l = arg;

	l->speed = MAX(SLOWEST, MIN(l->speed + by, FASTEST));
	loop_set_timer(l, l->delay);
	loop_show_again(l);
}

/*
 * Plays a recording on, by so many samples or up to a moment (CLOCK_REALTIME ns), at once: as far
 * as it comes in the time that a person waits.
 */
static void play_on(struct loop *l, uint64_t samples, uint64_t until)
{
	const struct session_viewer nobody = { 0 };
	uint64_t deadline = clock_mono() + PATIENCE;
	struct err err = { "" };
	int r = 1;

	for (uint64_t i = 0; i < samples && l->session->model->real_ns < until && r > 0; i++) {
		if (clock_mono() > deadline) {
			app_message(l->app, false, _("not there yet: the same again goes on"));
			return;
		}
		r = session_step(l->session, ~0u, &nobody, &err);
	}
	l->ended |= !r;
	if (r < 0)
		app_message(l->app, true, "%s", err.text);
}

/* Of a recording what follows the newest sample is there as well. */
static void play_forward(struct loop *l, enum app_travel how, int64_t much)
{
	uint64_t now = l->session->model->real_ns, ns = (uint64_t)much * NSEC_PER_SEC;

	if (!l->session->replay || (l->past && past_is_on(l->past)))
		return;
	if (how == TRAVEL_INTERVALS && much > 0)
		play_on(l, (uint64_t)much, UINT64_MAX);
	else if (how == TRAVEL_SECONDS && much > 0)
		play_on(l, UINT64_MAX, now + ns);
	else if (how == TRAVEL_TO)
		play_on(l, UINT64_MAX, (uint64_t)much);
}

void loop_wait(void *arg, unsigned percent)
{
	struct loop *l = arg;
	int y = l->canvas.height - 2;
	char text[64];

	if (y < 0)
		return;
	snprintf(text, sizeof(text), _("reading what there is: %u %%"), percent);
	canvas_fill(&l->canvas, 0, y, -1, STYLE_NORMAL, " ");
	canvas_text(&l->canvas, 1, y, -1, STYLE_KEY, text);
	term_draw(&l->canvas);
}

static int write_shown(void *arg, const char *path, struct err *err)
{
	struct loop *l = arg;

	return shown_file_write(l->app, &l->canvas, path, err);
}

static void travel(void *arg, enum app_travel how, int64_t much)
{
	struct past_message said;
	struct loop *l = arg;
	const struct model *m;

	if (!l->past) {
		app_message(l->app, true, _("nothing of the past is kept: --history is 0"));
		return;
	}
	play_forward(l, how, much);
	m = past_travel(l->past, how, much, &said);
	if (said.text)
		app_message(l->app, said.failed, "%s", _(said.text));
	loop_show(l, m ? m : l->session->model);
}

const struct app_system loop_system = {
	.delayacct = change_delayacct, .ioprio = system_ioprio, .kill = system_kill,
	.save = system_save, .copy = system_copy, .theme = system_theme, .delay = change_delay,
	.mouse = system_mouse,
	.suspend = system_suspend, .redraw = system_redraw, .attribute = change_attribute,
	.stacks = change_stacks, .every_block = change_every_block, .speed = change_speed,
	.travel = travel, .write = write_shown,
};
