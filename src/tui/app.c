// SPDX-License-Identifier: GPL-2.0-or-later
/* What a key or a click does: the top of the app. */
#include "tui/app.h"

#include <string.h>

#include "base/i18n.h"
#include "tui/keys.h"
#include "tui/page.h"

static void accept_prompt(struct app *app, struct prompt *p)
{
	bool (*accept)(struct app *, struct prompt *) = p->accept;
	struct prompt_history *history = p->history;
	char text[PROMPT_MAX];

	strcpy(text, p->text);
	if (accept) {
		p->refused = !accept(app, p);
	} else {
		p->changed(app, p);
		p->refused = p->error.text[0];
	}
	/* It may have opened another one. */
	if (p->accept == accept)
		p->active = p->refused;
	if (history && !p->refused)
		history_add(history, text);
}

static void edit_prompt(struct app *app, int key)
{
	struct prompt *p = &app->prompt;
	size_t at = p->at;
	bool changed;

	/* Tab takes a hint for the text as it is. */
	if (key == '\t')
		app_settle_prompt(app);
	switch (prompt_edit(p, key, &changed)) {
	case PROMPT_ACCEPT:
		accept_prompt(app, p);
		break;
	case PROMPT_CANCEL:
		p->active = false;
		if (p->cancel)
			p->cancel(app, p);
		break;
	case PROMPT_GOES_ON:
		if (changed) {
			p->error.text[0] = 0;
			p->refused = false;
			p->changed_due = true;
		}
		if (p->at_once)
			app_settle_prompt(app);
		/* Tab goes through the hints that there are. */
		if ((changed || p->at != at) && !(key == '\t' && p->hints.chosen))
			p->hints_due = true;
	}
}

/* The key before this one: what it asked for is done, its message was read. */
static void forget(struct app *app)
{
	app->quit = false;
	app->request = NULL;
	app->message[0] = 0;
}

static enum app_result result(const struct app *app)
{
	return app->quit ? APP_QUIT : app->request ? APP_REQUEST : APP_REDRAW;
}

static void run_binding(struct app *app, const struct binding *b)
{
	if (app_is_off(app, b) && app->replay)
		app_message(app, true, _("this is a recording: nothing can be changed in it"));
	else if (app_is_off(app, b) && app->secure)
		app_message(app, true, _("%s is off: started with --secure"), b->name);
	else if (app_is_off(app, b))
		app_message(app, true, _("%s is off: this is the past, L leads back to now"),
			    b->name);
	else if (app_is_idle(app, b))
		app_message(app, true, _("%s does nothing here"), b->name);
	else
		b->run(app);
}

/* What the command line asked for by name. */
static void run_action(struct app *app)
{
	const struct binding *b = keys_action(app, app->action);

	if (b) {
		app->key = b->key;
		run_binding(app, b);
	} else {
		app_message(app, true, _("%s does nothing here"), app->action);
	}
	app->action[0] = '\0';
}

enum app_result app_key(struct app *app, int key)
{
	const struct key_change *change;
	const struct binding *b;

	if (key == KEY_NONE_ || key == KEY_MOUSE_)
		return APP_NONE;
	/* What is pasted is text: where none is asked for it does nothing. */
	if (key & KEY_PASTED && !app->prompt.active)
		return APP_NONE;
	forget(app);
	if (app->prompt.active) {
		edit_prompt(app, key & ~KEY_PASTED);
		if (app->action[0])
			run_action(app);
	} else {
		b = keys_find(app, key);
		change = key_map_find(&app->keys, key);
		app->key = change && b ? b->key : key_map_vi(&app->keys, key);
		if (b)
			run_binding(app, b);
		else if (change && strcmp(change->action, "none"))
			app_message(app, true, _("%s does nothing here"), change->action);
		else if (change)
			app_message(app, true, _("%s is off in the settings"), change->name);
	}
	return result(app);
}

enum app_result app_mouse(struct app *app, const struct mouse_event *event)
{
	int key = KEY_NONE_;

	forget(app);
	if (!app->prompt.active)
		key = mouse_event(app, event);
	return key == KEY_NONE_ ? result(app) : app_key(app, key);
}
