/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The full-screen program without a terminal: keys and models go in, canvases come out. Same
 * options, models, keys and sizes: same canvases. What changes the system is not done here but
 * asked of the caller (struct app_request).
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
struct screen;

/* Which stacks tell the rows of paths apart. */
enum app_stacks {
	STACKS_BOTH,
	STACKS_KERNEL,
	STACKS_USER,
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
	bool only_active, hide_ended, tree;
	bool full_command;	/* command lines in place of names */
	bool submitter;		/* I/O is booked to who submitted it */
	size_t limit;		/* --rows, 0: all */
	enum glyphs glyphs;	/* GLYPHS_ASCII: the terminal has no others, or none are wanted */
	struct unit_style units;
	/*
	 * A filter of an entity's rows before they fold (--pid, --user); NULL: none. The tab owns
	 * what it returns.
	 */
	struct filter *(*only)(const void *arg, const struct entity *e);
	const void *only_arg;
	bool secure;		/* no requests that change the system */
	bool mouse;
	enum app_stacks stacks;
	double delay;		/* seconds, for the top line */
};

enum app_result {
	APP_NONE,
	APP_REDRAW,
	APP_QUIT,
	APP_ASK,		/* app_request() has what is asked for; draw afterwards */
};

enum app_what {
	ASK_DELAYACCT,		/* kernel.task_delayacct on or off */
	ASK_IONICE,
	ASK_KILL,
	ASK_SAVE,		/* write app_config() to the configuration file */
	ASK_DELAY,
	ASK_MOUSE,		/* reporting on or off */
	ASK_SUSPEND,
	ASK_REFRESH,		/* the terminal was garbled: draw everything anew */
	ASK_SUBMITTER,		/* book I/O to who submitted it (on) or caused it */
	ASK_EVERY_BLOCK,	/* off-CPU: blocks of any kind (on), or what concerns I/O */
	ASK_STACKS,		/* which stacks tell rows apart */
};

struct app_request {
	enum app_what what;
	bool on;
	struct task_id id;
	bool process;		/* all threads of id, not the one */
	unsigned class, level;	/* as ioprio_set(2) has them */
	int signal;
	double delay;		/* seconds */
	enum app_stacks stacks;
};

/* NULL and a sentence when an option is wrong. */
struct app *app_new(const struct app_options *opt, struct err *err);
void app_free(struct app *app);

/* A new tick. The model is borrowed until the next call. */
void app_model(struct app *app, const struct model *m);
/* While frozen the caller keeps the model as it is: it is still drawn from. */
bool app_frozen(const struct app *app);
/* Sums since the start are shown: tasks that ended are wanted as long as they last. */
bool app_keep_ended(const struct app *app);
/* enum source bits wanted by what is shown now. */
unsigned app_needs(const struct app *app);
/* What the present tab shows. */
const struct view_spec *app_spec(const struct app *app);
/* Processes among the rows in sight whose command line is wanted and not known; at most n. */
size_t app_visible(struct app *app, struct task_id *ids, size_t n);

void app_draw(struct app *app, struct canvas *c);
/* A code point or a value of enum key. */
enum app_result app_key(struct app *app, int key);
enum app_result app_mouse(struct app *app, const struct mouse_event *event);
/* Keys are text at present: none of them has its meaning. */
bool app_takes_text(const struct app *app);
const struct app_request *app_request(const struct app *app);
/* One line about what was done, or why not; shown until the next key. */
void app_message(struct app *app, bool failed, const char *fmt, ...) _printf_(3, 4);
void app_set_delay(struct app *app, double seconds);

/* The present settings as lines "long-option=value", for the configuration file. */
void app_config(const struct app *app, struct buf *out);
/*
 * Writes text to $XDG_CONFIG_HOME/iotop/config (~/.config/…), folders included; *ret_path (may be
 * NULL) is for free().
 */
int config_write(const char *text, char **ret_path, struct err *err);

#endif
