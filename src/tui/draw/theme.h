/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a style looks like. A look knows no terminal: colour numbers are those of the palettes of
 * 8, 16 and 256 colours.
 */
#ifndef IOTOP_TUI_DRAW_THEME_H
#define IOTOP_TUI_DRAW_THEME_H

#include <stdint.h>

#include "tui/draw/canvas.h"

enum theme {
	THEME_AUTO,	/* dark or light, as the terminal is */
	THEME_DARK,
	THEME_LIGHT,
	THEME_SAFE,	/* told apart by the colour-blind */
	THEME_MONO,
	THEME_COUNT,
};

extern const char *const theme_names[THEME_COUNT];	/* "dark", … */

/* What the terminal can show. */
enum depth {
	DEPTH_NONE,	/* no colours asked for, or none to be had */
	DEPTH_8,
	DEPTH_16,
	DEPTH_256,
	DEPTH_DIRECT,	/* colours are red, green and blue: 0xrrggbb; below 8 as ever */
	DEPTH_COUNT,
};

enum look_attr {
	LOOK_BOLD = 1u << 0,
	LOOK_DIM = 1u << 1,
	LOOK_UNDERLINE = 1u << 2,
	LOOK_REVERSE = 1u << 3,
};

struct look {
	int32_t fg, bg;		/* -1: the terminal's own */
	unsigned attrs;		/* enum look_attr */
};

/*
 * The row under the cursor keeps the styles of its cells where the theme has a background for it,
 * else it is one look.
 */
struct look theme_look(enum theme theme, enum depth depth, enum style style, bool cursor);

#endif
