// SPDX-License-Identifier: GPL-2.0-or-later
/* The part of a task's detail on its files. */
#include "screens/tasks.h"

#include "base/i18n.h"
#include "data/names.h"
#include "tui/draw/fields.h"

#define NUMBER 9
#define SUM 8
#define DISK 8
#define SHOWN 20u
#define WITH_SUMS 78	/* columns from which on there are sums, too */

/* Sums only where they leave enough for the name of the file. Returns where the rates begin. */
static int rates_begin(const struct text_cursor *tc)
{
	return tc->area.width < WITH_SUMS ? 7 : 7 + 2 * (SUM + 1);
}

static void draw_head(struct text_cursor *tc)
{
	int x = rates_begin(tc);

	text_put(tc, 1, -1, STYLE_HEAD, _("FILES"));
	if (x > 7) {
		text_right(tc, 7, SUM, STYLE_HEAD, _("READ"));
		text_right(tc, 16, SUM, STYLE_HEAD, _("WRITE"));
	}
	text_right(tc, x, NUMBER, STYLE_HEAD, _("READ/s"));
	text_right(tc, x + 10, NUMBER, STYLE_HEAD, _("WRITE/s"));
	text_put(tc, x + 20, DISK, STYLE_HEAD, _("DISK"));
	text_put(tc, x + 29, -1, STYLE_HEAD, _("FILE"));
	text_next(tc);
}

static void draw_bytes(struct text_cursor *tc, int x, int width, enum style style, double value,
		       const char *suffix)
{
	text_number(tc, x, width, value > 0 ? style : STYLE_DIM, UNIT_BYTES, value, suffix);
}

static void draw_file(struct text_cursor *tc, const struct task_file *f, double seconds)
{
	int x = rates_begin(tc);

	if (x > 7) {
		draw_bytes(tc, 7, SUM, STYLE_READ, f->sum_read, "");
		draw_bytes(tc, 16, SUM, STYLE_WRITE, f->sum_write, "");
	}
	if (seconds > 0) {
		draw_bytes(tc, x, NUMBER, STYLE_READ, f->now_read / seconds, "");
		draw_bytes(tc, x + 10, NUMBER, STYLE_WRITE, f->now_write / seconds, "");
	}
	text_put(tc, x + 20, DISK, STYLE_NORMAL, f->disk->name);
	if (f->path_text)
		text_path(tc, x + 29, -1, STYLE_NORMAL, f->path_text, f->state);
	else
		text_printf(tc, x + 29, -1, STYLE_DIM, _("inode %llu"),
			    (unsigned long long)ino_shown(f->ino));
	text_next(tc);
}

void tasks_draw_files(struct text_cursor *tc, const struct model *m, const struct rows *tasks)
{
	double seconds = model_watched(m, SRC_FILES, false);
	const struct task_file *files;
	struct arena a;
	size_t n;

	arena_init(&a);
	files = task_files_merged(tasks, &a, &n);
	if (n) {
		text_section(tc);
		field_watched(tc, m, SRC_FILES, true);
		draw_head(tc);
	}
	for (size_t i = 0; i < MIN(n, SHOWN); i++)
		draw_file(tc, &files[i], seconds);
	if (n)
		text_next(tc);
	arena_release(&a);
}
