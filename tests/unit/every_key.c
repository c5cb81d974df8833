/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every key of the tables, in every context: it changes something, asks for something, or says why
 * it does not. Every dialogue at any size, and with a paste of a megabyte.
 */
#include <stdio.h>
#include <string.h>

#include "../golden/dump.h"
#include "../golden/scene.h"
#include "tui/action_names.h"
#include "tui/app.h"
#include "tui/keys.h"
#include "tui/screen.h"
#include "tui/state.h"
#include "unit.h"

#define PASTE 1000000

/* Where a key is pressed: behind these keys. */
static const char *const contexts[] = { "", "\r", "v", "\rv", "?", "C" };

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
					    .files = true, .findings = true, .idle = 100 };
	struct engine_options options = { .events = 100 };

	run.engine = engine_new(&options);
	run.model = scene_model(&scene, run.engine, run.samples);
	canvas_init(&run.canvas, 110, 40);
}

static void teardown(void)
{
	canvas_release(&run.canvas);
	engine_free(run.engine);
	sample_free(run.samples[0]);
	sample_free(run.samples[1]);
	run.samples[0] = run.samples[1] = NULL;
}

/* On the third row, where there are so many, with columns to both sides of the sorted one. */
static struct app *open_at(const char *screen, const char *keys)
{
	struct app_options options = { .group = -1, .screen = screen, .delay = 1,
				       .glyphs = GLYPHS_BLOCK };
	struct app *app = app_new(&options, NULL);

	app_model(app, run.model);
	app_draw(app, &run.canvas);
	app_key(app, KEY_DOWN_);
	app_key(app, KEY_DOWN_);
	app_draw(app, &run.canvas);
	for (; *keys; keys++) {
		app_key(app, *keys);
		app_draw(app, &run.canvas);
	}
	app->message[0] = '\0';
	return app;
}

static void picture(struct app *app, struct buf *out)
{
	app_draw(app, &run.canvas);
	buf_reset(out);
	canvas_dump(&run.canvas, out, true);
}

/* Keys that have nothing to do where one is: at an end, out of what there is none of. */
static bool may_rest(const struct binding *b)
{
	static const char *const names[] = {
		/* At an end of what they move in. */
		"up", "down", "page-up", "page-down", "half-up", "half-down", "home", "end",
		"icicle-up", "icicle-left", "icicle-right", "row-before", "row-after",
		"sort-left", "choose-earlier",
		/* There already. */
		"back", "zoom", "choose-default", "tab-by-number", "unfold",
		/* Of a table without such rows or columns. */
		"idle", "column-by-number", "processes",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(action_name(b), names[i]))
			return true;
	return false;
}

static unsigned rested;

static void press(const char *screen, const char *context, const struct binding *b)
{
	struct app *app = open_at(screen, context);
	struct buf before = { 0 }, after = { 0 };
	enum app_result r;

	/* Another table may have the key before this one. */
	if (keys_find(app, b->key) != b) {
		app_free(app);
		return;
	}
	picture(app, &before);
	r = app_key(app, b->key);
	picture(app, &after);
	if (r == APP_REDRAW && !strcmp(before.data, after.data)) {
		rested++;
		ck_assert_msg(may_rest(b), "%s \"%s\": %s (%s) does nothing", screen, context,
			      b->name, action_name(b));
	}
	buf_release(&before);
	buf_release(&after);
	app_free(app);
}

START_TEST(every_key_does_something)
{
	unsigned n = 0;

	for (size_t s = 0; screens[s]; s++) {
		for (size_t c = 0; c < ARRAY_SIZE(contexts); c++) {
			struct app *app = open_at(screens[s]->name, contexts[c]);
			const struct binding *tables[KEYS_IN_FORCE];

			keys_in_force(app, tables);
			for (unsigned i = 0; i < KEYS_IN_FORCE; i++)
				for (const struct binding *b = tables[i]; b && b->key; b++, n++)
					press(screens[s]->name, contexts[c], b);
			app_free(app);
		}
	}
	/* Most of them do. */
	ck_assert_uint_gt(n, 1000);
	ck_assert_msg(rested < n / 2, "%u of %u rest", rested, n);
}
END_TEST

START_TEST(dialogues_at_any_size)
{
	static const char dialogues[] = "/*:&@dfikJC?";
	static const int sizes[][2] = { { 1, 1 }, { 0, 0 }, { 1, 200 }, { 300, 1 }, { 2, 3 },
					{ 7, 5 }, { 110, 40 } };

	for (size_t s = 0; screens[s]; s++) {
		for (const char *d = dialogues; *d; d++) {
			struct app *app = open_at(screens[s]->name, "");

			app_key(app, *d);
			for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
				canvas_resize(&run.canvas, sizes[i][0], sizes[i][1]);
				app_draw(app, &run.canvas);
				app_key(app, 'x');
				app_key(app, '\t');
				app_draw(app, &run.canvas);
			}
			app_free(app);
		}
	}
}
END_TEST

static unsigned asked;

static void count_hint(_unused_ struct app *app, _unused_ const struct prompt *p,
		       _unused_ struct prompt_hints *ret)
{
	asked++;
}

static void count_change(_unused_ struct app *app, _unused_ struct prompt *p)
{
	asked++;
}

/* What a prompt does with its text is done once for all keys that came before a drawing. */
START_TEST(a_paste_is_looked_at_once)
{
	struct app *app = open_at("tasks", "/");

	app->prompt.hint = count_hint;
	app->prompt.changed = count_change;
	asked = 0;
	for (unsigned i = 0; i < 2 * PROMPT_MAX; i++)
		app_key(app, 'x');
	ck_assert_uint_eq(asked, 0);
	app_draw(app, &run.canvas);
	ck_assert_uint_eq(asked, 2);
	app_key(app, 'x');
	app_draw(app, &run.canvas);
	ck_assert_uint_eq(asked, 2);
	app_key(app, 0x1b);
	app_free(app);
}
END_TEST

START_TEST(a_megabyte_in_a_prompt)
{
	static const char prompts[] = "/:@";

	for (const char *p = prompts; *p; p++) {
		struct app *app = open_at("tasks", "");

		app_key(app, *p);
		for (unsigned i = 0; i < PASTE; i++)
			app_key(app, "ab = \"x\" or ü"[i % 12]);
		ck_assert_uint_lt(app->prompt.len, PROMPT_MAX);
		app_draw(app, &run.canvas);
		app_key(app, 0x1b);
		ck_assert(!app->prompt.active);
		app_free(app);
	}
}
END_TEST

UNIT_FIXTURE_MAIN("every_key", setup, teardown, every_key_does_something, dialogues_at_any_size,
		  a_paste_is_looked_at_once, a_megabyte_in_a_prompt)
