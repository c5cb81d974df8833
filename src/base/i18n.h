/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translation of what a person reads. N_() of macro.h marks a string in a table, _() translates
 * where it is printed.
 *
 * Where one English word is several in another language, a context tells them apart: NC_(context,
 * word) marks it in a table and C_(context, word) translates at once. A text that NC_() marked is
 * printed by way of context_text().
 */
#ifndef IOTOP_BASE_I18N_H
#define IOTOP_BASE_I18N_H

#include <libintl.h>
#include <stdbool.h>
#include <string.h>

#include "base/macro.h"

#define _(s)	 translated(s)
#define C_(c, s) context_text(NC_(c, s))

/* There is no translation: each text would be looked for in vain, which takes a while. */
extern bool i18n_is_off;

/* To be called when the language is known, and may not change any more. */
void i18n_begin(void);

/* The translation, or the text itself: lives as long as the program. */
static inline _format_arg_(1) const char *translated(const char *s)
{
	return i18n_is_off ? s : gettext(s);
}

/* The translation of "context\004word", or the word itself: lives as long as the program. */
static inline const char *context_text(const char *marked)
{
	const char *text = translated(marked), *word = strchr(marked, '\004');

	return text == marked && word ? word + 1 : text;
}

#endif
