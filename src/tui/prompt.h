/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of input at the bottom: no dialogue for what a line can say. */
#ifndef IOTOP_TUI_PROMPT_H
#define IOTOP_TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tui/draw/canvas.h"

#define PROMPT_MAX 1024
#define PROMPT_HINTS 24
#define PROMPT_HINT 48

struct app;
struct prompt_history;

/* What the word before the caret may become. */
struct prompt_hints {
	size_t begin;		/* byte of the text where the word begins */
	unsigned n, chosen;	/* chosen: the one that Tab put there last, plus 1 */
	char items[PROMPT_HINTS][PROMPT_HINT];
};

struct prompt {
	bool active;
	char label[128];
	char text[PROMPT_MAX];	/* valid UTF-8 */
	size_t len, at;		/* bytes */
	struct err error;	/* "": none */
	size_t place;		/* byte of text that the error is about; SIZE_MAX: none in
				 * particular */
	/*
	 * Every change of the text, to act on it or to fill error and place; may be NULL where
	 * accept() is not.
	 */
	void (*changed)(struct app *app, struct prompt *p);
	/* Enter: false keeps the prompt open (error says why). NULL: changed(), an error does. */
	bool (*accept)(struct app *app, struct prompt *p);
	/* Esc: puts back what changed() did; may be NULL. */
	void (*cancel)(struct app *app, struct prompt *p);
	/* Finds what the word may become; may be NULL. */
	void (*hint)(struct app *app, const struct prompt *p, struct prompt_hints *ret);
	struct prompt_hints hints;
	bool changed_due, hints_due;	/* changed() and hint() are called before the next
					 * drawing: once for all the keys of a paste */
	bool at_once;		/* changed() is called by the key itself: it may ask for something
				 * that is to be done */
	bool refused;		/* accept() said no, and nothing was changed since */
	struct prompt_history *history;	/* of what was typed before; NULL: none */
	unsigned back;		/* so many texts back in it; 0: what is typed */
	char typed[PROMPT_MAX];	/* that */
};

enum prompt_result {
	PROMPT_GOES_ON,
	PROMPT_ACCEPT,
	PROMPT_CANCEL,
};

void prompt_set_text(struct prompt *p, const char *text);
/* Edits; *ret_changed says whether the text is another now. */
enum prompt_result prompt_edit(struct prompt *p, int key, bool *ret_changed);
/* A word that begins like this one is a hint. */
void prompt_hint(struct prompt_hints *hints, const char *word, size_t len, const char *item);
/* The error, with its caret, or the hints are drawn on the line above. */
void prompt_draw(struct canvas *c, int y, const struct prompt *p);

#endif
