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

enum {
	SCHEME_DARK,
	SCHEME_LIGHT,
	SCHEME_SAFE,
	SCHEMES,
};

/* What a colour is for. */
enum role {
	ROLE_NONE,	/* the terminal's own */
	ROLE_DIM,
	ROLE_GREY,
	ROLE_READ,
	ROLE_WRITE,
	ROLE_WARN,
	ROLE_WARN_BACK,
	ROLE_OPEN,	/* on the background of the open tab */
	ROLE_OPEN_BACK,
	ROLE_CURSOR,
	ROLE_CURSOR_BACK,
	ROLE_ACCENT1,
	ROLE_ACCENT2,
	ROLE_ACCENT3,
	ROLE_ACCENT4,
	ROLE_HEAT1,
	ROLE_HEAT2,
	ROLE_HEAT3,
	ROLE_HEAT4,
	ROLE_INK,	/* text on a box */
	ROLE_INK4,
	ROLE_INK5,
	ROLE_INK6,
	ROLE_BOX1,
	ROLE_BOX2,
	ROLE_BOX3,
	ROLE_BOX4,
	ROLE_BOX5,
	ROLE_BOX6,
	ROLE_BOX7,
	ROLE_COUNT,
};

/* Where there are few colours an attribute stands for some. */
#define BOLD 0x400
#define DIM 0x800
#define NONE 0x1ff

/*
 * The colours of each role, by what the terminal can show: of the dark scheme, of the light one,
 * and of the one that is told apart with deuteranopia and tritanopia, by blue and orange and by how
 * light they are. Dark is readable on a light background as well, for terminals that do not say
 * which they have. Of 8 colours yellow and cyan cannot be read on white, blue not on black. The
 * eighth of 16 is the background of some palettes and not used for text.
 */
static const uint16_t palette[ROLE_COUNT][DEPTH_COUNT][SCHEMES] = {
#define ROW(d8, l8, s8, d16, l16, s16, d256, l256, s256)                                        \
	{ [DEPTH_8] = { d8, l8, s8 }, [DEPTH_16] = { d16, l16, s16 },                           \
	  [DEPTH_256] = { d256, l256, s256 } }
	[ROLE_NONE] = ROW(NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE),
	[ROLE_DIM] = ROW(DIM | NONE, DIM | NONE, DIM | NONE, DIM | NONE, DIM | NONE, DIM | NONE,
			 244, 242, 244),
	[ROLE_GREY] = ROW(NONE, NONE, NONE, NONE, NONE, NONE, 244, 242, 244),
	[ROLE_READ] = ROW(6, 4, 6, 14, 4, 14, 37, 24, 32),
	[ROLE_WRITE] = ROW(3, 5, 3, 11, 5, 11, 172, 130, 208),
	[ROLE_WARN] = ROW(1, 1, 7, 9, 1, 15, 197, 160, 231),
	[ROLE_WARN_BACK] = ROW(NONE, NONE, 5, NONE, NONE, 5, NONE, NONE, 125),
	[ROLE_OPEN] = ROW(7, 7, 7, 15, 15, 15, 231, 231, 231),
	[ROLE_OPEN_BACK] = ROW(4, 4, 4, 4, 4, 4, 24, 24, 24),
	[ROLE_CURSOR] = ROW(BOLD | 7, BOLD | 7, BOLD | 7, 15, 15, 15, 231, 16, 231),
	[ROLE_CURSOR_BACK] = ROW(4, 4, 4, 4, 4, 4, 24, 153, 24),
	[ROLE_ACCENT1] = ROW(5, 5, BOLD | 3, 13, 5, 11, 139, 90, 208),
	[ROLE_ACCENT2] = ROW(2, 2, 6, 10, 2, 14, 71, 22, 32),
	[ROLE_ACCENT3] = ROW(3, BOLD | 5, 7, 11, BOLD | 5, 7, 178, 94, 229),
	[ROLE_ACCENT4] = ROW(BOLD | 4, 4, 5, 12, 4, 13, 68, 25, 133),
	[ROLE_HEAT1] = ROW(4, 6, 4, 4, 6, 4, 31, 110, 61),
	[ROLE_HEAT2] = ROW(6, 4, 6, 12, 4, 12, 37, 31, 74),
	[ROLE_HEAT3] = ROW(3, 5, 3, 14, 5, 14, 178, 130, 178),
	[ROLE_HEAT4] = ROW(BOLD | 3, BOLD | 5, BOLD | 7, BOLD | 15, BOLD | 5, BOLD | 15, BOLD | 228,
			   BOLD | 54, BOLD | 231),
	[ROLE_INK] = ROW(0, 0, 0, 0, 0, 0, 16, 16, 16),
	[ROLE_INK4] = ROW(0, 0, 7, 0, 0, 15, 16, 16, 231),
	[ROLE_INK5] = ROW(0, 0, 7, 0, 0, 15, 16, 16, 16),
	[ROLE_INK6] = ROW(7, 7, 0, 0, 0, 0, 16, 16, 16),
	[ROLE_BOX1] = ROW(5, 5, 3, 13, 13, 11, 139, 182, 208),
	[ROLE_BOX2] = ROW(2, 2, 6, 10, 10, 14, 108, 151, 117),
	[ROLE_BOX3] = ROW(3, 3, 7, 11, 11, 7, 179, 222, 229),
	[ROLE_BOX4] = ROW(6, 6, 5, 14, 14, 5, 110, 153, 96),
	[ROLE_BOX5] = ROW(7, 7, 4, 7, 7, 4, 250, 253, 250),
	[ROLE_BOX6] = ROW(4, 4, 2, 2, 2, 6, 71, 107, 65),
	[ROLE_BOX7] = ROW(2, 2, 6, 12, 12, 12, 37, 80, 63),
#undef ROW
};

/* The styles, in all themes. Without colours writes are bold: graphs have both. */
static const struct {
	uint8_t fg, bg;		/* enum role */
	uint8_t attrs, mono;	/* enum look_attr, with colours and without */
} styles[STYLE_COUNT] = {
	[STYLE_NORMAL] = { 0 },
	[STYLE_DIM] = { ROLE_DIM, 0, 0, LOOK_DIM },
	[STYLE_BOLD] = { 0, 0, LOOK_BOLD, LOOK_BOLD },
	[STYLE_HEAD] = { 0, 0, LOOK_BOLD, LOOK_BOLD },
	[STYLE_SORT] = { 0, 0, LOOK_BOLD | LOOK_REVERSE, LOOK_BOLD | LOOK_UNDERLINE },
	[STYLE_READ] = { ROLE_READ, 0, 0, 0 },
	[STYLE_WRITE] = { ROLE_WRITE, 0, 0, LOOK_BOLD },
	[STYLE_WARN] = { ROLE_WARN, ROLE_WARN_BACK, LOOK_BOLD, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_TAB] = { ROLE_GREY, 0, 0, 0 },
	[STYLE_TAB_ACTIVE] = { ROLE_OPEN, ROLE_OPEN_BACK, LOOK_BOLD, LOOK_REVERSE },
	[STYLE_CURSOR] = { ROLE_CURSOR, ROLE_CURSOR_BACK, 0, LOOK_REVERSE },
	[STYLE_KEY] = { ROLE_READ, 0, LOOK_BOLD, LOOK_BOLD },
	[STYLE_BAR] = { ROLE_GREY, 0, 0, 0 },
	[STYLE_STATUS] = { 0 },
	[STYLE_ACCENT1] = { ROLE_ACCENT1, 0, 0, LOOK_BOLD },
	[STYLE_ACCENT2] = { ROLE_ACCENT2, 0, 0, 0 },
	[STYLE_ACCENT3] = { ROLE_ACCENT3, 0, 0, LOOK_UNDERLINE },
	[STYLE_ACCENT4] = { ROLE_ACCENT4, 0, 0, LOOK_DIM },
	[STYLE_HEAT1] = { ROLE_HEAT1, 0, 0, LOOK_DIM },
	[STYLE_HEAT2] = { ROLE_HEAT2, 0, 0, 0 },
	[STYLE_HEAT3] = { ROLE_HEAT3, 0, 0, LOOK_BOLD },
	[STYLE_HEAT4] = { ROLE_HEAT4, 0, 0, LOOK_BOLD | LOOK_REVERSE },
	[STYLE_BOX1] = { ROLE_INK, ROLE_BOX1, 0, LOOK_REVERSE },
	[STYLE_BOX2] = { ROLE_INK, ROLE_BOX2, 0, LOOK_UNDERLINE },
	[STYLE_BOX3] = { ROLE_INK, ROLE_BOX3, 0, LOOK_REVERSE | LOOK_BOLD },
	[STYLE_BOX4] = { ROLE_INK4, ROLE_BOX4, 0, LOOK_UNDERLINE | LOOK_BOLD },
	[STYLE_BOX5] = { ROLE_INK5, ROLE_BOX5, 0, LOOK_BOLD },
	[STYLE_BOX6] = { ROLE_INK6, ROLE_BOX6, 0, LOOK_UNDERLINE | LOOK_DIM },
	[STYLE_BOX7] = { ROLE_INK, ROLE_BOX7, LOOK_UNDERLINE, LOOK_REVERSE | LOOK_DIM },
};

static int32_t color_of(uint16_t entry)
{
	return (entry & NONE) == NONE ? -1 : entry & NONE;
}

static struct look look_of(enum theme theme, enum depth depth, enum style style)
{
	unsigned scheme = theme == THEME_LIGHT  ? SCHEME_LIGHT
			  : theme == THEME_SAFE ? SCHEME_SAFE
						: SCHEME_DARK;
	uint16_t fg, bg;

	if (theme == THEME_MONO || depth == DEPTH_NONE)
		return (struct look){ -1, -1, styles[style].mono };
	fg = palette[styles[style].fg][depth][scheme];
	bg = palette[styles[style].bg][depth][scheme];
	return (struct look){ color_of(fg), color_of(bg),
			      styles[style].attrs | (fg & BOLD ? LOOK_BOLD : 0) |
				      (fg & DIM ? LOOK_DIM : 0) };
}

/* Colours that cannot be read on the background of the cursor give way to others like them. */
static int32_t on_cursor(enum theme theme, struct look look, enum style style)
{
	static const int16_t dark[STYLE_COUNT] = {
		[STYLE_DIM] = 252,     [STYLE_BAR] = 252,     [STYLE_TAB] = 252,
		[STYLE_READ] = 87,     [STYLE_KEY] = 87,      [STYLE_WRITE] = 221,
		[STYLE_WARN] = 217,    [STYLE_ACCENT1] = 183, [STYLE_ACCENT2] = 120,
		[STYLE_ACCENT3] = 228, [STYLE_ACCENT4] = 153, [STYLE_HEAT1] = 110,
		[STYLE_HEAT2] = 116,   [STYLE_HEAT3] = 221,   [STYLE_HEAT4] = 230,
	}, light[STYLE_COUNT] = {
		[STYLE_DIM] = 16,      [STYLE_BAR] = 16,      [STYLE_TAB] = 16,
		[STYLE_TAB_ACTIVE] = 16, [STYLE_WRITE] = 94,  [STYLE_WARN] = 124,
		[STYLE_HEAT1] = 67,    [STYLE_HEAT2] = 24,    [STYLE_HEAT3] = 94,
	};
	bool on_light = theme == THEME_LIGHT;
	int32_t other = on_light ? light[style] : dark[style];

	if (other)
		return other;
	return on_light && look.fg != -1 ? look.fg : on_light ? BLACK_256 : WHITE_256;
}

/*
 * A colour of the 256 by its red, green and blue; the first eight stay the terminal's own, and the
 * bright ones are like them.
 */
static int32_t rgb_of(int32_t color)
{
	static const int32_t steps[] = { 0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff };
	int32_t n = color - 16, grey = 8 + 10 * (color - 232);

	if (color < 16)
		return color < 8 ? color : color - 8;
	if (color >= 232)
		return grey << 16 | grey << 8 | grey;
	return steps[n / 36] << 16 | steps[n / 6 % 6] << 8 | steps[n % 6];
}

struct look theme_look(enum theme theme, enum depth depth, enum style style, bool cursor)
{
	enum depth colors = depth == DEPTH_DIRECT ? DEPTH_256 : depth;
	struct look look = look_of(theme, colors, style), row;

	if (cursor) {
		row = look_of(theme, colors, STYLE_CURSOR);
		if (colors != DEPTH_256 || theme == THEME_MONO)
			return row;
		look.bg = row.bg;
		look.fg = on_cursor(theme, look, style);
	}
	if (depth == DEPTH_DIRECT)
		look = (struct look){ rgb_of(look.fg), rgb_of(look.bg), look.attrs };
	return look;
}
