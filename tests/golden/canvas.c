/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas SCRIPT: runs the full-screen program without a terminal and prints what it shows. A script
 * has a command a line; the line "----" ends it, and the expected output follows, which run-canvas
 * compares.
 *	scene WORD…            what the samples hold: scene.h
 *	option NAME[=VALUE]    before anything else; tabs=NAMES: which screens have a tab
 *	size WxH    tick [N]    key NAME…    type TEXT    click X Y    wheel up|down
 *	show [styles]    config
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "scene.h"
#include "tui/app.h"
#include "tui/keys.h"
#include "tui/screen.h"

#define IDS 256
#define TABS 16

/*
 * The tabs of a scene that names none. A new screen is not among them: its own pictures ask for it
 * by "option tabs=", and no other picture changes.
 */
#define DEFAULT_TABS "tasks disks stacks offcpu layers"

static struct {
	struct scene scene;
	struct app_options options;
	char *strings[8];	/* of options */
	unsigned nstrings;
	struct app *app;
	struct engine *engine;
	struct sample *samples[2];
	unsigned ticks;
	struct canvas canvas;
	const struct screen *tabs[TABS + 1];
} run = {
	.options = { .group = -1, .glyphs = GLYPHS_BLOCK, .delay = 1, .mouse = true },
};

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

static void start(void)
{
	struct engine_options options = { 0 };
	struct err err;

	if (run.app)
		return;
	if (!run.options.screens)
		set_tabs(DEFAULT_TABS);
	run.app = app_new(&run.options, &err);
	if (!run.app)
		die("no app", err.text);
	run.engine = engine_new(&options);
	run.samples[0] = sample_new();
	run.samples[1] = sample_new();
	if (!run.canvas.cells)
		canvas_init(&run.canvas, 80, 24);
}

/* As the program does: the command lines of the rows in sight come after the rows. */
static void fetch_commands(struct sample *s)
{
	struct task_id ids[IDS];
	size_t n;

	app_draw(run.app, &run.canvas);
	n = app_visible(run.app, ids, IDS);
	for (size_t i = 0; i < n && !(run.scene.off & SRC_CMDLINE); i++)
		scene_command(&run.scene, s, &ids[i]);
	engine_names(run.engine, s);
}

static void tick(void)
{
	struct sample *s = run.samples[run.ticks % 2];
	const struct model *m;

	if (app_frozen(run.app))
		return;
	sample_reset(s);
	scene_sample(&run.scene, s, run.ticks++);
	m = engine_advance(run.engine, s, app_needs(run.app) & ~run.scene.off);
	app_model(run.app, m);
	fetch_commands(s);
	app_model(run.app, m);
}

static void set_scene(char *words)
{
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		if (!scene_word(&run.scene, word))
			die("scene", word);
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
	else if (!strcmp(text, "secure"))
		run.options.secure = true;
	else if (!strcmp(text, "si"))
		run.options.units.si = 1;
	else if (!strcmp(text, "kilobytes"))
		run.options.units.kilobytes = 1;
	else
		die("option", text);
}

static void print_request(void)
{
	static const char *const names[] = {
		[ASK_DELAYACCT] = "delayacct", [ASK_IONICE] = "ionice", [ASK_KILL] = "kill",
			[ASK_SAVE] = "save",
		[ASK_DELAY] = "delay", [ASK_MOUSE] = "mouse", [ASK_SUSPEND] = "suspend",
			[ASK_REFRESH] = "refresh",
		[ASK_SUBMITTER] = "submitter", [ASK_STACKS] = "stacks",
			[ASK_EVERY_BLOCK] = "every block",
	};
	const struct app_request *r = app_request(run.app);

	if (r->what == ASK_STACKS) {
		struct engine_options options = {
			.no_kernel_stacks = r->stacks == STACKS_USER,
			.no_user_stacks = r->stacks == STACKS_KERNEL,
		};

		engine_set_options(run.engine, &options);
	}
	printf("asks: %s", names[r->what]);
	if (r->what == ASK_IONICE || r->what == ASK_KILL)
		printf(" %s %u", r->process ? "process" : "thread", r->id.tid);
	if (r->what == ASK_IONICE)
		printf(" class %u level %u", r->class, r->level);
	if (r->what == ASK_KILL)
		printf(" signal %d", r->signal);
	if (r->what == ASK_DELAY)
		printf(" %g", r->delay);
	if (r->what == ASK_DELAYACCT || r->what == ASK_MOUSE || r->what == ASK_SUBMITTER)
		printf(" %s", r->on ? "on" : "off");
	printf("\n");
}

static void result(enum app_result r)
{
	if (r == APP_ASK)
		print_request();
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
	engine_free(run.engine);
	sample_free(run.samples[0]);
	sample_free(run.samples[1]);
	canvas_release(&run.canvas);
	for (unsigned i = 0; i < run.nstrings; i++)
		free(run.strings[i]);
	return 0;
}
