// SPDX-License-Identifier: GPL-2.0-or-later
/* What a key or a click does: the top of the app. */
#include "tui/app.h"

#include "base/i18n.h"
#include "tui/keys.h"
#include "tui/page.h"

static void edit_prompt(struct app *app, int key)
{
	struct prompt *p = &app->prompt;
	bool changed;

	switch (prompt_edit(p, key, &changed)) {
	case PROMPT_ACCEPT:
		p->active = !p->accept(app, p);
		break;
	case PROMPT_CANCEL:
		p->active = false;
		if (p->cancel)
			p->cancel(app, p);
		break;
	case PROMPT_GOES_ON:
		if (!changed)
			break;
		p->error.text[0] = 0;
		if (p->changed)
			p->changed(app, p);
	}
}

static const struct binding *find_binding(const struct app *app, int key)
{
	const struct binding *tables[KEYS_IN_FORCE], *b = NULL;

	keys_in_force(app, tables);
	for (unsigned i = 0; i < KEYS_IN_FORCE && !b; i++)
		b = binding_find(tables[i], key);
	return b;
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

enum app_result app_key(struct app *app, int key)
{
	const struct binding *b;

	if (key == KEY_NONE_ || key == KEY_MOUSE_)
		return APP_NONE;
	forget(app);
	if (app->prompt.active) {
		edit_prompt(app, key);
	} else {
		b = find_binding(app, key);
		app->key = key;
		if (b && app_is_off(app, b) && app->replay)
			app_message(app, true,
				    _("this is a recording: nothing can be changed in it"));
		else if (b && app_is_off(app, b))
			app_message(app, true, _("%s is off: started with --secure"), b->name);
		else if (b && app_is_idle(app, b))
			app_message(app, true, _("%s does nothing here"), b->name);
		else if (b)
			b->run(app);
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
