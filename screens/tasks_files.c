// SPDX-License-Identifier: GPL-2.0-or-later
/* The part of a task's detail on its files. */
#include "screens/tasks.h"

#include <stdio.h>

#include "base/i18n.h"

#define NUMBER 9	/* "1.12 MB/s" */
#define SUM 8
#define DISK 8

static void draw_head(struct pen *p)
{
	pen_text(p, 1, -1, STYLE_HEAD, _("FILES"));
	pen_right(p, 7, SUM, STYLE_HEAD, _("READ"));
	pen_right(p, 16, SUM, STYLE_HEAD, _("WRITE"));
	pen_right(p, 25, NUMBER, STYLE_HEAD, _("READ/S"));
	pen_right(p, 35, NUMBER, STYLE_HEAD, _("WRITE/S"));
	pen_text(p, 45, DISK, STYLE_HEAD, _("DISK"));
	pen_text(p, 54, -1, STYLE_HEAD, _("FILE"));
	pen_next(p);
}

static void draw_bytes(struct pen *p, int x, int width, enum style style, double value, const char *suffix)
{
	pen_number(p, x, width, value > 0 ? style : STYLE_DIM, UNIT_BYTES, value, suffix);
}

static void draw_file(struct pen *p, const struct task_file *f, double seconds)
{
	draw_bytes(p, 7, SUM, STYLE_READ, f->sum_read, "");
	draw_bytes(p, 16, SUM, STYLE_WRITE, f->sum_write, "");
	if (seconds > 0) {
		draw_bytes(p, 25, NUMBER, STYLE_READ, f->now_read / seconds, "/s");
		draw_bytes(p, 35, NUMBER, STYLE_WRITE, f->now_write / seconds, "/s");
	}
	pen_text(p, 45, DISK, STYLE_NORMAL, f->disk ? f->disk : "-");
	if (f->path_text)
		pen_text(p, 54, -1, STYLE_NORMAL, f->path_text);
	else
		pen_printf(p, 54, -1, STYLE_DIM, _("inode %llu"), (unsigned long long)f->ino);
	pen_next(p);
}

void tasks_draw_files(struct pen *p, const struct task_row *const *tasks, size_t n, double seconds)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; tasks[i]->files && j < tasks[i]->nfiles; j++) {
			if (!any)
				draw_head(p);
			any = true;
			draw_file(p, tasks[i]->files[j], seconds);
		}
	}
	if (any)
		pen_next(p);
}
