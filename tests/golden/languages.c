/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * languages FOLDER CATALOGUE: every screen, detail, other view and dialogue in the language of
 * LANGUAGE, at 80 and 160 columns. Prints the words of the program (those of the catalogue, a .mo
 * file) that had no room: cut without a mark, or a label that is cut at all. A sentence may end
 * with an ellipsis. Prints texts that lie over others, too, and names of tabs that are not whole.
 */
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "scene.h"
#include "tui/app.h"
#include "tui/binding.h"
#include "tui/screen.h"
#include "tui/state.h"

#define LABEL 30	/* columns of what is no sentence */
#define LABELS 12	/* columns at the right end of the top line that leave tabs their names */
#define PAGES 30	/* of a detail or the help, at most */
#define ROWS 4		/* of a table whose details are opened */

static struct {
	struct buf catalogue;
	const char **words;
	uint32_t nwords;
	struct engine *engine;
	struct sample *samples[2];
	const struct model *model;
	struct canvas canvas;
	const char *screen, *keys;	/* where one is */
	struct buf told;	/* each once */
	unsigned found, drawn;
} run;

static uint32_t number_at(size_t offset)
{
	uint32_t number;

	memcpy(&number, run.catalogue.data + offset, sizeof(number));
	return number;
}

/* Without the context that tells equal messages apart. */
static const char *word_of(const char *message)
{
	const char *word = strchr(message, '\004');

	return word ? word + 1 : message;
}

/* The format of .mo files: how many, then where the table of translations is. */
static void read_catalogue(const char *path, bool originals)
{
	size_t table;

	if (buf_read_file(&run.catalogue, -100, path, 0) || number_at(0) != 0x950412de) {
		fprintf(stderr, "languages: %s is no catalogue\n", path);
		exit(2);
	}
	run.nwords = number_at(8);
	table = number_at(originals ? 12 : 16);
	run.words = malloc(sizeof(*run.words) * run.nwords);
	for (uint32_t i = 1; i < run.nwords; i++)
		run.words[i] = word_of(run.catalogue.data + number_at(table + 8 * i + 4));
}

/* Is it this message, with something in the places of its formats? */
static bool is_message(const char *text, const char *message)
{
	size_t letters = 0;

	while (*message) {
		size_t len = strcspn(message, "%");
		char part[512];

		snprintf(part, sizeof(part), "%.*s", (int)len, message);
		text = letters ? strstr(text, part) : !strncmp(text, part, len) ? text : NULL;
		if (!text)
			return false;
		text += len;
		letters += len;
		message += len;
		if (*message && message[1] == '%')
			letters++, message += 2, text += *text == '%';
		else if (*message)
			message += 1 + strcspn(message + 1, "csudgfz") + 1;
		/* At the begin of a message anything may stand. */
		letters += !letters;
	}
	return letters > 2 && !*text;
}

static bool is_word(const char *text)
{
	for (uint32_t i = 1; i < run.nwords; i++)
		if (!strcmp(text, run.words[i]) ||
		    (strchr(run.words[i], '%') && is_message(text, run.words[i])))
			return true;
	return false;
}

static void tell(const char *line)
{
	if (run.told.data && strstr(run.told.data, line))
		return;
	run.found++;
	buf_printf(&run.told, "%s, keys \"", line);
	for (const char *k = run.keys; *k; k++)
		buf_printf(&run.told, *k == '\r' ? "Enter" : "%c", *k);
	buf_puts(&run.told, "\"\n");
}

static void cut(const struct canvas *c, const char *text, bool marked)
{
	char line[1024];

	if ((marked && utf8_width(text) > LABEL) || utf8_width(text) < 2 || !is_word(text))
		return;
	snprintf(line, sizeof(line), "%dx%d \"%s\" is cut%s: %s", c->width, c->height, text,
		 marked ? " (…)" : "", run.screen);
	tell(line);
}

/* A letter or a digit; frames and bars are there to be drawn over. */
static bool is_letter(const struct cell_glyph *cell)
{
	uint32_t point;

	if (!cell || !cell->text[0])
		return cell;
	utf8_next(cell->text, &point);
	return point < 0x80 ? isalnum((int)point) : point < 0x2000 || point >= 0x3000;
}

/* Texts do not lie on top of each other. */
static void over(const struct canvas *c, int x, int y, int columns, const char *text)
{
	int letters = 0, width = MIN(columns, utf8_width(text));
	char line[1024];

	/* A blank takes away, and an ellipsis ends. */
	if (width < 2 || !text[strspn(text, " ")])
		return;
	for (int i = 0; i < width; i++)
		letters += is_letter(canvas_cell(c, x + i, y));
	if (!letters)
		return;
	snprintf(line, sizeof(line), "%dx%d \"%s\" lies over another text: %s", c->width,
		 c->height, text, run.screen);
	tell(line);
}

/* The text of a line; of a wide character the second cell has none. */
static void line_text(char *out, size_t size, const struct canvas *c, int y)
{
	*out = 0;
	for (int x = 0; x < c->width; x++) {
		const struct cell_glyph *cell = canvas_cell(c, x, y);

		if (cell && strlen(out) + strlen(cell->text) < size)
			strcat(out, cell->text);
	}
}

/* Columns of what has room only beside the tabs: labels, and a screen without a tab of its own. */
static int beside_tabs(const struct app *app, char *line)
{
	const char *last = line, *space = line;
	size_t len = strlen(line);
	int width = 0;

	while (len && line[len - 1] == ' ')
		line[--len] = 0;
	while ((space = strstr(space, "   "))) {
		space += strspn(space, " ");
		last = space;
	}
	if (app->current >= app_tabs_shown(app))
		width = 3 + utf8_width(context_text(app_tab(app)->screen->tab));
	return width + (last == line ? 0 : utf8_width(last));
}

/* The tabs have their names, all the long or all the short ones. The clock gives way to them. */
static void check_tabs(const struct app *app)
{
	char line[1024], name[128], message[2048];
	unsigned shown = app_tabs_shown(app), longs = 0, shorts = 0;

	line_text(line, sizeof(line), &run.canvas, 0);
	for (unsigned i = 0; i < shown; i++) {
		snprintf(name, sizeof(name), "%u %s", i + 1, _(app->tabs[i].screen->title));
		longs += !!strstr(line, name);
		snprintf(name, sizeof(name), "%u %s", i + 1,
			 context_text(app->tabs[i].screen->tab));
		shorts += !!strstr(line, name);
	}
	if (longs == shown || shorts == shown || beside_tabs(app, line) > LABELS)
		return;
	snprintf(message, sizeof(message), "%dx%d a tab's name is cut: %s\n%s", run.canvas.width,
		 run.canvas.height, run.screen, line);
	tell(message);
}

static void draw(struct app *app)
{
	app_draw(app, &run.canvas);
	check_tabs(app);
	run.drawn++;
}

/* The row, then keys; what is longer than the page is looked at to its end. */
static void look(const char *screen, unsigned row, const char *keys)
{
	struct app_options options = { .group = -1, .screen = screen, .delay = 1,
				       .glyphs = GLYPHS_BLOCK };
	struct app *app = app_new(&options, NULL);
	int top = -1;

	run.screen = screen;
	run.keys = keys;
	app_model(app, run.model);
	draw(app);
	while (row--)
		app_key(app, KEY_DOWN_);
	for (; *keys; keys++) {
		app_key(app, *keys);
		draw(app);
	}
	for (unsigned i = 0; i < PAGES && !app->prompt.active; i++) {
		size_t first = app->shown.list.first;

		app_key(app, KEY_PGDN_);
		draw(app);
		if ((int)first == top)
			break;
		top = (int)first;
	}
	app_free(app);
}

static void walk(void)
{
	static const char *const views[] = {
		"", "v", "?", "C", "a", "A", "t", "p", "G", "GG", "GGG", "GGGG", "S", "s", "w",
		"K", "Z", "o", "c", "e", "x", "g", "r", " ", "J", "@", "/", "*", "&", ":", "d", "f",
		"i", "k", "ixx\r", "kxx\r", "/xx =\r", ":nosuch\r", "dxx\r", "@xx\r", "W", "y",
		"\\", "m", "=", "!", "u", "T", "B", "M",
	};
	static const char *const details[] = { "\r", "\rv", "\r?", "\rb", "\rx", "v\r", "vw",
					       "vn", "v/", "\r\r" };

	for (size_t s = 0; screens[s]; s++) {
		for (size_t i = 0; i < ARRAY_SIZE(views); i++)
			look(screens[s]->name, 0, views[i]);
		for (unsigned row = 0; row < ROWS; row++)
			for (size_t i = 0; i < ARRAY_SIZE(details); i++)
				look(screens[s]->name, row, details[i]);
	}
}

static void setup(void)
{
	static const struct scene scene = { .disks = true, .stacks = true, .layers = true,
					    .offcpu = true, .mounts = true, .events = true,
					    .files = true, .findings = true, .memory = true,
					    .idle = 40 };
	struct engine_options options = { .events = 100 };

	run.engine = engine_new(&options);
	run.model = scene_model(&scene, run.engine, run.samples);
}

int main(int argc, char **argv)
{
	static const int sizes[][2] = { { 80, 24 }, { 160, 50 } };

	if (argc != 3) {
		fprintf(stderr, "usage: languages FOLDER CATALOGUE\n");
		return 2;
	}
	/* The messages themselves are English, whatever the catalogue is of. */
	read_catalogue(argv[2], !strcmp(getenv("LANGUAGE"), "en"));
	setenv("TZ", "UTC0", 1);
	setlocale(LC_ALL, "C.UTF-8");
	bindtextdomain(PACKAGE, argv[1]);
	textdomain(PACKAGE);
	setup();
	canvas_init(&run.canvas, 0, 0);
	run.canvas.on_cut = cut;
	run.canvas.on_text = over;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		canvas_resize(&run.canvas, sizes[i][0], sizes[i][1]);
		walk();
	}
	fputs(run.told.data ? run.told.data : "", stdout);
	fprintf(stderr, "%u pictures\n", run.drawn);
	canvas_release(&run.canvas);
	buf_release(&run.told);
	buf_release(&run.catalogue);
	engine_free(run.engine);
	sample_free(run.samples[0]);
	sample_free(run.samples[1]);
	free(run.words);
	return run.found > 0;
}
