/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the word before the caret of a prompt may become: columns, and values that are there. */
#ifndef IOTOP_TUI_HINTS_H
#define IOTOP_TUI_HINTS_H

#include "tui/state.h"

/* Keys of columns that begin like the word. */
void hint_columns(const struct app *app, const char *word, size_t len, struct prompt_hints *ret);
/* Texts that rows have in this column, shown or filtered out. */
void hint_values(struct app *app, const char *key, const char *word, size_t len,
		 struct prompt_hints *ret);
/* Of a filter from this byte of the text on: a column, or a value behind column and operator. */
void hint_filter(struct app *app, const struct prompt *p, size_t from, struct prompt_hints *ret);
/* The same of a prompt that is a filter, as its hint(). */
void hint_whole_filter(struct app *app, const struct prompt *p, struct prompt_hints *ret);

#endif
