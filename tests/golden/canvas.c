/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas SCRIPT: runs the full-screen program without a terminal and prints what it shows. A script
 * has a command a line; the line "----" ends it, and the expected output follows, which run-canvas
 * compares.
 *	scene WORD…            what the samples hold: scene.h
 *	option NAME[=VALUE]    before anything else; tabs=NAMES: which screens have a tab; vi;
 *	                       key=KEY=ACTION: what a key does
 *	language NAME          before that, too; of the catalogues in $GOLDEN_LOCALE
 *	size WxH    tick [N]    key NAME…    type TEXT    click X Y    wheel up|down
 *	show [styles]    config
 *	mark NUMBER            of the next sample: enum timeline_mark
 * Keys that lead to other times do so in what was shown so far.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asks.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "data/finding/finding.h"
#include "dump.h"
#include "language.h"
#include "past.h"
#include "scene.h"
#include "tui/actions.h"
#include "tui/app.h"
#include "tui/key_map.h"
#include "tui/keys.h"
#include "tui/screen.h"

#define TABS 16

/*
 * The tabs of a scene that names none. A new screen is not among them: its own pictures ask for it
 * by "option tabs=", and no other picture changes.
 */
#define DEFAULT_TABS "tasks disks stacks offcpu layers why"

static struct {
	struct scene scene;
	struct app_options options;
	char *strings[8];	/* of options */
	unsigned nstrings;
	struct app *app;
	struct engine *engine;
	struct sample *samples[2];
	unsigned ticks, mark;
	struct flight *flight;
	struct timeline *line;
	struct past *past;
	const struct model *model;
	struct key_map keys;
	struct canvas canvas;
	const struct screen *tabs[TABS + 1];
} run = {
	.options = { .group = -1, .glyphs = GLYPHS_BLOCK, .delay = 1, .mouse = true },
};

static const struct app_system asks;

static void die(const char *what, const char *text)
{
	fprintf(stderr, "canvas: %s: %s\n", what, text);
	exit(2);
}

/* Names of screens, blank-separated, in the order of their tabs. */
static void set_tabs(const char *names)
{
	unsigned n = 0;

	for (size_t len; *names; names += len + (names[len] == ' ')) {
		const struct screen *const *s = screens;

		len = strcspn(names, " ");
		while (*s && (strlen((*s)->name) != len || strncmp((*s)->name, names, len)))
			s++;
		if (!*s || n == TABS)
			die("tabs", names);
		run.tabs[n++] = *s;
	}
	run.tabs[n] = NULL;
	run.options.screens = run.tabs;
}

#define EVENTS_KEPT 12

static void start(void)
{
	struct engine_options options = { .events = EVENTS_KEPT };
	struct err err;

	if (run.app)
		return;
	run.options.system = &asks;
	run.options.keys = &run.keys;
	if (!run.options.screens)
		set_tabs(DEFAULT_TABS);
	run.app = app_new(&run.options, &err);
	if (!run.app)
		die("no app", err.text);
	run.engine = engine_new(&options);
	run.samples[0] = sample_new();
	run.samples[1] = sample_new();
	run.flight = flight_new(600 * NSEC_PER_SEC, 32u << 20);
	run.line = timeline_of_flight(run.flight);
	run.past = past_new(run.line, &options);
	if (!run.canvas.cells)
		canvas_init(&run.canvas, 80, 24);
}

/* As the program does: the command lines of the rows in sight come after the rows. */
static void fetch_commands(struct sample *s)
{
	const struct row *row;
	struct task_id id;

	app_draw(run.app, &run.canvas);
	for (size_t i = 0; (row = app_visible(run.app, i)); i++)
		if (!(run.scene.off & SRC_CMDLINE) && row->entity->wants_command &&
		    row->entity->wants_command(row, &id))
			scene_command(&run.scene, s, &id);
	engine_late(run.engine, s);
}

static void remember(const struct sample *s)
{
	const struct finding_row *worst = model_verdict(run.model);
	const struct sample *before = run.samples[run.ticks % 2];

	flight_add(run.flight, s, before->mono ? before : NULL, s);
	flight_set_mark(run.flight, (worst ? (unsigned)worst->severity + 1 : 0) | run.mark);
	run.mark = 0;
}

static void tick(void)
{
	struct sample *s = run.samples[run.ticks % 2];

	if (app_frozen(run.app))
		return;
	sample_reset(s);
	scene_sample(&run.scene, s, run.ticks++);
	run.model = engine_advance(run.engine, s, app_needs(run.app) & ~run.scene.off);
	app_model(run.app, run.model);
	fetch_commands(s);
	remember(s);
	app_model(run.app, run.model);
}

static void set_scene(char *words)
{
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		if (!scene_word(&run.scene, word))
			die("scene", word);
}

/* "k=none" */
static void set_key(char *text)
{
	char *action = strrchr(text, '=');
	struct err err = { "" };

	*action++ = 0;
	if (key_map_add(&run.keys, text, action, &err) < 0)
		die("key", err.text);
}

static void set_option(char *text)
{
	char *value = strchr(text, '=');

	if (value)
		*value++ = 0;
	value = run.strings[run.nstrings++] = mem_strdup(value ? value : "");
	if (!strcmp(text, "tabs"))
		set_tabs(value);
	else if (!strcmp(text, "screen"))
		run.options.screen = value;
	else if (!strcmp(text, "columns"))
		run.options.columns = value;
	else if (!strcmp(text, "sort"))
		run.options.sort = value;
	else if (!strcmp(text, "filter"))
		run.options.filter = value;
	else if (!strcmp(text, "ascii"))
		run.options.glyphs = GLYPHS_ASCII;
	else if (!strcmp(text, "replay"))
		run.options.replay = value;
	else if (!strcmp(text, "vi"))
		run.keys.vi = 1;
	else if (!strcmp(text, "key"))
		set_key(value);
	else if (!strcmp(text, "secure"))
		run.options.secure = true;
	else if (!strcmp(text, "si"))
		run.options.units.si = 1;
	else if (!strcmp(text, "kilobytes"))
		run.options.units.kilobytes = 1;
	else
		die("option", text);
}

/* What shows is done as well as told. */

static void ask_attribute(_unused_ void *arg, enum attribute attribute)
{
	printf("asks: submitter %s\n", attribute == ATTRIBUTE_SUBMITTER ? "on" : "off");
}

static void ask_stacks(_unused_ void *arg, enum which_stacks stacks)
{
	engine_set_options(run.engine, &(struct engine_options){ .stacks = stacks,
								 .events = EVENTS_KEPT });
	printf("asks: stacks\n");
}

static void ask_travel(_unused_ void *arg, enum app_travel how, int64_t much)
{
	struct app_time time;
	struct past_message said;
	const struct model *m = past_travel(run.past, how, much, &said);

	if (said.text)
		app_message(run.app, said.failed, "%s", said.text);
	past_time(run.past, &time);
	app_time(run.app, &time);
	app_model(run.app, m ? m : run.model);
}

static const struct app_system asks = {
	.delayacct = ask_delayacct, .ioprio = ask_ioprio, .kill = ask_kill, .save = ask_save,
	.delay = ask_delay, .mouse = ask_mouse, .suspend = ask_suspend, .redraw = ask_redraw,
	.attribute = ask_attribute, .stacks = ask_stacks, .every_block = ask_every_block,
	.speed = ask_speed, .travel = ask_travel, .write = ask_write,
	.copy = ask_copy, .theme = ask_theme,
};

static void result(enum app_result r)
{
	if (r == APP_REQUEST)
		app_perform(run.app);
	if (r == APP_QUIT)
		printf("quits\n");
}

/* A key by one of its names, as the tables have them, or a character. */
static int key_code(const char *name)
{
	static const struct {
		const char *name;
		int key;
	} others[] = { { "Esc", 0x1b },
		       { "Backspace", KEY_BACK_ },
		       { "Space", ' ' },
		       { "Delete", KEY_DELETE_ },
		       { "Enter", '\r' } };
	uint32_t point;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(name, others[i].name))
			return others[i].key;
	for (const struct binding_group *g = app_bindings; g->name; g++)
		for (const struct binding *b = g->keys; b->key; b++)
			if (!strcmp(b->name, name))
				return b->key;
	if (name[0] == 'F' && name[1])
		return KEY_F1_ + atoi(name + 1) - 1;
	if (name[utf8_next(name, &point)])
		die("no such key", name);
	return point;
}

static void press(char *words)
{
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		result(app_key(run.app, key_code(word)));
}

static void type(const char *text)
{
	uint32_t point;

	while (*text) {
		text += utf8_next(text, &point);
		result(app_key(run.app, point));
		/* As of one who types: a paste would be drawn once. */
		app_draw(run.app, &run.canvas);
	}
}

static void show(bool styles)
{
	struct buf out = { 0 };

	app_draw(run.app, &run.canvas);
	printf("== %dx%d\n", run.canvas.width, run.canvas.height);
	canvas_dump(&run.canvas, &out, styles);
	fputs(out.data ? out.data : "", stdout);
	buf_release(&out);
}

static void set_size(const char *text)
{
	int width, height;

	if (sscanf(text, "%dx%d", &width, &height) != 2)
		die("size", text);
	canvas_resize(&run.canvas, width, height);
}

static void mouse(const char *what, const char *args)
{
	struct mouse_event event = { .what = MOUSE_CLICK };

	if (!strcmp(what, "wheel"))
		event.what = !strcmp(args, "up") ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
	else if (sscanf(args, "%d %d", &event.x, &event.y) != 2)
		die("click", args);
	result(app_mouse(run.app, &event));
}

static void show_config(void)
{
	struct buf out = { 0 };

	app_config(run.app, &out);
	fputs(out.data, stdout);
	buf_release(&out);
}

static void command(char *line)
{
	char *args = line + strcspn(line, " ");

	if (*args)
		*args++ = 0;
	if (!strcmp(line, "scene")) {
		set_scene(args);
		return;
	}
	if (!strcmp(line, "option")) {
		set_option(args);
		return;
	}
	if (!strcmp(line, "language")) {
		set_language(args);
		return;
	}
	start();
	if (!strcmp(line, "size"))
		set_size(args);
	else if (!strcmp(line, "tick"))
		for (int n = *args ? atoi(args) : 1; n > 0; n--)
			tick();
	else if (!strcmp(line, "key"))
		press(args);
	else if (!strcmp(line, "type"))
		type(args);
	else if (!strcmp(line, "click") || !strcmp(line, "wheel"))
		mouse(line, args);
	else if (!strcmp(line, "show"))
		show(!strcmp(args, "styles"));
	else if (!strcmp(line, "mark"))
		run.mark = (unsigned)atoi(args);
	else if (!strcmp(line, "config"))
		show_config();
	else
		die("no such command", line);
}

int main(int argc, char **argv)
{
	FILE *script = argc == 2 ? fopen(argv[1], "re") : NULL;
	char line[1024];

	if (!script)
		die("usage", "canvas SCRIPT");
	setenv("TZ", "UTC0", 1);
	while (fgets(line, sizeof(line), script) && strcmp(line, "----\n")) {
		line[strcspn(line, "\n")] = 0;
		if (line[0] && line[0] != '#')
			command(line);
	}
	fclose(script);
	app_free(run.app);
	past_free(run.past);
	timeline_free(run.line);
	flight_free(run.flight);
	engine_free(run.engine);
	sample_free(run.samples[0]);
	sample_free(run.samples[1]);
	canvas_release(&run.canvas);
	for (unsigned i = 0; i < run.nstrings; i++)
		free(run.strings[i]);
	return 0;
}
