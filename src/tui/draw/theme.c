// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/theme.h"

#define CURSOR_BG_256 24

/* The 256 colours chosen are readable on a dark and on a light background. */
static const struct look looks_256[STYLE_COUNT] = {
	[STYLE_NORMAL] = { -1, -1, 0 },
	[STYLE_DIM] = { 244, -1, 0 },
	[STYLE_BOLD] = { -1, -1, LOOK_BOLD },
	[STYLE_HEAD] = { -1, -1, LOOK_BOLD },
	[STYLE_SORT] = { -1, -1, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_READ] = { 37, -1, 0 },
	[STYLE_WRITE] = { 172, -1, 0 },
	[STYLE_WARN] = { 197, -1, LOOK_BOLD },
	[STYLE_TAB] = { 244, -1, 0 },
	[STYLE_TAB_ACTIVE] = { 231, 24, LOOK_BOLD },
	[STYLE_CURSOR] = { 231, CURSOR_BG_256, 0 },
	[STYLE_KEY] = { 37, -1, LOOK_BOLD },
	[STYLE_BAR] = { 244, -1, 0 },
	[STYLE_STATUS] = { -1, -1, 0 },
	[STYLE_ACCENT1] = { 167, -1, 0 },
	[STYLE_ACCENT2] = { 71, -1, 0 },
	[STYLE_ACCENT3] = { 178, -1, 0 },
	[STYLE_ACCENT4] = { 68, -1, 0 },
	[STYLE_HEAT1] = { 24, -1, 0 },
	[STYLE_HEAT2] = { 37, -1, 0 },
	[STYLE_HEAT3] = { 178, -1, 0 },
	[STYLE_HEAT4] = { 196, -1, 0 },
	[STYLE_BOX1] = { 16, 174, 0 },
	[STYLE_BOX2] = { 16, 108, 0 },
	[STYLE_BOX3] = { 16, 179, 0 },
	[STYLE_BOX4] = { 16, 110, 0 },
	[STYLE_BOX5] = { 16, 250, 0 },
};

static const struct look looks_8[STYLE_COUNT] = {
	[STYLE_NORMAL] = { -1, -1, 0 },
	[STYLE_DIM] = { -1, -1, LOOK_DIM },
	[STYLE_BOLD] = { -1, -1, LOOK_BOLD },
	[STYLE_HEAD] = { -1, -1, LOOK_BOLD },
	[STYLE_SORT] = { -1, -1, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_READ] = { 6, -1, 0 },
	[STYLE_WRITE] = { 3, -1, 0 },
	[STYLE_WARN] = { 1, -1, LOOK_BOLD },
	[STYLE_TAB] = { -1, -1, 0 },
	[STYLE_TAB_ACTIVE] = { 7, 4, LOOK_BOLD },
	[STYLE_CURSOR] = { 7, 4, LOOK_BOLD },
	[STYLE_KEY] = { 6, -1, LOOK_BOLD },
	[STYLE_BAR] = { -1, -1, 0 },
	[STYLE_STATUS] = { -1, -1, 0 },
	[STYLE_ACCENT1] = { 1, -1, 0 },
	[STYLE_ACCENT2] = { 2, -1, 0 },
	[STYLE_ACCENT3] = { 3, -1, 0 },
	[STYLE_ACCENT4] = { 4, -1, 0 },
	[STYLE_HEAT1] = { 4, -1, 0 },
	[STYLE_HEAT2] = { 6, -1, 0 },
	[STYLE_HEAT3] = { 3, -1, LOOK_BOLD },
	[STYLE_HEAT4] = { 1, -1, LOOK_BOLD },
	[STYLE_BOX1] = { 0, 5, 0 },
	[STYLE_BOX2] = { 0, 2, 0 },
	[STYLE_BOX3] = { 0, 3, 0 },
	[STYLE_BOX4] = { 0, 6, 0 },
	[STYLE_BOX5] = { 0, 7, 0 },
};

static const struct look looks_mono[STYLE_COUNT] = {
	[STYLE_NORMAL] = { -1, -1, 0 },
	[STYLE_DIM] = { -1, -1, LOOK_DIM },
	[STYLE_BOLD] = { -1, -1, LOOK_BOLD },
	[STYLE_HEAD] = { -1, -1, LOOK_BOLD },
	[STYLE_SORT] = { -1, -1, LOOK_BOLD | LOOK_UNDERLINE },
	[STYLE_READ] = { -1, -1, 0 },
	[STYLE_WRITE] = { -1, -1, 0 },
	[STYLE_WARN] = { -1, -1, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_TAB] = { -1, -1, 0 },
	[STYLE_TAB_ACTIVE] = { -1, -1, LOOK_REVERSE },
	[STYLE_CURSOR] = { -1, -1, LOOK_REVERSE },
	[STYLE_KEY] = { -1, -1, LOOK_BOLD },
	[STYLE_BAR] = { -1, -1, 0 },
	[STYLE_STATUS] = { -1, -1, 0 },
	[STYLE_ACCENT1] = { -1, -1, LOOK_BOLD },
	[STYLE_ACCENT2] = { -1, -1, 0 },
	[STYLE_ACCENT3] = { -1, -1, LOOK_UNDERLINE },
	[STYLE_ACCENT4] = { -1, -1, LOOK_DIM },
	[STYLE_HEAT1] = { -1, -1, LOOK_DIM },
	[STYLE_HEAT2] = { -1, -1, 0 },
	[STYLE_HEAT3] = { -1, -1, LOOK_BOLD },
	[STYLE_HEAT4] = { -1, -1, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_BOX1] = { -1, -1, LOOK_REVERSE },
	[STYLE_BOX2] = { -1, -1, LOOK_UNDERLINE },
	[STYLE_BOX3] = { -1, -1, LOOK_REVERSE | LOOK_BOLD },
	[STYLE_BOX4] = { -1, -1, LOOK_UNDERLINE | LOOK_BOLD },
	[STYLE_BOX5] = { -1, -1, LOOK_BOLD },
};

static const struct look *const themes[THEME_COUNT] = {
	[THEME_MONO] = looks_mono,
	[THEME_8] = looks_8,
	[THEME_256] = looks_256,
};

struct look theme_look(enum theme theme, enum style style, bool cursor)
{
	struct look look = themes[theme][style];

	if (!cursor)
		return look;
	if (theme != THEME_256)
		return themes[theme][STYLE_CURSOR];
	/* Grey and the darker accents cannot be read on the background of the cursor. */
	look.bg = CURSOR_BG_256;
	if (look.fg == -1 || style >= STYLE_BOX1)
		look.fg = 231;
	else if (style == STYLE_DIM || style == STYLE_BAR)
		look.fg = 250;
	else if (style == STYLE_READ || style == STYLE_KEY)
		look.fg = 87;
	else if (style == STYLE_WRITE)
		look.fg = 221;
	return look;
}
