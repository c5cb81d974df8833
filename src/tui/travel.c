// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys that walk through time. */

#include "base/i18n.h"
#include "base/when.h"
#include "tui/actions.h"

#define MINUTE 60

static void run(struct app *app)
{
	if (app->system->travel)
		app->system->travel(app->system_arg, app->travel.how, app->travel.much);
}

static void travel(struct app *app, enum app_travel how, int64_t much)
{
	app->travel.how = how;
	app->travel.much = much;
	app_request(app, run);
}

void act_interval_back(struct app *app)
{
	travel(app, TRAVEL_INTERVALS, -1);
}

void act_interval_forward(struct app *app)
{
	travel(app, TRAVEL_INTERVALS, 1);
}

void act_minute_back(struct app *app)
{
	travel(app, TRAVEL_SECONDS, -MINUTE);
}

void act_minute_forward(struct app *app)
{
	travel(app, TRAVEL_SECONDS, MINUTE);
}

void act_now(struct app *app)
{
	travel(app, TRAVEL_NOW, 0);
}

void act_range_begin(struct app *app)
{
	travel(app, TRAVEL_BEGIN, 0);
}

void act_range_end(struct app *app)
{
	travel(app, TRAVEL_END, 0);
}

static void play(struct app *app)
{
	if (app->system->speed)
		app->system->speed(app->system_arg, app->faster);
}

static void set_speed(struct app *app, int by)
{
	if (!app->replay) {
		app_message(app, true, _("only a recording is played, with --replay"));
		return;
	}
	app->faster = by;
	app_request(app, play);
}

void act_slower(struct app *app)
{
	set_speed(app, -1);
}

void act_faster(struct app *app)
{
	set_speed(app, 1);
}

void act_compare(struct app *app)
{
	travel(app, TRAVEL_COMPARE, 0);
}

bool travel_to(struct app *app, const char *text, struct err *err)
{
	uint64_t real, now = app->time.on ? app->time.last : app->model ? app->model->real_ns : 0;

	if (when_parse(text, now, &real) < 0) {
		err_set(err, 0, _("\"%s\" is no time such as 03:12, -15m or yesterday 14:00"),
			text);
		return false;
	}
	travel(app, TRAVEL_TO, (int64_t)real);
	return true;
}

static bool time_accept(struct app *app, struct prompt *p)
{
	return travel_to(app, p->text, &p->error);
}

void act_time(struct app *app)
{
	app_prompt(app, _("time:"), "", time_accept);
}
