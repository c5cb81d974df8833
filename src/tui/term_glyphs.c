// SPDX-License-Identifier: GPL-2.0-or-later
/* What the locale and the terminal can show. */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "tui/terminal.h"

enum glyphs term_glyphs(void)
{
	const char *name = getenv("TERM");

	if (strcmp(nl_langinfo(CODESET), "UTF-8"))
		return GLYPHS_ASCII;
	/* The console's fonts have no room for the eighths of a block. */
	if (name && (!strcmp(name, "linux") || !strncmp(name, "vt", 2)))
		return GLYPHS_ASCII;
	return GLYPHS_BLOCK;
}
