// SPDX-License-Identifier: GPL-2.0-or-later
/* The tab of files: which files the I/O at the disks is of, and whose it is. */
#include <math.h>
#include <stdio.h>

#include "base/i18n.h"
#include "data/file/file.h"
#include "tui/draw/fields.h"
#include "tui/draw/machine.h"
#include "tui/screen.h"
#include "view/view.h"

#define WHO 24		/* columns of a process */
#define SHOWN 20u	/* processes */

static const char *const numbers[] = { "read", "write", "riops", "wiops",
				       "lat",  "p99",	"max",	 "dirtynow" };

static void draw_identity(struct text_cursor *tc, const struct view *v, const struct row *row)
{
	const struct file_row *r = (const struct file_row *)row;
	char inode[32];

	text_wrap(tc, 1, STYLE_BOLD, r->path);
	text_next(tc);
	field_column(tc, _("state"), v, row, "state");
	field_column(tc, _("mount"), v, row, "mount");
	field_column(tc, _("kind"), v, row, "fs");
	snprintf(inode, sizeof(inode), "%llu", (unsigned long long)r->ino);
	field_text(tc, _("inode"), r->ino ? inode : NULL);
	field_column(tc, _("disk"), v, row, "disk");
	text_next(tc);
}

static void draw_process(struct text_cursor *tc, const struct file_process *p, double seconds)
{
	double lat = p->done ? (double)p->lat_ns / (double)p->done : NAN;
	double read = seconds > 0 ? (double)p->now_read / seconds : NAN,
	       write = seconds > 0 ? (double)p->now_write / seconds : NAN;
	int x = 1 + WHO;

	if (p->pid)
		text_printf(tc, 1, WHO - 1, STYLE_NORMAL, "%s %llu", p->comm,
			    (unsigned long long)p->pid);
	else
		text_put(tc, 1, WHO - 1, STYLE_NORMAL, p->comm);
	text_number(tc, x, 8, p->read ? STYLE_READ : STYLE_DIM, UNIT_BYTES, (double)p->read, "");
	text_number(tc, x + 9, 8, p->write ? STYLE_WRITE : STYLE_DIM, UNIT_BYTES, (double)p->write,
		    "");
	text_number(tc, x + 18, 9, read > 0 ? STYLE_READ : STYLE_DIM, UNIT_BYTES, read, "");
	text_number(tc, x + 28, 9, write > 0 ? STYLE_WRITE : STYLE_DIM, UNIT_BYTES, write, "");
	text_number(tc, x + 38, 6, STYLE_NORMAL, UNIT_NS, lat, "");
	text_number(tc, x + 45, 6, STYLE_NORMAL, UNIT_NS, p->done ? (double)p->max_ns : NAN, "");
	text_next(tc);
}

static void draw_processes(struct text_cursor *tc, const struct view *v, const struct row *row)
{
	double seconds = model_watched(v->model, SRC_FILES, false);
	const struct file_process *list;
	struct arena a;
	size_t n;
	int x = 1 + WHO;

	arena_init(&a);
	list = file_processes(row, &a, &n);
	text_put(tc, 1, WHO - 1, STYLE_HEAD, _("PROCESSES"));
	text_right(tc, x, 8, STYLE_HEAD, _("READ"));
	text_right(tc, x + 9, 8, STYLE_HEAD, _("WRITE"));
	text_right(tc, x + 18, 9, STYLE_HEAD, _("READ/s"));
	text_right(tc, x + 28, 9, STYLE_HEAD, _("WRITE/s"));
	text_right(tc, x + 38, 6, STYLE_HEAD, _("LAT"));
	text_right(tc, x + 45, 6, STYLE_HEAD, _("MAX"));
	text_next(tc);
	for (size_t i = 0; i < MIN(n, SHOWN); i++)
		draw_process(tc, &list[i], seconds);
	if (n > SHOWN) {
		text_printf(tc, 1, -1, STYLE_DIM, _("and %zu more"), n - SHOWN);
		text_next(tc);
	}
	arena_release(&a);
}

static int detail(struct canvas *c, struct rect area, int top, const struct view *v,
		  const struct row *row)
{
	struct text_cursor tc = text_start(c, area, top);

	draw_identity(&tc, v, row);
	field_numbers(&tc, v->model, row, numbers, ARRAY_SIZE(numbers), SPAN_MEAN);
	field_watched(&tc, v->model, SRC_FILES, true);
	field_history(&tc, row->history);
	draw_processes(&tc, v, row);
	return text_lines(&tc, top);
}

const struct screen screen_files = {
	.name = "files",
	.title = N_("Files"),
	.help = N_("which files the I/O at the disks is of, and whose it is"),
	.entity = ENTITY_FILE,
	.columns = "who,read,write,total,riops,wiops,lat,p99,max,dirtynow,disk,history,state,path",
	.sort = "total",
	.group = GROUP_FILE,
	.needs = SRC_BLOCK | SRC_TASKS | SRC_NAMES | SRC_EXITS | SRC_DISKS | SRC_SYSTEM,
	.all_there = true,
	.header = machine_header,
	.detail = detail,
};
