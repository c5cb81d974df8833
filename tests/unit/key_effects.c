/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What single keys do to tabs, of each screen: which rows, columns and order there are then. */
#include <stdio.h>
#include <string.h>

#include "../golden/dump.h"
#include "../golden/scene.h"
#include "tui/actions.h"
#include "tui/app.h"
#include "tui/screen.h"
#include "tui/state.h"
#include "unit.h"

static struct {
	struct engine *engine;
	struct sample *samples[2];
	const struct model *model;
	struct canvas canvas;
} run;

static void setup(void)
{
	static const struct scene scene = { .disks = true, .stacks = true, .layers = true,
					    .offcpu = true, .mounts = true, .events = true,
					    .files = true, .findings = true, .idle = 20 };
	struct engine_options options = { .events = 100 };

	run.engine = engine_new(&options);
	run.model = scene_model(&scene, run.engine, run.samples);
	canvas_init(&run.canvas, 200, 50);
}

static void teardown(void)
{
	canvas_release(&run.canvas);
	engine_free(run.engine);
	sample_free(run.samples[0]);
	sample_free(run.samples[1]);
	run.samples[0] = run.samples[1] = NULL;
}

static struct app *open_at(const char *screen)
{
	struct app_options options = { .group = -1, .screen = screen, .delay = 1,
				       .glyphs = GLYPHS_BLOCK };
	struct app *app = app_new(&options, NULL);

	ck_assert_ptr_nonnull(app);
	app_model(app, run.model);
	app_draw(app, &run.canvas);
	return app;
}

static void press(struct app *app, const char *keys)
{
	for (; *keys; keys++) {
		app_key(app, *keys);
		app_draw(app, &run.canvas);
	}
}

/* Marks the i-th row and has only it shown: no other is, unless the key says that it cannot. */
static bool show_marked(const char *screen, const char *groups, size_t i)
{
	struct app *app = open_at(screen);
	uint64_t key;
	bool shown;

	press(app, groups);
	if (i >= app->view.n) {
		app_free(app);
		return false;
	}
	key = app->view.rows[i].row->key;
	tab_mark(app_tab(app), key, true);
	press(app, "=");
	shown = app_tab(app)->filter;
	if (shown) {
		ck_assert_msg(app->view.n == 1 && app->view.rows[0].row->key == key,
			      "%s: %s shows %zu rows", screen,
			      filter_text(app_tab(app)->filter), app->view.n);
	} else {
		ck_assert_str_eq(app->message, "no filter shows only the marked rows");
		ck_assert_uint_gt(app->view.n, 1);
	}
	app_free(app);
	return true;
}

START_TEST(only_the_marked_rows_are_shown)
{
	static const char *const groups[] = { "", "G", "GG", "GGG" };

	for (size_t s = 0; screens[s]; s++)
		for (size_t g = 0; g < ARRAY_SIZE(groups); g++)
			for (size_t i = 0; show_marked(screens[s]->name, groups[g], i);)
				i++;
}
END_TEST

/* Of each of these tables there is a filter of any two rows. */
START_TEST(two_rows_are_told_apart)
{
	static const char *const names[] = { "tasks", "disks", "layers", "files",
					     "stacks", "offcpu" };

	for (size_t s = 0; s < ARRAY_SIZE(names); s++) {
		struct app *app = open_at(names[s]);

		press(app, "  =");
		ck_assert_msg(app_tab(app)->filter, "%s: %s", names[s], app->message);
		ck_assert_uint_eq(app->view.n, 2);
		app_free(app);
	}
}
END_TEST

START_TEST(what_is_off_in_the_past)
{
	const struct app_time past = { .on = true, .last = 1, .at = 1 }, now = { 0 };
	struct app *app = open_at("tasks");

	app_time(app, &past);
	press(app, "k");
	ck_assert_str_eq(app->message, "k is off: this is the past, L leads back to now");
	ck_assert(!app->prompt.active);
	app_time(app, &now);
	press(app, "k");
	ck_assert(app->prompt.active);
	app_free(app);
}
END_TEST

static char *picture(struct app *app)
{
	struct buf out = { 0 };

	app_draw(app, &run.canvas);
	canvas_dump(&run.canvas, &out, false);
	return out.data;
}

/* The wakers are of the row in detail, be it elsewhere in the table by now, or not in it. */
START_TEST(the_other_view_of_a_detail)
{
	struct app *app = open_at("offcpu");
	struct tab *tab = app_tab(app);
	char *before, *after;
	size_t place;

	press(app, "\rv");
	before = picture(app);
	press(app, "v");
	tab->spec.descending = !tab->spec.descending;
	app->stale = true;
	press(app, "v");
	after = picture(app);
	ck_assert_str_eq(before, after);
	free(after);
	ck_assert_int_eq(tab_set_filter(tab, "comm = nobody", &place, NULL), 0);
	app->stale = true;
	after = picture(app);
	ck_assert_ptr_nonnull(strstr(after, tab->detail_name));
	free(after);
	/* Back in the detail it is that of the row whose wakers were shown last. */
	ck_assert_int_eq(tab_set_filter(tab, "", &place, NULL), 0);
	app->stale = true;
	app_draw(app, &run.canvas);
	app_key(app, KEY_LEFT_);
	after = picture(app);
	ck_assert_str_ne(before, after);
	ck_assert_ptr_eq(app_row(app), app_detail_row(app));
	free(before);
	free(after);
	app_free(app);
}
END_TEST

static bool has_column(const struct app *app, const char *key)
{
	const struct view_spec *spec = app_spec(app);

	for (unsigned i = 0; i < spec->ncolumns; i++)
		if (!strcmp(spec->columns[i]->key, key))
			return true;
	return false;
}

START_TEST(digits_of_groups)
{
	struct app *app = open_at("tasks");

	press(app, "1");
	ck_assert(!has_column(app, "tid"));
	press(app, "1p");
	ck_assert(has_column(app, "pid"));
	press(app, "1");
	ck_assert(!has_column(app, "pid") && !has_column(app, "tid"));
	press(app, "1G");
	ck_assert(has_column(app, "members") && has_column(app, "cgroup"));
	press(app, "1");
	ck_assert(!has_column(app, "members") && !has_column(app, "tid"));
	press(app, "3");
	ck_assert(!has_column(app, "cgroup") && !has_column(app, "user"));
	app_free(app);
}
END_TEST

/* Another screen stands in the place of disks, and goes again. */
START_TEST(a_tab_keeps_its_columns)
{
	struct app *app = open_at("disks");
	struct tab *tab = app_tab(app);
	const struct column *sort;

	press(app, "+1r");
	app_key(app, KEY_RIGHT_);
	app_key(app, KEY_RIGHT_);
	sort = tab->spec.sort;
	tab->spec.descending = false;
	ck_assert(!has_column(app, "disk"));
	press(app, "p");
	ck_assert(has_column(app, "disk"));
	press(app, "p");
	ck_assert(!has_column(app, "disk"));
	ck_assert_ptr_eq(tab->spec.sort, sort);
	ck_assert(!tab->spec.descending);
	/* From a task to its disks, which are those of a process there, and back. */
	nav_to_tab(app, 0);
	app_draw(app, &run.canvas);
	press(app, "J2");
	ck_assert_ptr_ne(tab->screen, tab->home);
	press(app, "\033");
	ck_assert_uint_eq(app->current, 0);
	nav_to_tab(app, (unsigned)(tab - app->tabs));
	ck_assert(!has_column(app, "disk"));
	ck_assert_ptr_eq(tab->spec.sort, sort);
	ck_assert(!tab->spec.descending);
	app_free(app);
}
END_TEST

/* In a comparison any of its columns is sorted by, in both directions; behind it the tab's own. */
START_TEST(the_order_of_a_comparison)
{
	struct app *app = open_at("tasks");
	struct view_spec *own = &app_tab(app)->spec;
	struct model compared = *run.model;
	const struct column *read = entity_column(own->entity, "read");

	ck_assert_int_eq(view_set_sort(own, "read", NULL), 0);
	compared.before = run.model;
	app_model(app, &compared);
	app_draw(app, &run.canvas);
	ck_assert_str_eq(app->spec.sort->key, "read_diff");
	ck_assert(app->spec.descending);
	press(app, "r");
	ck_assert_str_eq(app->spec.sort->key, "read_diff");
	ck_assert(!app->spec.descending);
	app_key(app, KEY_RIGHT_);
	app_draw(app, &run.canvas);
	ck_assert_str_eq(app->spec.sort->key, "read_ratio");
	app_key(app, KEY_RIGHT_);
	app_draw(app, &run.canvas);
	ck_assert_str_eq(app->spec.sort->key, "write_diff");
	app_key(app, KEY_LEFT_);
	app_draw(app, &run.canvas);
	ck_assert_str_eq(app->spec.sort->key, "read_ratio");
	app_model(app, run.model);
	app_draw(app, &run.canvas);
	ck_assert_ptr_eq(app->spec.sort, read);
	app_free(app);
}
END_TEST

/* A range shows averages or its sums; behind it each tab has what it had, as has the file of W. */
START_TEST(sums_outlive_a_range)
{
	const struct app_time range = { .on = true, .begin = 1, .last = 2, .at = 2 }, now = { 0 },
			      moment = { .on = true, .last = 1, .at = 1 };
	struct app *app = open_at("tasks");
	struct buf text = { 0 };
	char *before, *at;

	press(app, "a");
	ck_assert_int_eq(app->spec.span, SPAN_SUM);
	app_time(app, &range);
	app_draw(app, &run.canvas);
	ck_assert_int_eq(app->spec.span, SPAN_MEAN);
	app_config(app, &text);
	ck_assert_ptr_nonnull(strstr(text.data, "accumulated\n"));
	press(app, "a");
	ck_assert_int_eq(app->spec.span, SPAN_SUM);
	press(app, "a");
	ck_assert_int_eq(app->spec.span, SPAN_MEAN);
	app_time(app, &now);
	app_draw(app, &run.canvas);
	ck_assert_int_eq(app->spec.span, SPAN_SUM);
	/* At a moment of the past they are of some time before it: of which is said. */
	before = picture(app);
	app_time(app, &moment);
	at = picture(app);
	ck_assert(strstr(before, "  sums  ") && strstr(at, "  sums since "));
	free(before);
	free(at);
	app_time(app, &now);
	nav_to_tab(app, 1);
	app_draw(app, &run.canvas);
	ck_assert_int_eq(app->spec.span, SPAN_TICK);
	buf_release(&text);
	app_free(app);
}
END_TEST

START_TEST(trees)
{
	static const char *const without[] = { "stacks", "offcpu", "files", "mounts" };
	struct app *app;

	for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
		app = open_at(without[i]);
		press(app, "t");
		ck_assert_str_eq(app->message, "t does nothing here");
		ck_assert(!app_tab(app)->spec.tree);
		app_free(app);
	}
	app = open_at("tasks");
	press(app, "t");
	ck_assert(app->spec.tree);
	press(app, "GGt");
	ck_assert(app_tab(app)->spec.group > GROUP_PROCESS);
	ck_assert_str_eq(app->message, "t does nothing here");
	app_free(app);
}
END_TEST

/* A search that was typed and deleted again is none: that before it stays. */
START_TEST(an_emptied_search)
{
	struct app *app = open_at("tasks");

	press(app, "*fio");
	for (int i = 0; i < 3; i++)
		app_key(app, KEY_BACK_);
	ck_assert_str_eq(app->prompt.text, "");
	press(app, "\r");
	ck_assert_ptr_null(app_tab(app)->search);
	press(app, "*dd\r*x");
	app_key(app, KEY_BACK_);
	press(app, "\r");
	ck_assert_str_eq(filter_text(app_tab(app)->search), "dd");
	app_free(app);
}
END_TEST

/* Space twice in the list of columns is the same column: off, and on again. */
START_TEST(a_column_is_chosen_twice)
{
	struct app *app = open_at("tasks");
	unsigned n = app_spec(app)->ncolumns;

	press(app, "C");
	app_key(app, KEY_DOWN_);
	press(app, " ");
	ck_assert_uint_eq(app_spec(app)->ncolumns, n - 1);
	press(app, " ");
	ck_assert_uint_eq(app_spec(app)->ncolumns, n);
	app_free(app);
}
END_TEST

START_TEST(a_click_on_the_arrow)
{
	struct app *app = open_at("tasks");
	struct mouse_event click = { .what = MOUSE_CLICK };
	bool before = app_spec(app)->descending;
	const struct table_layout *l = &app->shown.layout;

	click.y = app->shown.heading;
	for (unsigned i = 0; i < l->n; i++)
		if (l->columns[i].col == app_spec(app)->sort)
			click.x = l->columns[i].x + l->columns[i].width;
	ck_assert_int_gt(click.x, 0);
	app_mouse(app, &click);
	ck_assert_int_eq(app_spec(app)->descending, !before);
	app_free(app);
}
END_TEST

UNIT_FIXTURE_MAIN("key_effects", setup, teardown, only_the_marked_rows_are_shown,
		  two_rows_are_told_apart, what_is_off_in_the_past, the_other_view_of_a_detail,
		  digits_of_groups, a_tab_keeps_its_columns, the_order_of_a_comparison,
		  sums_outlive_a_range, trees, an_emptied_search, a_column_is_chosen_twice,
		  a_click_on_the_arrow)
