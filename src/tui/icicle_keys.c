// SPDX-License-Identifier: GPL-2.0-or-later
/* What keys do in the icicle of a tab. */
#include <stdio.h>

#include "base/i18n.h"
#include "tui/actions.h"

static void move(struct app *app, enum icicle_move to)
{
	app_refresh(app);
	icicle_move(app_tab(app)->icicle, to);
}

void act_icicle_up(struct app *app)
{
	move(app, ICICLE_UP);
}

void act_icicle_down(struct app *app)
{
	move(app, ICICLE_DOWN);
}

void act_icicle_left(struct app *app)
{
	move(app, ICICLE_LEFT);
}

void act_icicle_right(struct app *app)
{
	move(app, ICICLE_RIGHT);
}

void act_icicle_zoom(struct app *app)
{
	app_refresh(app);
	icicle_zoom(app_tab(app)->icicle);
}

void act_icicle_back(struct app *app)
{
	struct icicle *ic = app_tab(app)->icicle;

	app_refresh(app);
	if (icicle_unzoom(ic))
		return;
	if (ic->find[0])
		ic->find[0] = 0;
	else
		act_back(app);
}

void act_icicle_order(struct app *app)
{
	app_message(app, false, "%s", icicle_next_order(app_tab(app)->icicle));
	app->stale = true;
}

void act_icicle_weight(struct app *app)
{
	app_message(app, false, "%s", icicle_next_weight(app_tab(app)->icicle));
	app->stale = true;
}

static void set_stacks(struct app *app)
{
	app->system->stacks(app->system_arg, app->stacks);
}

static void choose_stacks(struct app *app, enum which_stacks stacks)
{
	static const char *const names[] = {
		[STACKS_BOTH] = N_("kernel and user stacks"),
		[STACKS_KERNEL] = N_("kernel stacks only"),
		[STACKS_USER] = N_("user stacks only"),
	};

	app->stacks = app->stacks == stacks ? STACKS_BOTH : stacks;
	app_message(app, false, "%s", _(names[app->stacks]));
	app_request(app, set_stacks);
}

void act_kernel_stacks(struct app *app)
{
	choose_stacks(app, STACKS_KERNEL);
}

void act_user_stacks(struct app *app)
{
	choose_stacks(app, STACKS_USER);
}

static void find_changed(struct app *app, struct prompt *p)
{
	struct icicle *ic = app_tab(app)->icicle;

	snprintf(ic->find, sizeof(ic->find), "%s", p->text);
}

static void find_cancel(struct app *app, struct prompt *p)
{
	app_tab(app)->icicle->find[0] = 0;
}

void act_icicle_find(struct app *app)
{
	struct prompt *p = app_prompt(app, _("frames with:"), app_tab(app)->icicle->find, NULL);

	p->changed = find_changed;
	p->cancel = find_cancel;
}
