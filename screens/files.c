// SPDX-License-Identifier: GPL-2.0-or-later
/* The tab of files: which files the I/O at the disks is of, and whose it is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "data/file/file.h"
#include "data/total_row.h"
#include "screens/layers.h"
#include "tui/draw/fields.h"
#include "tui/screen.h"
#include "view/view.h"

#define NAME 24		/* columns of a process, file or disk */
#define SHOWN 20u	/* of each */

static const char *const numbers[] = { "read",	"write", "riops", "wiops",
				       "lat",	"p99",	 "max",	  "dirtynow" };
static const char *const calls[] = { "rcalls", "rcall_bytes", "hit",   "wcalls", "wcall_bytes",
				     "amp",    "opens",	      "fsyncs", "clat" };

/* What all read calls asked for, and how much of it took no read of a disk. */
static int header(struct canvas *c, int y, const struct model *m, enum span span)
{
	const struct total_row total = total_row(m, span);
	double hits = total.totals.flows.hits, misses = total.totals.flows.misses;
	char asked[32], share[32], text[160];

	if (isnan(hits) || !(hits + misses > 0))
		return 0;
	unit_format(asked, sizeof(asked), UNIT_BYTES, hits + misses, &c->units);
	unit_format(share, sizeof(share), UNIT_PERCENT, 100 * hits / (hits + misses), &c->units);
	snprintf(text, sizeof(text), _("read calls %s%s  without the disk %s %%"), asked,
		 span == SPAN_SUM ? "" : "/s", share);
	canvas_text_cut(c, 1, y, -1, STYLE_NORMAL, text);
	return 1;
}

static void draw_identity(struct text_cursor *tc, const struct view *v, const struct row *row)
{
	const struct file_row *r = (const struct file_row *)row;
	char inode[32];
	int x = 1;

	text_wrap(tc, 1, STYLE_BOLD, r->path);
	field_column(tc, _("seen as"), v, row, "seen");
	field_column_beside(tc, &x, _("state"), v, row, "state");
	field_column_beside(tc, &x, _("mount"), v, row, "mount");
	field_column_beside(tc, &x, _("kind"), v, row, "fs");
	snprintf(inode, sizeof(inode), "%llu", (unsigned long long)ino_shown(r->ino));
	field_beside(tc, &x, _("inode"), r->ino ? inode : NULL);
	text_next(tc);
	text_next(tc);
}

static void draw_part(struct text_cursor *tc, const struct file_part *p, double seconds)
{
	bool timed = p->done && !p->untimed;
	double lat = timed ? (double)p->lat_ns / (double)p->done : NAN;
	double read = seconds > 0 ? (double)p->now_read / seconds : NAN,
	       write = seconds > 0 ? (double)p->now_write / seconds : NAN;
	const char *name = p->name ? p->name : "-";
	int x = 1 + NAME;

	if (p->pid)
		text_printf(tc, 1, NAME - 1, STYLE_NORMAL, "%s %llu", name,
			    (unsigned long long)p->pid);
	else
		text_path(tc, 1, NAME - 1, STYLE_NORMAL, name, p->state);
	text_number(tc, x, 8, p->read ? STYLE_READ : STYLE_DIM, UNIT_BYTES, (double)p->read, "");
	text_number(tc, x + 9, 8, p->write ? STYLE_WRITE : STYLE_DIM, UNIT_BYTES, (double)p->write,
		    "");
	text_number(tc, x + 18, 9, read > 0 ? STYLE_READ : STYLE_DIM, UNIT_BYTES, read, "");
	text_number(tc, x + 28, 9, write > 0 ? STYLE_WRITE : STYLE_DIM, UNIT_BYTES, write, "");
	if (timed) {
		text_number(tc, x + 38, 6, STYLE_NORMAL, UNIT_NS, lat, "");
		text_number(tc, x + 45, 6, STYLE_NORMAL, UNIT_NS, (double)p->max_ns, "");
	}
	text_next(tc);
}

/* A table; nothing where it has fewer lines than `least'. */
static void draw_parts(struct text_cursor *tc, const struct view *v, const struct row *row,
		       const char *title, enum file_split by, size_t least)
{
	double seconds = model_watched(v->model, SRC_FILES, false);
	const struct file_part *list;
	struct arena a;
	size_t n;
	int x = 1 + NAME;

	arena_init(&a);
	list = file_parts(row, by, &a, &n);
	if (n >= least) {
		text_put(tc, 1, NAME - 1, STYLE_HEAD, title);
		text_right(tc, x, 8, STYLE_HEAD, _("READ"));
		text_right(tc, x + 9, 8, STYLE_HEAD, _("WRITE"));
		text_right(tc, x + 18, 9, STYLE_HEAD, _("READ/s"));
		text_right(tc, x + 28, 9, STYLE_HEAD, _("WRITE/s"));
		if (by != FILE_BY_DISK) {
			text_right(tc, x + 38, 6, STYLE_HEAD, _("LAT"));
			text_right(tc, x + 45, 6, STYLE_HEAD, _("MAX"));
		}
		text_next(tc);
		for (size_t i = 0; i < MIN(n, SHOWN); i++)
			draw_part(tc, &list[i], seconds);
		if (n > SHOWN) {
			text_printf(tc, 1, -1, STYLE_DIM, _("and %zu more"), n - SHOWN);
			text_next(tc);
		}
		text_next(tc);
	}
	arena_release(&a);
}

static int by_number(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct layer_file));
}

/* Time by layer of the files that the row is of. */
static void draw_layers(struct text_cursor *tc, const struct view *v, const struct row *row)
{
	struct rows rows = row_members(&row);
	struct layer_file *files;
	struct arena a;
	size_t n = 0, unique = 0;
	const struct file_row *r;

	arena_init(&a);
	files = arena_new(&a, struct layer_file, rows.n);
	row_each(r, &rows)
		if (r->ino)
			files[n++] = (struct layer_file){ r->ino, r->sdev, 0 };
	if (n > 1)
		qsort(files, n, sizeof(*files), by_number);
	for (size_t i = 0; i < n; i++)
		if (!unique || by_number(&files[unique - 1], &files[i]))
			files[unique++] = files[i];
	layers_draw_files(tc, v, files, unique);
	arena_release(&a);
}

static int detail(struct canvas *c, struct rect area, int top, const struct view *v,
		  const struct row *row)
{
	struct text_cursor tc = text_start(c, area, top);

	draw_identity(&tc, v, row);
	field_numbers(&tc, v->model, row, numbers, ARRAY_SIZE(numbers), SPAN_MEAN);
	field_numbers(&tc, v->model, row, calls, ARRAY_SIZE(calls), SPAN_MEAN);
	field_watched(&tc, v->model, SRC_FILES, true);
	field_history(&tc, row->history);
	draw_parts(&tc, v, row, _("PROCESSES"), FILE_BY_PROCESS, 1);
	draw_parts(&tc, v, row, _("FILES"), FILE_BY_FILE, 2);
	draw_parts(&tc, v, row, _("AT THE DISKS"), FILE_BY_DISK, 1);
	draw_layers(&tc, v, row);
	return text_lines(&tc, top);
}

const struct screen screen_files = {
	.name = "files",
	.title = N_("Files"),
	.tab = NC_("tab", "Files"),
	.help = N_("which files the I/O at the disks is of, and whose it is"),
	.entity = ENTITY_FILE,
	.columns = "who,read,write,total,rcall_bytes,wcall_bytes,hit,riops,wiops,lat,p99,max,"
		   "dirtynow,disk,history,path",
	.sort = "total",
	.group = GROUP_FILE,
	.needs = SRC_BLOCK | SRC_TASKS | SRC_NAMES | SRC_EXITS | SRC_DISKS | SRC_SYSTEM,
	.detail_needs = SRC_CALLERS | SRC_LAYERS,
	.all_there = true,
	.header = header,
	.detail = detail,
};
