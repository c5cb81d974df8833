// SPDX-License-Identifier: GPL-2.0-or-later
/* Colours: text can be read, and is told apart by the colour-blind in the theme for them. */
#include "unit.h"

#include <math.h>

#include "tui/draw/theme.h"

#define READABLE 3.0	/* contrast that WCAG asks of large text and of graphs */
#define PALE 2.2	/* of the least shade of a heat map */
#define APART 20.0	/* distance in CIELAB; 2.3 is just seen side by side */
#define BLACK 0x000000
#define WHITE 0xffffff

enum vision {
	USUAL,
	DEUTERANOPIA,
	TRITANOPIA,
	VISIONS,
};

struct rgb {
	double c[3];	/* linear */
};

static struct rgb linear(int32_t color)
{
	struct rgb out;

	for (int i = 0; i < 3; i++) {
		double v = (color >> (16 - 8 * i) & 0xff) / 255.0;

		out.c[i] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
	}
	return out;
}

static double luminance(struct rgb v)
{
	return 0.2126 * v.c[0] + 0.7152 * v.c[1] + 0.0722 * v.c[2];
}

static double contrast(int32_t a, int32_t b)
{
	double x = luminance(linear(a)), y = luminance(linear(b));

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

/* Machado, Oliveira and Fernandes (2009), of severity 1. */
static struct rgb seen(struct rgb v, enum vision vision)
{
	static const double matrices[VISIONS][3][3] = {
		[USUAL] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		[DEUTERANOPIA] = { { 0.367322, 0.860646, -0.227968 },
				   { 0.280085, 0.672501, 0.047413 },
				   { -0.011820, 0.042940, 0.968881 } },
		[TRITANOPIA] = { { 1.255528, -0.076749, -0.178779 },
				 { -0.078411, 0.930809, 0.147602 },
				 { 0.004733, 0.691367, 0.303900 } },
	};
	struct rgb out = { { 0 } };

	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++)
			out.c[i] += matrices[vision][i][k] * v.c[k];
		out.c[i] = fmin(fmax(out.c[i], 0), 1);
	}
	return out;
}

static struct rgb lab(struct rgb v)
{
	double f[3] = { (0.4124 * v.c[0] + 0.3576 * v.c[1] + 0.1805 * v.c[2]) / 0.9505,
			luminance(v),
			(0.0193 * v.c[0] + 0.1192 * v.c[1] + 0.9505 * v.c[2]) / 1.089 };

	for (int i = 0; i < 3; i++)
		f[i] = f[i] > 0.008856 ? cbrt(f[i]) : 7.787 * f[i] + 16.0 / 116;
	return (struct rgb){ { 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2]) } };
}

static double distance(int32_t a, int32_t b, enum vision vision)
{
	struct rgb x = lab(seen(linear(a), vision)), y = lab(seen(linear(b), vision));
	double sum = 0;

	for (int i = 0; i < 3; i++)
		sum += (x.c[i] - y.c[i]) * (x.c[i] - y.c[i]);
	return sqrt(sum);
}

static struct look colors_of(enum theme theme, enum style style, bool cursor)
{
	struct look look = theme_look(theme, DEPTH_DIRECT, style, cursor);

	if (look.fg < 0)
		look.fg = theme == THEME_LIGHT ? BLACK : WHITE;
	if (look.bg < 0)
		look.bg = theme == THEME_LIGHT ? WHITE : BLACK;
	return look;
}

START_TEST(text_can_be_read)
{
	for (int theme = THEME_DARK; theme <= THEME_SAFE; theme++)
		for (int i = 0; i < 2 * STYLE_COUNT; i++) {
			enum style style = i / 2;
			struct look look = colors_of(theme, style, i % 2);
			double least = style == STYLE_HEAT1 ? PALE : READABLE;

			ck_assert_msg(contrast(look.fg, look.bg) >= least,
				      "%s, style %d%s: %06x on %06x: %.2f", theme_names[theme],
				      (int)style, i % 2 ? ", cursor" : "", (unsigned)look.fg,
				      (unsigned)look.bg, contrast(look.fg, look.bg));
		}
}
END_TEST

/* More is further from the background. */
START_TEST(heat_has_an_order)
{
	for (int theme = THEME_DARK; theme <= THEME_SAFE; theme++)
		for (int style = STYLE_HEAT2; style <= STYLE_HEAT4; style++) {
			struct look less = colors_of(theme, style - 1, false),
				    more = colors_of(theme, style, false);

			ck_assert_msg(contrast(more.fg, more.bg) > contrast(less.fg, less.bg),
				      "%s, style %d", theme_names[theme], style);
		}
}
END_TEST

START_TEST(told_apart)
{
	static const struct {
		enum style a, b;
		bool box;
	} pairs[] = {
		{ STYLE_READ, STYLE_WRITE },	  { STYLE_READ, STYLE_NORMAL },
		{ STYLE_WRITE, STYLE_NORMAL },	  { STYLE_ACCENT1, STYLE_ACCENT2 },
		{ STYLE_ACCENT1, STYLE_ACCENT3 }, { STYLE_ACCENT1, STYLE_ACCENT4 },
		{ STYLE_ACCENT2, STYLE_ACCENT3 }, { STYLE_ACCENT2, STYLE_ACCENT4 },
		{ STYLE_ACCENT3, STYLE_ACCENT4 }, { STYLE_HEAT1, STYLE_HEAT2 },
		{ STYLE_HEAT2, STYLE_HEAT3 },	  { STYLE_HEAT3, STYLE_HEAT4 },
		{ STYLE_BOX1, STYLE_BOX2, true }, { STYLE_BOX1, STYLE_BOX3, true },
		{ STYLE_BOX1, STYLE_BOX4, true }, { STYLE_BOX1, STYLE_BOX5, true },
		{ STYLE_BOX2, STYLE_BOX3, true }, { STYLE_BOX2, STYLE_BOX4, true },
		{ STYLE_BOX3, STYLE_BOX4, true }, { STYLE_BOX3, STYLE_BOX5, true },
		{ STYLE_BOX4, STYLE_BOX5, true }, { STYLE_BOX6, STYLE_BOX1, true },
		{ STYLE_BOX6, STYLE_BOX2, true }, { STYLE_BOX6, STYLE_BOX3, true },
		{ STYLE_BOX6, STYLE_BOX4, true }, { STYLE_BOX7, STYLE_BOX1, true },
		{ STYLE_BOX7, STYLE_BOX2, true }, { STYLE_BOX7, STYLE_BOX3, true },
		{ STYLE_BOX7, STYLE_BOX4, true }, { STYLE_BOX7, STYLE_BOX6, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs) * VISIONS; i++) {
		enum vision vision = i % VISIONS;
		struct look a = colors_of(THEME_SAFE, pairs[i / VISIONS].a, false),
			    b = colors_of(THEME_SAFE, pairs[i / VISIONS].b, false);
		bool box = pairs[i / VISIONS].box;
		double far = distance(box ? a.bg : a.fg, box ? b.bg : b.fg, vision);

		ck_assert_msg(far >= APART, "styles %d and %d, vision %d: %.1f",
			      (int)pairs[i / VISIONS].a, (int)pairs[i / VISIONS].b, (int)vision,
			      far);
	}
}
END_TEST

/* The same colour, whether by its place in the palette or by its parts. */
START_TEST(direct)
{
	ck_assert_int_eq(theme_look(THEME_DARK, DEPTH_DIRECT, STYLE_READ, false).fg, 0x00afaf);
	ck_assert_int_eq(theme_look(THEME_DARK, DEPTH_DIRECT, STYLE_DIM, false).fg, 0x808080);
	ck_assert_int_eq(theme_look(THEME_DARK, DEPTH_DIRECT, STYLE_NORMAL, false).fg, -1);
	ck_assert_int_eq(theme_look(THEME_DARK, DEPTH_DIRECT, STYLE_CURSOR, false).bg, 0x005f87);
	ck_assert_int_eq(theme_look(THEME_MONO, DEPTH_DIRECT, STYLE_READ, false).fg, -1);
	/* Of 16 colours the bright ones are used, of 8 there are none. */
	ck_assert_int_eq(theme_look(THEME_DARK, DEPTH_16, STYLE_READ, false).fg, 14);
	ck_assert_int_eq(theme_look(THEME_DARK, DEPTH_8, STYLE_READ, false).fg, 6);
}
END_TEST

UNIT_MAIN("theme", text_can_be_read, heat_has_an_order, told_apart, direct)
