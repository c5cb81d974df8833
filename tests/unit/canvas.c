/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells: clipping, wide characters, combining marks, ASCII. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../golden/dump.h"
#include "base/clock.h"
#include "data/model.h"
#include "tui/background.h"
#include "tui/draw/text_cursor.h"
#include "tui/draw/canvas.h"
#include "tui/draw/fields.h"
#include "tui/draw/plot.h"
#include "tui/draw/theme.h"
#include "unit.h"

static struct canvas canvas;
static struct buf out;

static void setup(void)
{
	canvas_init(&canvas, 10, 2);
	out = (struct buf){ 0 };
}

static void teardown(void)
{
	canvas_release(&canvas);
	buf_release(&out);
}

static const char *dump(bool styles)
{
	buf_reset(&out);
	canvas_dump(&canvas, &out, styles);
	return out.data;
}

START_TEST(text_is_clipped_on_every_side)
{
	ck_assert_int_eq(canvas_text(&canvas, 7, 0, -1, STYLE_NORMAL, "abcdef"), 3);
	ck_assert_int_eq(canvas_text(&canvas, -2, 1, -1, STYLE_NORMAL, "uvwxyz"), 6);
	canvas_text(&canvas, 0, -1, -1, STYLE_NORMAL, "above");
	canvas_text(&canvas, 0, 2, -1, STYLE_NORMAL, "below");
	canvas_text(&canvas, 10, 0, -1, STYLE_NORMAL, "beside");
	ck_assert_str_eq(dump(false), "       abc\nwxyz\n");
	ck_assert_int_eq(canvas_text(&canvas, 0, 0, 2, STYLE_NORMAL, "xyz"), 2);
	ck_assert_int_eq(canvas_text(&canvas, 0, 0, 0, STYLE_NORMAL, "xyz"), 0);
	ck_assert_str_eq(dump(false), "xy     abc\nwxyz\n");
}
END_TEST

START_TEST(right_alignment)
{
	canvas_text_right(&canvas, 0, 0, 6, STYLE_NORMAL, "1.2 MB");
	canvas_text_right(&canvas, 0, 1, 6, STYLE_NORMAL, "µs");
	ck_assert_str_eq(dump(false), "1.2 MB\n    µs\n");
}
END_TEST

START_TEST(a_wide_character_is_whole_or_not_there)
{
	/* It does not fit into the last column. */
	ck_assert_int_eq(canvas_text(&canvas, 9, 0, -1, STYLE_NORMAL, "文"), 0);
	ck_assert_int_eq(canvas_text(&canvas, 0, 0, 3, STYLE_NORMAL, "文件"), 2);
	ck_assert_str_eq(dump(false), "文\n\n");
	/* Half of it is overwritten: the other half becomes a blank. */
	canvas_text(&canvas, 1, 0, -1, STYLE_NORMAL, "x");
	ck_assert_str_eq(dump(false), " x\n\n");
	canvas_text(&canvas, 0, 1, -1, STYLE_NORMAL, "文件");
	canvas_text(&canvas, 2, 1, -1, STYLE_NORMAL, "x");
	ck_assert_str_eq(dump(false), " x\n文x\n");
	/* A wide one over the right half of one and the left half of the next. */
	canvas_text(&canvas, 0, 1, -1, STYLE_NORMAL, "文件");
	canvas_text(&canvas, 1, 1, -1, STYLE_NORMAL, "名");
	ck_assert_str_eq(dump(false), " x\n 名\n");
}
END_TEST

START_TEST(marks_join_their_character)
{
	ck_assert_int_eq(canvas_text(&canvas, 0, 0, -1, STYLE_NORMAL, "e\xcc\x81x"), 2);
	ck_assert_str_eq(canvas_cell(&canvas, 0, 0)->text, "e\xcc\x81");
	ck_assert_str_eq(canvas_cell(&canvas, 1, 0)->text, "x");
	/* Without an end: more than a cell holds is left away, nothing else is touched. */
	canvas_text(&canvas, 0, 1, -1, STYLE_NORMAL,
		    "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"
		     "\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81y");
	ck_assert_uint_lt(strlen(canvas_cell(&canvas, 0, 1)->text), sizeof(canvas.cells[0].text));
	ck_assert_str_eq(canvas_cell(&canvas, 1, 1)->text, "y");
}
END_TEST

START_TEST(ascii_keeps_the_columns)
{
	canvas.glyphs = GLYPHS_ASCII;
	ck_assert_int_eq(canvas_text(&canvas, 0, 0, -1, STYLE_NORMAL, "a›文µ…"), 6);
	ck_assert_str_eq(dump(false), "a>??u~\n\n");
}
END_TEST

START_TEST(styles_are_dumped)
{
	canvas_text(&canvas, 0, 0, -1, STYLE_READ, "ab");
	canvas_embolden(&canvas, 1, 0, 1);
	canvas_text(&canvas, 0, 1, -1, STYLE_WARN, "c");
	canvas_highlight(&canvas, 1);
	ck_assert_str_eq(dump(true), "ab\nrr\n *\nc\n!.........\n==========\n");
}
END_TEST

START_TEST(no_size_is_too_small)
{
	for (int width = 0; width < 3; width++) {
		for (int height = 0; height < 3; height++) {
			canvas_resize(&canvas, width, height);
			canvas_text(&canvas, 0, 0, -1, STYLE_NORMAL, "文件abc");
			canvas_fill(&canvas, -1, 0, 5, STYLE_NORMAL, "─");
			canvas_highlight(&canvas, height);
			dump(true);
		}
	}
	canvas_resize(&canvas, -5, -5);
	ck_assert_int_eq(canvas.width, 0);
	ck_assert_ptr_null(canvas_cell(&canvas, 0, 0));
}
END_TEST

START_TEST(graphs_show_something_when_there_is_something)
{
	static const float values[] = { 0, 0.001f, 50, 100 };

	plot_line(&canvas, 0, 0, 4, STYLE_NORMAL, values, 4, 100);
	plot_bar(&canvas, 0, 1, 4, STYLE_NORMAL, 0.26);
	ck_assert_str_eq(dump(false), " ▁▄█\n█▏\n");
	canvas_clear(&canvas);
	canvas.glyphs = GLYPHS_BRAILLE;
	plot_line(&canvas, 0, 0, 4, STYLE_NORMAL, values, 4, 100);
	ck_assert_str_eq(dump(false), "  ⢀⣼\n\n");
	canvas_clear(&canvas);
	canvas.glyphs = GLYPHS_ASCII;
	plot_line(&canvas, 0, 0, 4, STYLE_NORMAL, values, 4, 100);
	plot_bar(&canvas, 0, 1, 4, STYLE_NORMAL, 0.26);
	ck_assert_str_eq(dump(false), " .=#\n##\n");
}
END_TEST

START_TEST(every_style_has_a_look_in_every_theme)
{
	for (unsigned i = 0; i < THEME_COUNT * DEPTH_COUNT * STYLE_COUNT; i++) {
		enum theme theme = i / STYLE_COUNT / DEPTH_COUNT;
		enum depth depth = i / STYLE_COUNT % DEPTH_COUNT;
		enum style style = i % STYLE_COUNT;
		struct look look = theme_look(theme, depth, style, false),
			    under = theme_look(theme, depth, style, true);

		if (theme == THEME_MONO || depth == DEPTH_NONE)
			ck_assert(look.fg == -1 && look.bg == -1);
		/* What is wrong is never said by colour alone. */
		if (style == STYLE_WARN)
			ck_assert(look.attrs);
		ck_assert(look.fg || look.bg || look.attrs);
		/* Text can be read, under the cursor as well, and the cursor is seen. */
		ck_assert(look.fg == -1 || look.fg != look.bg);
		ck_assert(under.fg == -1 || under.fg != under.bg);
		ck_assert(under.bg != -1 || under.attrs & LOOK_REVERSE);
	}
}
END_TEST

/* What is of a colour that only what is wrong has. */
START_TEST(red_is_what_is_wrong)
{
	static const int32_t red[] = { 1, 9, 160, 196, 197, 0xd70000, 0xff0000, 0xff005f };

	for (unsigned i = 0; i < THEME_COUNT * DEPTH_COUNT * STYLE_COUNT; i++) {
		struct look look = theme_look(i / STYLE_COUNT / DEPTH_COUNT,
					      i / STYLE_COUNT % DEPTH_COUNT, i % STYLE_COUNT,
					      false);

		for (size_t k = 0; k < ARRAY_SIZE(red) && i % STYLE_COUNT != STYLE_WARN; k++)
			ck_assert(look.fg != red[k] && look.bg != red[k]);
	}
}
END_TEST

static enum background answered(const char *text, const char *rest, bool done)
{
	struct buf read = { 0 };
	enum background is;
	bool last;

	buf_puts(&read, text);
	is = background_answer(&read, &last);
	ck_assert_str_eq(read.data, rest);
	ck_assert(last == done);
	buf_release(&read);
	return is;
}

START_TEST(background)
{
	ck_assert(answered("\033]11;rgb:1e1e/1e1e/2020\033\\\033[?62;22c", "", true) ==
		  BACKGROUND_DARK);
	ck_assert(answered("\033]11;rgb:ffff/ffff/dddd\aq", "q", false) == BACKGROUND_LIGHT);
	ck_assert(answered("\033]11;rgba:ff/ff/ff/80\aq\033[?1;2cx", "qx", true) ==
		  BACKGROUND_LIGHT);
	/* Blue is dark, yellow light. */
	ck_assert(answered("\033]11;rgb:00/00/ff\a", "", false) == BACKGROUND_DARK);
	ck_assert(answered("\033]11;rgb:ff/ff/00\a", "", false) == BACKGROUND_LIGHT);
	/* No answer, half of one, nonsense; keys stay. */
	ck_assert(answered("\033[?6c", "", true) == BACKGROUND_UNKNOWN);
	ck_assert(answered("\033[A\033]11;rgb:ffff/ff", "\033[A\033]11;rgb:ffff/ff", false) ==
		  BACKGROUND_UNKNOWN);
	ck_assert(answered("\033]11;red\aq", "q", false) == BACKGROUND_UNKNOWN);
	ck_assert(answered("\033]11;rgb:\aq", "q", false) == BACKGROUND_UNKNOWN);
}
END_TEST

/* What comes before an answer does, and cannot be read on: nobody waits for ever. */
START_TEST(no_answer)
{
	static const char *const typed[] = { "", "\0" };

	for (size_t i = 0; i < ARRAY_SIZE(typed); i++) {
		struct background_question q = { .until = clock_mono() + 3600 * NSEC_PER_SEC };
		int ends[2];

		ck_assert(!pipe(ends) && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
		ck_assert(!background_listen(&q, false));
		/* The end of the terminal; a byte that is in no text. */
		ck_assert(write(ends[1], typed[i], i) == (ssize_t)i);
		if (!i)
			close(ends[1]);
		unsetenv("COLORFGBG");
		ck_assert(background_listen(&q, true) && !q.until);
		ck_assert(q.found == BACKGROUND_UNKNOWN);
		/* It is answered for good. */
		ck_assert(background_listen(&q, false));
		buf_release(&q.read);
	}
}
END_TEST

static void write_sections(struct text_cursor *tc, const void *arg)
{
	const char *names = arg;

	for (; *names; names++) {
		text_section(tc);
		for (int line = 0; line < *names - '0'; line++) {
			text_printf(tc, 0, -1, STYLE_NORMAL, "%c", *names);
			text_next(tc);
		}
	}
}

/* Sections stay whole, columns are about equally long, what scrolls does so in all of them. */
START_TEST(columns_beside_each_other)
{
	struct text_cursor tc;

	canvas_resize(&canvas, 12, 4);
	tc = text_start(&canvas, (struct rect){ .width = 12, .height = 4 }, 0);
	text_columns(&tc, 6, write_sections, "2131");
	ck_assert_int_eq(text_lines(&tc, 0), 4);
	ck_assert_str_eq(dump(false), "2     3\n2     3\n1     3\n      1\n");
	canvas_clear(&canvas);
	tc = text_start(&canvas, (struct rect){ .width = 12, .height = 4 }, 2);
	text_columns(&tc, 6, write_sections, "2131");
	ck_assert_int_eq(text_lines(&tc, 2), 4);
	ck_assert_str_eq(dump(false), "1     3\n      1\n\n\n");
	canvas_clear(&canvas);
	tc = text_start(&canvas, (struct rect){ .width = 12, .height = 4 }, 0);
	text_columns(&tc, 7, write_sections, "21");
	ck_assert_str_eq(dump(false), "2\n2\n1\n\n");
}
END_TEST

START_TEST(long_texts_are_cut)
{
	struct text_cursor tc;

	canvas_resize(&canvas, 9, 4);
	tc = text_start(&canvas, (struct rect){ .width = 9, .height = 4 }, 0);
	text_wrap_most(&tc, 0, 2, STYLE_NORMAL, "one two three four five");
	text_wrap_most(&tc, 0, 2, STYLE_NORMAL, "sixty seven");
	ck_assert_int_eq(text_lines(&tc, 0), 4);
	ck_assert_str_eq(dump(false), "one two\nthree f…\nsixty\nseven\n");
}
END_TEST

/* What it is of an interval of a second in which a source was watched for so long. */
static double scale_of(double watched)
{
	struct text_cursor tc = text_start(&canvas, (struct rect){ .width = 9, .height = 4 }, 0);
	struct model m = { .interval = 1 };
	double before;

	canvas.scale = 1;
	m.sources[__builtin_ctz(SRC_LAYERS)].watch.watched_ns = (uint64_t)(watched * NSEC_PER_SEC);
	before = field_scale(&tc, &m, SRC_LAYERS, false);
	ck_assert(before == 1);
	return canvas.scale;
}

/* Counts of half an interval are rates of a whole one; a hundredth is of when it was read. */
START_TEST(counts_of_a_part_of_the_interval)
{
	ck_assert(scale_of(1) == 1);
	ck_assert(scale_of(0.99) == 1);
	ck_assert(scale_of(1.02) == 1);
	ck_assert_double_eq_tol(scale_of(0.5), 2, 0.001);
	ck_assert_double_eq_tol(scale_of(0.25), 4, 0.001);
	/* Too short to be a rate: it is not known. */
	ck_assert(isnan(scale_of(0.01)));
}
END_TEST

UNIT_FIXTURE_MAIN("canvas", setup, teardown, text_is_clipped_on_every_side, right_alignment,
		  a_wide_character_is_whole_or_not_there, marks_join_their_character,
		  ascii_keeps_the_columns, styles_are_dumped, no_size_is_too_small,
		  graphs_show_something_when_there_is_something,
		  every_style_has_a_look_in_every_theme, red_is_what_is_wrong, background,
		  no_answer, columns_beside_each_other, long_texts_are_cut,
		  counts_of_a_part_of_the_interval)
