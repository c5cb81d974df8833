// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/theme.h"

#define WHITE_256 231
#define BLACK_256 16

const char *const theme_names[THEME_COUNT] = {
	[THEME_AUTO] = "auto",
	[THEME_DARK] = "dark",
	[THEME_LIGHT] = "light",
	[THEME_SAFE] = "safe",
	[THEME_MONO] = "mono",
};

/* Readable on a light background as well, for terminals that do not say which they have. */
static const struct look dark_256[STYLE_COUNT] = {
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
	[STYLE_CURSOR] = { 231, 24, 0 },
	[STYLE_KEY] = { 37, -1, LOOK_BOLD },
	[STYLE_BAR] = { 244, -1, 0 },
	[STYLE_STATUS] = { -1, -1, 0 },
	[STYLE_ACCENT1] = { 139, -1, 0 },
	[STYLE_ACCENT2] = { 71, -1, 0 },
	[STYLE_ACCENT3] = { 178, -1, 0 },
	[STYLE_ACCENT4] = { 68, -1, 0 },
	[STYLE_HEAT1] = { 24, -1, 0 },
	[STYLE_HEAT2] = { 37, -1, 0 },
	[STYLE_HEAT3] = { 178, -1, 0 },
	[STYLE_HEAT4] = { 228, -1, LOOK_BOLD },
	[STYLE_BOX1] = { 16, 139, 0 },
	[STYLE_BOX2] = { 16, 108, 0 },
	[STYLE_BOX3] = { 16, 179, 0 },
	[STYLE_BOX4] = { 16, 110, 0 },
	[STYLE_BOX5] = { 16, 250, 0 },
};

/* Darker, for a light background. */
static const struct look light_256[STYLE_COUNT] = {
	[STYLE_NORMAL] = { -1, -1, 0 },
	[STYLE_DIM] = { 242, -1, 0 },
	[STYLE_BOLD] = { -1, -1, LOOK_BOLD },
	[STYLE_HEAD] = { -1, -1, LOOK_BOLD },
	[STYLE_SORT] = { -1, -1, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_READ] = { 24, -1, 0 },
	[STYLE_WRITE] = { 130, -1, 0 },
	[STYLE_WARN] = { 160, -1, LOOK_BOLD },
	[STYLE_TAB] = { 242, -1, 0 },
	[STYLE_TAB_ACTIVE] = { 231, 24, LOOK_BOLD },
	[STYLE_CURSOR] = { 16, 153, 0 },
	[STYLE_KEY] = { 24, -1, LOOK_BOLD },
	[STYLE_BAR] = { 242, -1, 0 },
	[STYLE_STATUS] = { -1, -1, 0 },
	[STYLE_ACCENT1] = { 90, -1, 0 },
	[STYLE_ACCENT2] = { 22, -1, 0 },
	[STYLE_ACCENT3] = { 94, -1, 0 },
	[STYLE_ACCENT4] = { 25, -1, 0 },
	[STYLE_HEAT1] = { 152, -1, 0 },
	[STYLE_HEAT2] = { 73, -1, 0 },
	[STYLE_HEAT3] = { 136, -1, 0 },
	[STYLE_HEAT4] = { 54, -1, LOOK_BOLD },
	[STYLE_BOX1] = { 16, 182, 0 },
	[STYLE_BOX2] = { 16, 151, 0 },
	[STYLE_BOX3] = { 16, 222, 0 },
	[STYLE_BOX4] = { 16, 153, 0 },
	[STYLE_BOX5] = { 16, 253, 0 },
};

/* Told apart with deuteranopia and tritanopia: blue and orange, and by how light they are. */
static const struct look safe_256[STYLE_COUNT] = {
	[STYLE_NORMAL] = { -1, -1, 0 },
	[STYLE_DIM] = { 244, -1, 0 },
	[STYLE_BOLD] = { -1, -1, LOOK_BOLD },
	[STYLE_HEAD] = { -1, -1, LOOK_BOLD },
	[STYLE_SORT] = { -1, -1, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_READ] = { 32, -1, 0 },
	[STYLE_WRITE] = { 208, -1, 0 },
	[STYLE_WARN] = { 231, 125, LOOK_BOLD },
	[STYLE_TAB] = { 244, -1, 0 },
	[STYLE_TAB_ACTIVE] = { 231, 24, LOOK_BOLD },
	[STYLE_CURSOR] = { 231, 24, 0 },
	[STYLE_KEY] = { 32, -1, LOOK_BOLD },
	[STYLE_BAR] = { 244, -1, 0 },
	[STYLE_STATUS] = { -1, -1, 0 },
	[STYLE_ACCENT1] = { 208, -1, 0 },
	[STYLE_ACCENT2] = { 32, -1, 0 },
	[STYLE_ACCENT3] = { 178, -1, 0 },
	[STYLE_ACCENT4] = { 133, -1, 0 },
	[STYLE_HEAT1] = { 55, -1, 0 },
	[STYLE_HEAT2] = { 31, -1, 0 },
	[STYLE_HEAT3] = { 108, -1, 0 },
	[STYLE_HEAT4] = { 220, -1, LOOK_BOLD },
	[STYLE_BOX1] = { 16, 208, 0 },
	[STYLE_BOX2] = { 16, 117, 0 },
	[STYLE_BOX3] = { 16, 229, 0 },
	[STYLE_BOX4] = { 231, 96, 0 },
	[STYLE_BOX5] = { 16, 250, 0 },
};

/* Of 8 colours and of 16. */
static const struct look dark_8[STYLE_COUNT] = {
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
	[STYLE_ACCENT1] = { 5, -1, 0 },
	[STYLE_ACCENT2] = { 2, -1, 0 },
	[STYLE_ACCENT3] = { 3, -1, 0 },
	[STYLE_ACCENT4] = { 4, -1, 0 },
	[STYLE_HEAT1] = { 4, -1, 0 },
	[STYLE_HEAT2] = { 6, -1, 0 },
	[STYLE_HEAT3] = { 3, -1, 0 },
	[STYLE_HEAT4] = { 3, -1, LOOK_BOLD },
	[STYLE_BOX1] = { 0, 5, 0 },
	[STYLE_BOX2] = { 0, 2, 0 },
	[STYLE_BOX3] = { 0, 3, 0 },
	[STYLE_BOX4] = { 0, 6, 0 },
	[STYLE_BOX5] = { 0, 7, 0 },
};

/* Yellow and cyan cannot be read on white. */
static const struct look light_8[STYLE_COUNT] = {
	[STYLE_NORMAL] = { -1, -1, 0 },
	[STYLE_DIM] = { -1, -1, LOOK_DIM },
	[STYLE_BOLD] = { -1, -1, LOOK_BOLD },
	[STYLE_HEAD] = { -1, -1, LOOK_BOLD },
	[STYLE_SORT] = { -1, -1, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_READ] = { 4, -1, 0 },
	[STYLE_WRITE] = { 5, -1, 0 },
	[STYLE_WARN] = { 1, -1, LOOK_BOLD },
	[STYLE_TAB] = { -1, -1, 0 },
	[STYLE_TAB_ACTIVE] = { 7, 4, LOOK_BOLD },
	[STYLE_CURSOR] = { 7, 4, LOOK_BOLD },
	[STYLE_KEY] = { 4, -1, LOOK_BOLD },
	[STYLE_BAR] = { -1, -1, 0 },
	[STYLE_STATUS] = { -1, -1, 0 },
	[STYLE_ACCENT1] = { 5, -1, 0 },
	[STYLE_ACCENT2] = { 2, -1, 0 },
	[STYLE_ACCENT3] = { 5, -1, LOOK_BOLD },
	[STYLE_ACCENT4] = { 4, -1, 0 },
	[STYLE_HEAT1] = { 6, -1, 0 },
	[STYLE_HEAT2] = { 4, -1, 0 },
	[STYLE_HEAT3] = { 5, -1, 0 },
	[STYLE_HEAT4] = { 5, -1, LOOK_BOLD },
	[STYLE_BOX1] = { 0, 5, 0 },
	[STYLE_BOX2] = { 0, 2, 0 },
	[STYLE_BOX3] = { 0, 3, 0 },
	[STYLE_BOX4] = { 0, 6, 0 },
	[STYLE_BOX5] = { 0, 7, 0 },
};

static const struct look safe_8[STYLE_COUNT] = {
	[STYLE_NORMAL] = { -1, -1, 0 },
	[STYLE_DIM] = { -1, -1, LOOK_DIM },
	[STYLE_BOLD] = { -1, -1, LOOK_BOLD },
	[STYLE_HEAD] = { -1, -1, LOOK_BOLD },
	[STYLE_SORT] = { -1, -1, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_READ] = { 6, -1, 0 },
	[STYLE_WRITE] = { 3, -1, 0 },
	[STYLE_WARN] = { 7, 5, LOOK_BOLD },
	[STYLE_TAB] = { -1, -1, 0 },
	[STYLE_TAB_ACTIVE] = { 7, 4, LOOK_BOLD },
	[STYLE_CURSOR] = { 7, 4, LOOK_BOLD },
	[STYLE_KEY] = { 6, -1, LOOK_BOLD },
	[STYLE_BAR] = { -1, -1, 0 },
	[STYLE_STATUS] = { -1, -1, 0 },
	[STYLE_ACCENT1] = { 3, -1, LOOK_BOLD },
	[STYLE_ACCENT2] = { 6, -1, 0 },
	[STYLE_ACCENT3] = { 3, -1, 0 },
	[STYLE_ACCENT4] = { 5, -1, 0 },
	[STYLE_HEAT1] = { 4, -1, 0 },
	[STYLE_HEAT2] = { 6, -1, 0 },
	[STYLE_HEAT3] = { 3, -1, 0 },
	[STYLE_HEAT4] = { 7, -1, LOOK_BOLD },
	[STYLE_BOX1] = { 0, 3, 0 },
	[STYLE_BOX2] = { 0, 6, 0 },
	[STYLE_BOX3] = { 0, 7, 0 },
	[STYLE_BOX4] = { 7, 5, 0 },
	[STYLE_BOX5] = { 7, 4, 0 },
};

/* Writes are bold: graphs have both. */
static const struct look mono[STYLE_COUNT] = {
	[STYLE_NORMAL] = { -1, -1, 0 },
	[STYLE_DIM] = { -1, -1, LOOK_DIM },
	[STYLE_BOLD] = { -1, -1, LOOK_BOLD },
	[STYLE_HEAD] = { -1, -1, LOOK_BOLD },
	[STYLE_SORT] = { -1, -1, LOOK_BOLD | LOOK_UNDERLINE },
	[STYLE_READ] = { -1, -1, 0 },
	[STYLE_WRITE] = { -1, -1, LOOK_BOLD },
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

static const struct look *const themes[THEME_COUNT][DEPTH_COUNT] = {
	[THEME_AUTO] = { mono, dark_8, dark_256 },
	[THEME_DARK] = { mono, dark_8, dark_256 },
	[THEME_LIGHT] = { mono, light_8, light_256 },
	[THEME_SAFE] = { mono, safe_8, safe_256 },
	[THEME_MONO] = { mono, mono, mono },
};

/* Grey and the darker accents cannot be read on the background of the cursor. */
static int16_t on_dark(struct look look, enum style style)
{
	if (look.fg == -1 || look.fg == look.bg || style >= STYLE_BOX1)
		return WHITE_256;
	if (style == STYLE_DIM || style == STYLE_BAR)
		return 250;
	if (style == STYLE_READ || style == STYLE_KEY)
		return 87;
	return style == STYLE_WRITE ? 221 : look.fg;
}

struct look theme_look(enum theme theme, enum depth depth, enum style style, bool cursor)
{
	const struct look *looks = themes[theme][depth];
	struct look look = looks[style];

	if (!cursor)
		return look;
	if (depth != DEPTH_256 || theme == THEME_MONO)
		return looks[STYLE_CURSOR];
	look.bg = looks[STYLE_CURSOR].bg;
	if (theme != THEME_LIGHT)
		look.fg = on_dark(look, style);
	else if (look.fg == -1 || style == STYLE_DIM || style == STYLE_BAR)
		look.fg = BLACK_256;
	return look;
}
