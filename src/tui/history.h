/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was typed into a prompt before, oldest first. Begins with all zeroes. */
#ifndef IOTOP_TUI_HISTORY_H
#define IOTOP_TUI_HISTORY_H

#include "base/buf.h"

#define HISTORY_MOST 100

struct prompt_history {
	char *items[HISTORY_MOST];
	unsigned n;
};

void history_release(struct prompt_history *h);
/* A text that is there already becomes the newest; the oldest gives way. */
void history_add(struct prompt_history *h, const char *text);
/* Lines "NAME<tab>TEXT", one a text. */
void history_write(const struct prompt_history *h, const char *name, struct buf *out);
/* Adds the lines of this name; others, and what is no clean text, are left out. */
void history_read(struct prompt_history *h, const char *name, const char *lines);

#endif
