// SPDX-License-Identifier: GPL-2.0-or-later
/* The two lines at the bottom: what is wrong or left out, and the keys that apply. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "data/task/task.h"
#include "tui/state.h"

#define SPACE 3	/* between the parts of the status line */

struct line {
	struct canvas *c;
	int x, y;
};

static void part(struct line *l, enum style style, const char *text)
{
	if (l->x > 1)
		l->x += SPACE;
	l->x += canvas_text(l->c, l->x, l->y, -1, style, text);
}

static void rows_part(struct line *l, const struct app *app)
{
	char text[96];

	if (app->view.n == app->view.total || app_page(app) != PAGE_TABLE)
		return;
	snprintf(text, sizeof(text), _("%zu of %zu rows"), app->view.n, app->view.total);
	part(l, STYLE_STATUS, text);
}

/* What the filter did not come to is not shown, and may match. */
static void unread_part(struct line *l, const struct app *app)
{
	size_t n = app->view.budget.unread;
	char text[128];

	if (!n || app_page(app) != PAGE_TABLE)
		return;
	snprintf(text, sizeof(text), _("the filter is too slow: %zu rows not looked at"), n);
	part(l, STYLE_WARN, text);
}

static void losses_part(struct line *l, const struct model *m)
{
	char text[160];

	for (size_t i = 0; i < m->nlosses; i++) {
		const struct model_loss *loss = &m->losses[i];

		if (!loss->total)
			continue;
		snprintf(text, sizeof(text), _("lost %llu (%s)"), (unsigned long long)loss->total,
			 loss->name);
		part(l, loss->now ? STYLE_WARN : STYLE_STATUS, text);
	}
}

/* Sources without which something that is shown stays unknown. */
static unsigned sources_missing(const struct app *app)
{
	const struct view_spec *spec = &app_tab(app)->spec;
	unsigned have = app->model->have, missing = app_tab(app)->screen->needs & ~have;

	missing |= spec->entity->needs & ~have;
	for (unsigned i = 0; i < spec->ncolumns; i++) {
		const struct column *col = spec->columns[i];

		missing |= col->needs & ~have;
		if (col->either && !(col->either & have))
			missing |= col->either;
	}
	return missing;
}

/* Sources that are off for the same reason share it. */
static void sources_part(struct line *l, const struct app *app)
{
	unsigned missing = sources_missing(app);
	struct buf text = { 0 };

	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const char *reason = app->model->sources[i].reason;

		/* A source without a reason was not asked yet: it opens with the next tick. */
		if (!(missing & 1u << i) || !reason || !*reason)
			continue;
		buf_reset(&text);
		buf_puts(&text, source_name(1u << i));
		for (unsigned k = i + 1; k < SRC_COUNT; k++) {
			const char *other = app->model->sources[k].reason;

			if (!(missing & 1u << k) || !other || strcmp(other, reason))
				continue;
			buf_printf(&text, ", %s", source_name(1u << k));
			missing &= ~(1u << k);
		}
		buf_printf(&text, ": %s", _(reason));
		part(l, STYLE_WARN, text.data);
	}
	buf_release(&text);
}

void status_draw(struct canvas *c, int y, const struct app *app)
{
	const struct filter *filter = app_tab(app)->filter;
	struct line l = { .c = c, .x = 1, .y = y };
	int end;

	if (app->message[0]) {
		part(&l, app->message_failed ? STYLE_WARN : STYLE_STATUS, app->message);
		return;
	}
	if (filter && !app->prompt.active) {
		l.x += canvas_text(c, l.x, y, -1, STYLE_KEY, _("filter: "));
		l.x += canvas_text(c, l.x, y, -1, STYLE_STATUS, filter_text(filter));
	}
	if (!app->model)
		return;
	unread_part(&l, app);
	rows_part(&l, app);
	losses_part(&l, app->model);
	sources_part(&l, app);
	end = c->width - 1;
	if (l.x >= end)
		canvas_text(c, end, y, 1, STYLE_WARN, "…");
}

#define BAR_MAX 32

struct bar {
	const struct binding *items[BAR_MAX];
	int x[BAR_MAX];
	unsigned n;
};

static int item_width(const struct binding *b)
{
	/* Of several names the first. */
	return strcspn(b->name, " ") + 1 + utf8_width(_(b->label));
}

static bool can_regroup(const struct tab *tab)
{
	for (enum group_by group = GROUP_NONE; group < GROUP_COUNT; group++)
		if (group != tab->spec.group && tab_can_group(tab, group))
			return true;
	return false;
}

/* Would it do anything on this tab? */
static bool applies(const struct app *app, const struct binding *b)
{
	if (app->secure && binding_is_privileged(b))
		return false;
	if (b->run == act_ionice || b->run == act_kill)
		return app_tab(app)->spec.entity == &entity_task;
	if (b->run == act_group || b->run == act_processes)
		return can_regroup(app_tab(app));
	return true;
}

static void add_items(struct bar *bar, const struct app *app, const struct binding *keys, int *x,
		      int limit)
{
	for (; keys && keys->key; keys++) {
		if (!keys->label || !applies(app, keys) || bar->n == BAR_MAX)
			continue;
		if (*x + item_width(keys) > limit)
			break;
		bar->items[bar->n] = keys;
		bar->x[bar->n++] = *x;
		*x += item_width(keys) + 2;
	}
}

static int keys_width(const struct binding *keys)
{
	int width = 0;

	for (; keys->key; keys++)
		if (keys->label)
			width += item_width(keys) + 2;
	return width;
}

/* What fits, help and quit always. */
static void bar_fill(struct bar *bar, const struct app *app, int width)
{
	const struct binding *general = app_bindings[BIND_GENERAL].keys;
	enum page page = app_page(app);
	int x = 1, limit = width - keys_width(general);

	bar->n = 0;
	if (page == PAGE_TABLE || page == PAGE_DETAIL || page == PAGE_ICICLE)
		add_items(bar, app, app_tab(app)->screen->keys, &x, limit);
	if (page == PAGE_DETAIL && !app_tab(app)->detail_state.still)
		add_items(bar, app, app_tab(app)->screen->detail_keys, &x, limit);
	add_items(bar, app, bindings_of_page(page), &x, limit);
	add_items(bar, app, general, &x, width);
}

void keybar_draw(struct canvas *c, int y, const struct app *app)
{
	struct bar bar;

	bar_fill(&bar, app, c->width);
	for (unsigned i = 0; i < bar.n; i++) {
		int len = strcspn(bar.items[i]->name, " ");

		canvas_text(c, bar.x[i], y, len, STYLE_KEY, bar.items[i]->name);
		canvas_text(c, bar.x[i] + len + 1, y, -1, STYLE_BAR, _(bar.items[i]->label));
	}
}

int keybar_at(const struct app *app, int width, int x)
{
	struct bar bar;

	bar_fill(&bar, app, width);
	for (unsigned i = 0; i < bar.n; i++)
		if (x >= bar.x[i] && x < bar.x[i] + item_width(bar.items[i]))
			return bar.items[i]->key;
	return KEY_NONE_;
}
