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
#include <string.h>

#include "base/macro.h"

#define _(s)	 gettext(s)
#define C_(c, s) context_text(NC_(c, s))

/* The translation of "context\004word", or the word itself: lives as long as the program. */
static inline const char *context_text(const char *marked)
{
	const char *translated = gettext(marked), *word = strchr(marked, '\004');

	return translated == marked && word ? word + 1 : translated;
}

#endif
