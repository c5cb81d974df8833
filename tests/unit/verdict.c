// SPDX-License-Identifier: GPL-2.0-or-later
/* How many lines the sentence of a finding takes, while its numbers change. */
#include "finding_seconds.h"
#include "tui/draw/canvas.h"
#include "tui/draw/verdict.h"

static struct canvas canvas;

static void setup(void)
{
	begin();
	canvas_init(&canvas, 10, 3);
}

static void teardown(void)
{
	canvas_release(&canvas);
	samples_teardown();
}

static int lines_at(int width, struct verdict_wide *wide, const struct model *m)
{
	canvas_resize(&canvas, width, 3);
	return verdict_draw(&canvas, 0, 2, wide, m);
}

/* The greatest width at which it takes two lines. */
static int widest(const struct model *m)
{
	for (int width = 300; width > 40; width--) {
		struct verdict_wide none = { 0 };

		if (lines_at(width, &none, m) == 2)
			return width;
	}
	ck_abort_msg("one line at any width");
}

/* "80.0 %" needs one column more than "100 %". */
START_TEST(keeps_its_second_line)
{
	static const struct second longer = { .busy = 100, .depth = 30, .wait = 80, .load = 60 };
	static const struct second shorter = { .busy = 100, .depth = 30, .wait = 100, .load = 60 };
	struct verdict_wide wide = { 0 }, none = { 0 };
	const struct model *m = NULL;
	int width;

	for (int i = 0; i < 5; i++)
		m = play(&longer);
	ck_assert_ptr_nonnull(found(m, "disk-saturated"));
	width = widest(m);
	ck_assert_int_eq(lines_at(width, &wide, m), 2);
	m = play(&shorter);
	ck_assert_int_eq(lines_at(width, &none, m), 1);
	ck_assert_int_eq(lines_at(width, &wide, m), 2);
	/* Another terminal: it is asked anew. */
	ck_assert_int_eq(lines_at(width + 1, &wide, m), 1);
}
END_TEST

UNIT_FIXTURE_MAIN("verdict", setup, teardown, keeps_its_second_line)
