// SPDX-License-Identifier: GPL-2.0-or-later
/* The part of a task's detail on its files. */
#include "screens/tasks.h"

#include "base/i18n.h"
#include "tui/draw/fields.h"

#define NUMBER 9
#define SUM 8
#define DISK 8
#define SHOWN 20u

static void draw_head(struct text_cursor *tc)
{
	text_put(tc, 1, -1, STYLE_HEAD, _("FILES"));
	text_right(tc, 7, SUM, STYLE_HEAD, _("READ"));
	text_right(tc, 16, SUM, STYLE_HEAD, _("WRITE"));
	text_right(tc, 25, NUMBER, STYLE_HEAD, _("READ/s"));
	text_right(tc, 35, NUMBER, STYLE_HEAD, _("WRITE/s"));
	text_put(tc, 45, DISK, STYLE_HEAD, _("DISK"));
	text_put(tc, 54, -1, STYLE_HEAD, _("FILE"));
	text_next(tc);
}

static void draw_bytes(struct text_cursor *tc, int x, int width, enum style style, double value,
		       const char *suffix)
{
	text_number(tc, x, width, value > 0 ? style : STYLE_DIM, UNIT_BYTES, value, suffix);
}

static void draw_file(struct text_cursor *tc, const struct task_file *f, double seconds)
{
	draw_bytes(tc, 7, SUM, STYLE_READ, f->sum_read, "");
	draw_bytes(tc, 16, SUM, STYLE_WRITE, f->sum_write, "");
	if (seconds > 0) {
		draw_bytes(tc, 25, NUMBER, STYLE_READ, f->now_read / seconds, "");
		draw_bytes(tc, 35, NUMBER, STYLE_WRITE, f->now_write / seconds, "");
	}
	text_put(tc, 45, DISK, STYLE_NORMAL, f->disk ? f->disk : "-");
	if (f->path_text)
		text_put(tc, 54, -1, STYLE_NORMAL, f->path_text);
	else
		text_printf(tc, 54, -1, STYLE_DIM, _("inode %llu"),
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
