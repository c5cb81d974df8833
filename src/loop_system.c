// SPDX-License-Identifier: GPL-2.0-or-later
/* What keys change outside of the app (struct app_system). */
#include "base/i18n.h"
#include "collect/actions.h"
#include "loop_state.h"
#include "options/config_file.h"

void loop_show(struct loop *l, const struct model *m)
{
	struct app_time time = { 0 };

	if (l->past)
		past_time(l->past, &time);
	app_time(l->app, &time);
	app_model(l->app, m);
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

static int change_ioprio(_unused_ void *arg, const struct app_target *target, unsigned class,
			 unsigned level, struct err *err)
{
	return task_ioprio_set(&target->id, class << 13 | level, target->process, err);
}

static int send_signal(_unused_ void *arg, const struct app_target *target, int signal,
		       struct err *err)
{
	return task_kill(&target->id, signal, err);
}

static int save_config(_unused_ void *arg, const char *text, char **ret_path, struct err *err)
{
	return config_file_write(text, ret_path, err);
}

static void change_delay(void *arg, double delay)
{
	struct loop *l = arg;

	l->delay = delay;
	events_timer(&l->events, delay, delay);
}

static void change_mouse(_unused_ void *arg, bool on)
{
	term_set_mouse(on);
}

static void suspend(_unused_ void *arg)
{
	term_suspend();
}

static void redraw(_unused_ void *arg)
{
	term_redraw();
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

static void travel(void *arg, enum app_travel how, int64_t much)
{
	struct loop *l = arg;
	const struct model *m = NULL;

	if (!l->past) {
		app_message(l->app, true, _("nothing of the past is kept: --history is 0"));
		return;
	}
	switch (how) {
	case TRAVEL_INTERVALS:
		m = past_step(l->past, (long)much);
		break;
	case TRAVEL_SECONDS:
		m = past_skip(l->past, (double)much);
		break;
	case TRAVEL_TO:
		m = past_to(l->past, (uint64_t)much);
		break;
	case TRAVEL_NOW:
		past_leave(l->past);
		break;
	case TRAVEL_BEGIN:
		past_begin_range(l->past);
		app_message(l->app, false, _("a range begins here; ] where it ends shows it"));
		m = past_is_on(l->past) ? past_step(l->past, 0) : NULL;
		break;
	case TRAVEL_END:
		m = past_end_range(l->past);
		if (!m)
			app_message(l->app, true, _("a range begins with [, before it ends"));
		if (!m && past_is_on(l->past))
			m = past_step(l->past, 0);
		break;
	}
	loop_show(l, m ? m : l->session->model);
}

const struct app_system loop_system = {
	.delayacct = change_delayacct, .ioprio = change_ioprio, .kill = send_signal,
	.save = save_config, .delay = change_delay, .mouse = change_mouse, .suspend = suspend,
	.redraw = redraw, .attribute = change_attribute, .stacks = change_stacks,
	.every_block = change_every_block, .travel = travel,
};
