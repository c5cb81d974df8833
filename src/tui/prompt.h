/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of input at the bottom: no dialogue for what a line can say. */
#ifndef IOTOP_TUI_PROMPT_H
#define IOTOP_TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tui/draw/canvas.h"

#define PROMPT_MAX 1024

struct app;

struct prompt {
	bool active;
	char label[128];
	char text[PROMPT_MAX];	/* valid UTF-8 */
	size_t len, at;		/* bytes */
	struct err error;	/* "": none */
	size_t place;		/* byte of text that the error is about; SIZE_MAX: none in
				 * particular */
	/* Every change of the text, to act on it or to fill error and place; may be NULL. */
	void (*changed)(struct app *app, struct prompt *p);
	/* Enter: false keeps the prompt open (error says why). */
	bool (*accept)(struct app *app, struct prompt *p);
	/* Esc: puts back what changed() did; may be NULL. */
	void (*cancel)(struct app *app, struct prompt *p);
};

enum prompt_result {
	PROMPT_GOES_ON,
	PROMPT_ACCEPT,
	PROMPT_CANCEL,
};

void prompt_set_text(struct prompt *p, const char *text);
/* Edits; *ret_changed says whether the text is another now. */
enum prompt_result prompt_edit(struct prompt *p, int key, bool *ret_changed);
/* The error, with its caret, is drawn on the line above. */
void prompt_draw(struct canvas *c, int y, const struct prompt *p);

#endif
