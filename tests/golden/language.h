/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOTOP_TESTS_LANGUAGE_H
#define IOTOP_TESTS_LANGUAGE_H

#include <libintl.h>
#include <locale.h>
#include <stdlib.h>

/* From the catalogues in $GOLDEN_LOCALE on. */
static inline void set_language(const char *name)
{
	const char *folder = getenv("GOLDEN_LOCALE");

	setenv("LANGUAGE", name, 1);
	if (!folder || !setlocale(LC_ALL, "C.UTF-8"))
		exit(2);
	/* musl goes by the locale's name, of which any will do, not by LANGUAGE. */
	setlocale(LC_MESSAGES, name);
	bindtextdomain(PACKAGE, folder);
	textdomain(PACKAGE);
}

#endif
