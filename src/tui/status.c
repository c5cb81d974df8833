// SPDX-License-Identifier: GPL-2.0-or-later
/* The two lines at the bottom: what is wrong or left out, and the keys that apply. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "data/finding/finding.h"
#include "data/loss.h"
#include "data/task/task.h"
#include "tui/actions.h"
#include "tui/keys.h"
#include "tui/page.h"
#include "tui/time_bar.h"

#define UNKNOWN_NAMED 3u /* columns */

static void rows_part(struct status_line *l, const struct app *app)
{
	char text[96];
	size_t all;

	if (app_tab(app)->nmarked && app_page(app) == PAGE_TABLE) {
		snprintf(text, sizeof(text),
			 ngettext("%u marked (m: none)", "%u marked (m: none)",
				  app_tab(app)->nmarked),
			 app_tab(app)->nmarked);
		status_line_part(l, STYLE_KEY, text);
	}
	if (app->view.n == app->view.total || app_page(app) != PAGE_TABLE)
		return;
	if (app->view.idle) {
		snprintf(text, sizeof(text),
			 ngettext("%zu idle hidden (o)", "%zu idle hidden (o)", app->view.idle),
			 app->view.idle);
		status_line_part(l, STYLE_STATUS, text);
	}
	if (app->view.n + app->view.idle + app->view.quiet == app->view.total)
		return;
	all = app->view.total - app->view.quiet;
	snprintf(text, sizeof(text), ngettext("%zu of %zu row", "%zu of %zu rows", all),
		 app->view.n, all);
	status_line_part(l, STYLE_STATUS, text);
}

/* What the filter did not come to is not shown, and may match. */
static void unread_part(struct status_line *l, const struct app *app)
{
	size_t n = app->view.budget.unread;
	char text[128];

	if (!n || app_page(app) != PAGE_TABLE)
		return;
	snprintf(text, sizeof(text),
		 ngettext("the filter is too slow: %zu row not looked at",
			  "the filter is too slow: %zu rows not looked at", n), n);
	status_line_part(l, STYLE_WARN, text);
}

/* Of a source that is on for findings only; what is shown does not miss anything. */
static bool is_elsewhere(const struct app *app, const char *loss)
{
	unsigned elsewhere = finding_sources() & ~app_shows(app);
	size_t len = strcspn(loss, ".");

	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const char *name = source_name(1u << i);

		if (elsewhere & 1u << i && strlen(name) == len && !strncmp(name, loss, len))
			return true;
	}
	return false;
}

static void losses_part(struct status_line *l, const struct app *app)
{
	const struct model *m = app->model;
	char text[160];

	for (size_t i = 0; i < m->nlosses; i++) {
		const struct model_loss *loss = &m->losses[i];

		if (!loss->total || is_elsewhere(app, loss->name))
			continue;
		snprintf(text, sizeof(text), "%s: %" PRIu64 " (?)",
			 _(loss_find(loss->name)->effect), loss->total);
		status_line_part(l, loss->now ? STYLE_BOLD : STYLE_DIM, text);
	}
}

/* Sources without which something that is shown stays unknown. */
static unsigned sources_missing(const struct app *app)
{
	const struct view_spec *spec = &app_tab(app)->spec;
	unsigned have = app->model->have, missing = app_tab(app)->screen->needs & ~have;

	missing |= spec->entity->needs & ~have;
	if (app_tab(app)->detail)
		missing |= app_tab(app)->screen->detail_needs & ~have;
	for (unsigned i = 0; i < spec->ncolumns; i++) {
		const struct column *col = spec->columns[i];

		missing |= col->needs & ~have;
		if (col->either && !(col->either & have))
			missing |= col->either;
	}
	return missing;
}

static bool is_unknown(const struct column *col, unsigned sources, unsigned have)
{
	return col->needs & sources || (col->either & sources && !(col->either & have));
}

/* Which of the shown columns are unknown without these sources; without one, which sources. */
static void unknown_names(struct buf *text, const struct app *app, unsigned sources)
{
	const struct view_spec *spec = &app_tab(app)->spec;
	char head[COLUMN_HEAD];
	unsigned n = 0;

	for (unsigned i = 0; i < spec->ncolumns; i++) {
		if (!is_unknown(spec->columns[i], sources, app->model->have))
			continue;
		if (n++ < UNKNOWN_NAMED)
			buf_printf(text, "%s%s", n > 1 ? ", " : "",
				   column_head(head, spec->columns[i], SPAN_SUM));
	}
	if (n > UNKNOWN_NAMED)
		buf_puts(text, ", …");
	if (n)
		buf_printf(text, " %s", _("unknown"));
	for (unsigned i = 0; !n && i < SRC_COUNT; i++)
		if (sources & 1u << i)
			buf_printf(text, "%s%s", text->len ? ", " : "", source_name(1u << i));
}

/* Sources that are off for the same reason share it. */
static void sources_part(struct status_line *l, const struct app *app)
{
	unsigned missing = sources_missing(app);
	struct buf text = { 0 };

	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const char *reason = app->model->sources[i].reason;
		unsigned same = 1u << i;

		/* A source without a reason was not asked yet: it opens with the next tick. */
		if (!(missing & 1u << i) || !reason || !*reason)
			continue;
		for (unsigned k = i + 1; k < SRC_COUNT; k++) {
			const char *other = app->model->sources[k].reason;

			if (missing & 1u << k && other && !strcmp(other, reason))
				same |= 1u << k;
		}
		missing &= ~same;
		buf_reset(&text);
		unknown_names(&text, app, same);
		buf_printf(&text, ": %s", _(reason));
		status_line_part(l, STYLE_DIM, text.data);
	}
	buf_release(&text);
}

/* From where one came. */
static void trail_part(struct status_line *l, const struct app *app)
{
	const struct trail *t = &app->trail;
	const struct trail_step *step = t->n ? &t->steps[t->n - 1] : NULL;
	char text[128];

	if (!step || !step->title[0])
		return;
	snprintf(text, sizeof(text), "%s › %s", _(app->tabs[step->from].home->title),
		 step->title);
	status_line_part(l, STYLE_STATUS, text);
}

#define POSITION_EDGE 5		/* columns of the arrows, and of the edges beside it */
#define POSITION_BAR 40		/* columns that the time bar keeps beside it */

/* Which part of the list is in sight; returns its columns, 0: all of it is. */
static int position_text(char *out, size_t size, const struct shown_list *list)
{
	if (list->seen >= list->total)
		return 0;
	snprintf(out, size, _("%zu–%zu of %zu"), list->first + 1, list->first + list->seen,
		 list->total);
	return utf8_width(out) + POSITION_EDGE;
}

static void draw_position(struct canvas *c, int x, int y, const char *text,
			  const struct shown_list *list)
{
	x += canvas_text(c, x, y, -1, STYLE_BOLD, text) + 1;
	canvas_text(c, x, y, 1, STYLE_KEY, list->first ? "▴" : " ");
	canvas_text(c, x + 1, y, 1, STYLE_KEY,
		    list->first + list->seen < list->total ? "▾" : " ");
}

/* Returns the columns it took, more than there are where something had no room. */
static int draw_parts(struct canvas *c, int y, int room, const struct app *app)
{
	const struct filter *filter = app_tab(app)->filter;
	struct status_line l = { .c = c, .x = 1, .y = y };

	if (app->message[0]) {
		status_line_part(&l, app->message_failed ? STYLE_WARN : STYLE_STATUS, app->message);
		return l.x;
	}
	if (!app->time.on && !app->prompt.active)
		trail_part(&l, app);
	if (filter && !app->prompt.active) {
		l.x += l.x > 1 ? 2 : 0;
		l.x += canvas_text(c, l.x, y, -1, STYLE_KEY, _("filter: "));
		l.x += canvas_text(c, l.x, y, app->time.on ? c->width / 3 : -1, STYLE_STATUS,
				   filter_text(filter));
	}
	if (app->time.on) {
		time_bar_draw(c, l.x + (filter != NULL), y, room, &app->time);
		return l.x;
	}
	if (!app->model)
		return l.x;
	unread_part(&l, app);
	rows_part(&l, app);
	losses_part(&l, app);
	sources_part(&l, app);
	return l.x;
}

void status_draw(struct canvas *c, int y, const struct app *app)
{
	char text[80];
	int columns = position_text(text, sizeof(text), &app->shown.list),
	    room = c->width - columns, used;

	if (app->time.on && room < POSITION_BAR) {
		columns = 0;
		room = c->width;
	}
	used = draw_parts(c, y, room, app);
	/* A message is read before it is gone. */
	if (app->message[0] && used > room - 2) {
		columns = 0;
		room = c->width;
	}
	if (used >= room - 1) {
		canvas_fill(c, room - 1, y, -1, STYLE_NORMAL, " ");
		canvas_text(c, room - 1, y, 1, STYLE_DIM, "…");
	}
	if (columns)
		draw_position(c, room + 1, y, text, &app->shown.list);
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
	if (app_is_off(app, b) || app_is_idle(app, b))
		return false;
	if (b->of_task)
		return app_tab(app)->spec.entity == &entity_task;
	if (b->run == act_group || b->run == act_processes)
		return can_regroup(app_tab(app));
	return true;
}

/* A screen's own key goes before the general one. */
static bool is_there(const struct key_bar *bar, int key)
{
	for (unsigned i = 0; i < bar->n; i++)
		if (bar->items[i]->key == key)
			return true;
	return false;
}

/* What the key bar says of a key now; NULL: nothing. */
static const char *label_of(const struct app *app, const struct binding *b)
{
	if (b->is_on && b->is_on(app))
		return _(b->label_back);
	return b->label ? _(b->label) : NULL;
}

static void add_keys(struct key_bar *bar, const struct app *app, const struct binding *keys,
		     int columns)
{
	for (; keys && keys->key; keys++) {
		const char *name = keys_name(app, keys);

		if (!keys->label || !name || !applies(app, keys) || is_there(bar, keys->key))
			continue;
		if (!key_bar_add(bar, keys, name, label_of(app, keys), columns))
			break;
		bar->keys[bar->n - 1] = keys_key(app, keys);
	}
}

/* What fits, help and quit always. */
struct key_bar status_keys(const struct app *app, int width)
{
	const struct binding *tables[KEYS_IN_FORCE], *general;
	struct key_bar bar = { 0 };
	int columns = width;

	keys_in_force(app, tables);
	general = tables[KEYS_IN_FORCE - 1];
	for (const struct binding *b = general; b->key; b++)
		columns -= key_bar_width(keys_name(app, b), label_of(app, b));
	for (unsigned i = 0; i < KEYS_IN_FORCE - 1; i++)
		add_keys(&bar, app, tables[i], columns);
	add_keys(&bar, app, general, width);
	return bar;
}
