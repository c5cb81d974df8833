/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any keys, at any size, at any time: nothing falls over, and the same state is drawn the same
 * twice.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../golden/dump.h"
#include "../golden/scene.h"
#include "base/clock.h"
#include "options/config_file.h"
#include "tui/app.h"
#include "tui/binding.h"
#include "tui/screen.h"
#include "tui/state.h"
#include "unit.h"

#define ROUNDS 4000

static uint32_t seed;

static uint32_t next_random(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

static int random_key(void)
{
	static const char often[] = "\r\r/CGtpoars+-u?kifd\\ 1234567890";

	switch (next_random(4)) {
	case 0:
		return KEY_NONE_ + next_random(KEY_DELETE_ - KEY_NONE_ + 1);
	case 1:
		return often[next_random(sizeof(often) - 1)];
	case 2:
		return next_random(0x80);
	default:
		/* Prompts do not stay open for long. */
		return next_random(3) ? 0x1b : (int)next_random(0x3000);
	}
}

static void draw_twice(struct app *app, struct canvas *c)
{
	struct buf first = { 0 }, second = { 0 };

	app_draw(app, c);
	canvas_dump(c, &first, true);
	app_draw(app, c);
	canvas_dump(c, &second, true);
	ck_assert_str_eq(first.data ? first.data : "", second.data ? second.data : "");
	buf_release(&first);
	buf_release(&second);
}

/* What W writes is what the screen decides, line by line: nothing of it is carried over besides. */
static void saved_lines(const struct app *app)
{
	struct buf text = { 0 };
	char *rest, *line;

	app_config(app, &text);
	for (line = strtok_r(text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		line[strcspn(line, "=")] = '\0';
		ck_assert_msg(!strncmp(line, "key.", 4) || app_config_decides(line), "%s", line);
	}
	buf_release(&text);
}

static void play(uint32_t start)
{
	struct app_options options = { .group = -1,
				       .glyphs = start & 1 ? GLYPHS_BLOCK : GLYPHS_ASCII,
				       .delay = 1 };
	struct engine_options engine_options = { 0 };
	struct scene scene = { .idle = start % 50, .hostile = true, .lost = start % 3 };
	struct engine *engine = engine_new(&engine_options);
	struct sample *samples[2] = { sample_new(), sample_new() };
	struct app *app = app_new(&options, NULL);
	struct canvas canvas;
	unsigned ticks = 0;

	seed = start;
	ck_assert_ptr_nonnull(app);
	canvas_init(&canvas, 80, 24);
	for (int i = 0; i < ROUNDS; i++) {
		struct mouse_event mouse = { next_random(3), next_random(90), next_random(30) };

		if (!next_random(50))
			canvas_resize(&canvas, next_random(2) ? next_random(20) : next_random(400),
				      next_random(60));
		if (!next_random(10) && !app_frozen(app)) {
			struct sample *s = samples[ticks % 2];

			sample_reset(s);
			scene_sample(&scene, s, ticks++ % 12);
			app_model(app, engine_advance(engine, s, app_needs(app)));
			for (size_t k = 0; app_visible(app, k);)
				ck_assert_uint_le(++k, 60);
		}
		if (next_random(20))
			app_key(app, random_key());
		else
			app_mouse(app, &mouse);
		if (!next_random(4))
			draw_twice(app, &canvas);
		if (!next_random(20))
			saved_lines(app);
	}
	canvas_release(&canvas);
	app_free(app);
	engine_free(engine);
	sample_free(samples[0]);
	sample_free(samples[1]);
}

START_TEST(random_keys)
{
	for (uint32_t start = 1; start <= 6; start++)
		play(start);
}
END_TEST

/* What a frozen screen holds: the model, the view, and what was computed for the last picture. */
static size_t memory(const struct app *app, const struct canvas *c)
{
	return app->model->arena.used + app->view.arena.used + c->texts.used;
}

static void draw_often(const char *screen)
{
	static const struct scene scene = { .disks = true, .stacks = true, .layers = true,
					    .offcpu = true, .mounts = true, .events = true,
					    .files = true };
	struct app_options options = { .group = -1, .screen = screen, .delay = 1 };
	struct engine_options engine_options = { 0 };
	struct engine *engine = engine_new(&engine_options);
	struct sample *sample = sample_new();
	struct app *app = app_new(&options, NULL);
	const struct model *m;
	struct canvas canvas;
	size_t before;

	canvas_init(&canvas, 200, 50);
	for (unsigned tick = 0; tick < 4; tick++) {
		sample_reset(sample);
		scene_sample(&scene, sample, tick);
		m = engine_advance(engine, sample, app_needs(app));
		engine_late(engine, sample);
		app_model(app, m);
	}
	app_draw(app, &canvas);
	/* What is wrong takes longer to tell, and may be nothing. */
	if (entities[ENTITY_FINDING] != app_spec(app)->entity)
		ck_assert_uint_gt(app->view.n, 0);
	before = memory(app, &canvas);
	for (int i = 0; i < 1000; i++)
		app_draw(app, &canvas);
	ck_assert_uint_eq(memory(app, &canvas), before);
	canvas_release(&canvas);
	app_free(app);
	engine_free(engine);
	sample_free(sample);
}

static bool shows(struct app *app, struct canvas *c, const char *text)
{
	struct buf picture = { 0 };
	bool found;

	app_draw(app, c);
	canvas_dump(c, &picture, false);
	found = picture.data && strstr(picture.data, text);
	buf_release(&picture);
	return found;
}

/* Loading its programs took most of an interval: what they counted is of what was left of it. */
START_TEST(a_source_that_opened_just_before)
{
	static const struct scene scene = { .layers = true };
	struct app_options options = { .group = -1, .screen = "layers", .delay = 1 };
	struct engine_options engine_options = { 0 };
	struct engine *engine = engine_new(&engine_options);
	struct sample *sample = sample_new();
	struct app *app = app_new(&options, NULL);
	struct canvas canvas;

	canvas_init(&canvas, 200, 50);
	for (unsigned tick = 0; tick < 4; tick++) {
		sample_reset(sample);
		scene_sample(&scene, sample, tick);
		sample_each(sample, SOURCE, struct sample_source, row)
			if (tick == 3 && row->source == SRC_LAYERS)
				row->since = sample->mono - NSEC_PER_SEC / 5;
		app_model(app, engine_advance(engine, sample, app_needs(app)));
		if (tick > 1)
			ck_assert_int_eq(shows(app, &canvas, "COUNT/s"), tick == 2);
	}
	ck_assert(shows(app, &canvas, "0.2 s of 1 s"));
	canvas_release(&canvas);
	app_free(app);
	engine_free(engine);
	sample_free(sample);
}
END_TEST

START_TEST(a_frozen_screen_does_not_grow)
{
	for (unsigned i = 0; screens[i]; i++)
		draw_often(screens[i]->name);
}
END_TEST

START_TEST(wrong_options_are_refused)
{
	static const struct app_options wrong[] = {
		{ .group = -1, .screen = "nosuch" },
		{ .group = -1, .columns = "nosuch" },
		{ .group = -1, .sort = "nosuch" },
		{ .group = -1, .filter = "write >" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct err err = { "" };

		ck_assert_ptr_null(app_new(&wrong[i], &err));
		ck_assert_str_ne(err.text, "");
	}
}
END_TEST

START_TEST(configuration_file)
{
	char folder[64], path[128], *written = NULL;
	struct err err = { "" };
	struct buf text = { 0 };

	unit_mkdtemp(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/a/b", folder);
	setenv("XDG_CONFIG_HOME", path, 1);
	ck_assert_int_eq(config_file_write("delay=2\n", &written, &err), 0);
	ck_assert_int_eq(config_file_write("delay=3\n", NULL, &err), 0);
	ck_assert_int_eq(buf_read_file(&text, AT_FDCWD, written, 0), 0);
	ck_assert_str_eq(text.data, "delay=3\n");
	/* Longer than any path may be: an error, not a crash. */
	buf_reset(&text);
	for (int i = 0; i < 9000; i++)
		buf_putc(&text, i % 100 ? 'x' : '/');
	setenv("XDG_CONFIG_HOME", text.data, 1);
	ck_assert_int_lt(config_file_write("delay=2\n", NULL, &err), 0);
	ck_assert_str_ne(err.text, "");
	buf_release(&text);
	free(written);
}
END_TEST

UNIT_MAIN("app", random_keys, a_source_that_opened_just_before, a_frozen_screen_does_not_grow,
	  wrong_options_are_refused, configuration_file)
