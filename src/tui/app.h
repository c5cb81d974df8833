/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The full-screen program without a terminal: keys and models go in, canvases come out. Same
 * options, models, keys and sizes: same canvases. What lies outside of it - the system, the
 * terminal, the engine - is changed by the caller's functions (struct app_system).
 */
#ifndef IOTOP_TUI_APP_H
#define IOTOP_TUI_APP_H

#include "base/buf.h"
#include "base/err.h"
#include "data/model.h"
#include "tui/draw/canvas.h"
#include "tui/terminal.h"
#include "view/view.h"

struct app;
struct key_map;
struct screen;

/* The task a key is about. */
struct app_target {
	struct task_id id;
	bool process;		/* all threads of id, not the one */
};

/* What a key does to the time that is shown. */
enum app_travel {
	TRAVEL_INTERVALS,	/* by so many; negative: back */
	TRAVEL_SECONDS,
	TRAVEL_TO,		/* a moment, CLOCK_REALTIME ns */
	TRAVEL_NOW,
	TRAVEL_BEGIN,		/* a range begins at what is shown … */
	TRAVEL_END,		/* … and ends there: it is shown */
	TRAVEL_COMPARE,		/* it is compared with the range before, or no more */
};

/*
 * What keys change outside of the app. Only app_perform() calls these. Those that can fail return
 * 0, or -errno and a sentence.
 */
struct app_system {
	int (*delayacct)(void *arg, bool on, struct err *err);	/* kernel.task_delayacct */
	int (*ioprio)(void *arg, const struct app_target *target, unsigned class, unsigned level,
		      struct err *err);	/* as ioprio_set(2) has them */
	int (*kill)(void *arg, const struct app_target *target, int signal, struct err *err);
	/* Writes the configuration file; *ret_path is for free(). */
	int (*save)(void *arg, const char *text, char **ret_path, struct err *err);
	/* What is shown, in the format that the end of the name says; no file is replaced. */
	int (*write)(void *arg, const char *path, struct err *err);
	void (*copy)(void *arg, const char *text);	/* to the terminal's clipboard */
	void (*delay)(void *arg, double seconds);
	void (*theme)(void *arg, enum theme theme);
	void (*mouse)(void *arg, bool on);	/* reporting by the terminal */
	void (*suspend)(void *arg);
	void (*redraw)(void *arg);	/* the terminal was garbled: all of it */
	void (*attribute)(void *arg, enum attribute attribute);
	void (*stacks)(void *arg, enum which_stacks stacks);
	void (*every_block)(void *arg, bool on);	/* off-CPU: not only what concerns I/O */
	void (*speed)(void *arg, int by);	/* of a replay: 2 to the power of it */
	void (*travel)(void *arg, enum app_travel how, int64_t much);
};

#define APP_TIME_MARKS 240

/* What there is in a part of the time; of several what is greatest. */
enum app_mark {
	APP_NOTHING,
	APP_SAMPLES,
	APP_SOURCES,	/* from here on other sources are on */
	APP_FINDING,	/* + severity */
	APP_TRIGGER = APP_FINDING + 3,	/* a trigger began */
};

/* Where in time one is, while that is not now. All times are CLOCK_REALTIME ns. */
struct app_time {
	bool on;
	bool ended;			/* what is shown is the end of a recording */
	int speed;			/* of a recording: 2 to the power of it, as fast as it was
					 * asked for */
	uint64_t first, last, at;	/* of what is kept, and what is shown */
	bool compared;			/* the range is, with this one: */
	uint64_t compared_begin, compared_end;
	uint64_t begin;			/* of the range that ends at `at'; 0: it is one
					 * interval */
	uint8_t marks[APP_TIME_MARKS];	/* enum app_mark, in equal parts from first to last */
};

struct app_options {
	/* The tabs: borrowed, ends with NULL. NULL: all screens of the program. */
	const struct screen *const *screens;
	const char *screen;	/* to begin with; NULL: the first */
	/* For that screen; NULL: its own. The strings are copied. */
	const char *columns, *sort;
	const char *filter;
	int group;		/* enum group_by, -1: each screen's own */
	enum span span;
	bool only_active, hide_ended;
	bool hide_idle;		/* on screens that list what is idle, too */
	bool full_command;	/* command lines in place of names */
	enum attribute attribute;
	size_t rows;		/* at most so many (--rows), 0: all */
	enum glyphs glyphs;	/* GLYPHS_ASCII: the terminal has no others, or none are wanted */
	struct unit_style units;
	/*
	 * Makes the filter of an entity's rows before they are grouped (--pid, --user); NULL: all
	 * rows. The tab owns what it returns.
	 */
	struct filter *(*selection)(const void *arg, const struct entity *e);
	const void *selection_arg;
	const struct app_system *system;
	void *system_arg;
	bool secure;		/* keys that change the system are off, as in a recording */
	const char *replay;	/* path of the recording; NULL: live */
	bool store;		/* it is a store */
	bool mouse;
	enum which_stacks stacks;
	enum theme theme;
	const struct key_map *keys;	/* NULL: as the tables say */
	double delay;		/* seconds, for the top line */
};

enum app_result {
	APP_NONE,
	APP_REDRAW,
	APP_QUIT,
	APP_REQUEST,		/* call app_perform() as soon as it may change things; then draw */
};

/* NULL and a sentence when an option is wrong. */
struct app *app_new(const struct app_options *opt, struct err *err);
void app_free(struct app *app);

/* A new tick. The model is borrowed until the next call. */
void app_model(struct app *app, const struct model *m);
/* The model is of another time than now, or of now again. */
void app_time(struct app *app, const struct app_time *time);
/* While frozen the caller keeps the model as it is: it is still drawn from. */
bool app_frozen(const struct app *app);
/* A tab shows sums since the start: the engine must keep ended tasks (engine_options). */
bool app_accumulated(const struct app *app);
/* enum source bits wanted by what is shown now. */
unsigned app_shows(const struct app *app);
/*
 * With those of the screens whose rows are all there always, and of findings, as far as they cost
 * little: the verdict and the past are the same on all tabs.
 */
unsigned app_needs(const struct app *app);
/* The rows that are shown, in their order; its model is NULL before the first tick. */
const struct view *app_view(struct app *app);
/* That the detail is of, or the one under the cursor; NULL: there is none. */
const struct row *app_row_shown(struct app *app);
const char *app_screen_name(const struct app *app);
/* What was typed into prompts, as lines to be kept; and lines that were kept. */
void app_history(const struct app *app, struct buf *out);
void app_set_history(struct app *app, const char *lines);
/* Columns, order and filters of the current tab. */
const struct view_spec *app_spec(const struct app *app);
/* The i-th row in sight whose command line is wanted; NULL: there are no more. */
const struct row *app_visible(struct app *app, size_t i);

void app_draw(struct app *app, struct canvas *c);
/* A code point or a value of enum key. */
enum app_result app_key(struct app *app, int key);
enum app_result app_mouse(struct app *app, const struct mouse_event *event);
/* A prompt is open: keys are text. */
bool app_takes_text(const struct app *app);
/*
 * Does what the last key asked for. Not while a sample is taken: it may close what the sample is
 * taken from.
 */
void app_perform(struct app *app);
/* A line for the status bar, shown until the next key; failed: as a warning. */
void app_message(struct app *app, bool failed, const char *fmt, ...) _printf_(3, 4);

/* The present settings as lines "long-option=value", for the configuration file. */
void app_config(const struct app *app, struct buf *out);
/* Whether these say what an option is, by its name. */
bool app_config_decides(const char *name);

#endif
