// SPDX-License-Identifier: GPL-2.0-or-later
/* The part of a task's detail on its files. */
#include "screens/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"

#define NUMBER 9	/* "1.12 MB/s" */
#define SUM 8
#define DISK 8
#define SHOWN 20u

static void draw_head(struct text_cursor *tc)
{
	text_put(tc, 1, -1, STYLE_HEAD, _("FILES"));
	text_right(tc, 7, SUM, STYLE_HEAD, _("READ"));
	text_right(tc, 16, SUM, STYLE_HEAD, _("WRITE"));
	text_right(tc, 25, NUMBER, STYLE_HEAD, _("READ/S"));
	text_right(tc, 35, NUMBER, STYLE_HEAD, _("WRITE/S"));
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
		draw_bytes(tc, 25, NUMBER, STYLE_READ, f->now_read / seconds, "/s");
		draw_bytes(tc, 35, NUMBER, STYLE_WRITE, f->now_write / seconds, "/s");
	}
	text_put(tc, 45, DISK, STYLE_NORMAL, f->disk ? f->disk : "-");
	if (f->path_text)
		text_put(tc, 54, -1, STYLE_NORMAL, f->path_text);
	else
		text_printf(tc, 54, -1, STYLE_DIM, _("inode %llu"), (unsigned long long)f->ino);
	text_next(tc);
}

static int by_file(const void *pa, const void *pb)
{
	const struct task_file *a = pa, *b = pb;
	int order = strcmp(a->disk ? a->disk : "", b->disk ? b->disk : "");

	if (!order)
		order = (a->ino > b->ino) - (a->ino < b->ino);
	return order ? order
		     : strcmp(a->path_text ? a->path_text : "", b->path_text ? b->path_text : "");
}

static int hottest_first(const void *pa, const void *pb)
{
	const struct task_file *a = pa, *b = pb;
	uint64_t na = a->now_read + a->now_write, nb = b->now_read + b->now_write;

	if (na == nb) {
		na = a->sum_read + a->sum_write;
		nb = b->sum_read + b->sum_write;
	}
	return na == nb ? by_file(a, b) : na > nb ? -1 : 1;
}

/* Each file once, whichever of the tasks did something to it. Returns how many they are. */
static size_t files_merge(struct task_file *files, size_t n)
{
	size_t merged = 0;

	qsort(files, n, sizeof(*files), by_file);
	for (size_t i = 0; i < n; i++) {
		struct task_file *same = merged ? &files[merged - 1] : NULL;

		if (!same || by_file(same, &files[i])) {
			files[merged++] = files[i];
			continue;
		}
		same->now_read += files[i].now_read;
		same->now_write += files[i].now_write;
		same->sum_read += files[i].sum_read;
		same->sum_write += files[i].sum_write;
	}
	qsort(files, merged, sizeof(*files), hottest_first);
	return merged;
}

void tasks_draw_files(struct text_cursor *tc, const struct task_row *const *tasks, size_t n,
		      double seconds)
{
	struct task_file *files;
	size_t nfiles = 0, k = 0;

	for (size_t i = 0; i < n; i++)
		nfiles += tasks[i]->files ? tasks[i]->nfiles : 0;
	if (!nfiles)
		return;
	files = mem_alloc(nfiles * sizeof(*files));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; tasks[i]->files && j < tasks[i]->nfiles; j++)
			files[k++] = *tasks[i]->files[j];
	nfiles = files_merge(files, nfiles);
	draw_head(tc);
	for (size_t i = 0; i < MIN(nfiles, SHOWN); i++)
		draw_file(tc, &files[i], seconds);
	text_next(tc);
	free(files);
}
