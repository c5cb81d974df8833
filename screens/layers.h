/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time by layer as a part of details: of a layer, of tasks, of a disk. */
#ifndef IOTOP_SCREENS_LAYERS_H
#define IOTOP_SCREENS_LAYERS_H

#include "data/layer/layer_parts.h"
#include "data/layer/layertask.h"
#include "data/task/task.h"
#include "tui/draw/text_cursor.h"
#include "view/view.h"

/* The table of processes at the layers: what the screen is when grouped by process. */
extern const struct screen layers_by_process;

/* The counters of the time span that is shown: the interval, or since the start. */
static inline const struct layer_counters *layer_shown(const struct layer_row *r,
						       const struct view *v)
{
	return v->spec->span != SPAN_TICK ? r->sum : r->now;
}

/* The column at which the numbers of a line begin. */
int layers_names_end(const struct text_cursor *tc);
enum style layers_op_style(uint32_t op);
/* The headings of the lines below. p99: one of them is p99, else it is the longest time. */
void layers_draw_head(struct text_cursor *tc, const char *title, bool p99);
/* A line. high_ns: p99 or longest time. whole_ns: what 100 % is, 0: unknown. */
void layers_draw_line(struct text_cursor *tc, const char *name, enum style style,
		      const struct layer_counters *c, uint64_t high_ns, uint64_t whole_ns);
/* The line of a layer and operation, with its p99, behind its branches. */
void layers_draw_part(struct text_cursor *tc, const struct view *v, const char *branches,
		      const struct layer_row *r, uint64_t whole_ns);
#define LAYERS_BRANCHES 64	/* bytes */
/* The branches before line i of n, of which each is so deep in a tree. */
void layers_branches(char *out, size_t size, const unsigned *depths, size_t n, size_t i);
/* The lines of n rows as a tree, each below what it is a part of, else in their order. */
void layers_draw_rows(struct text_cursor *tc, const struct view *v,
		      const struct layer_row *const *rows, const uint64_t *whole_ns, size_t n);

/* The time of the rows of a way (layer_parts()) as bars, a line each for calls, steps, disk. */
void layers_draw_bars(struct text_cursor *tc, const struct view *v, const struct rows *rows);
/* The tasks and the files a row's time was spent for. Nothing where they are not known. */
void layers_draw_callers(struct text_cursor *tc, const struct view *v, const struct layer_row *r);
/* The files for which a process spent its time there. */
void layers_draw_files_of(struct text_cursor *tc, const struct view *v,
			  const struct layertask_row *r);
/* Time by layer of some tasks (rows of threads). */
void layers_draw_tasks(struct text_cursor *tc, const struct view *v, const struct rows *tasks);
/* The same of files, each of them once. */
void layers_draw_files(struct text_cursor *tc, const struct view *v, struct layer_file *files,
		       size_t n);
/* The layers of a disk (layer_on_disk()); and how many lines they take. */
int layers_disk_lines(const struct view *v, const struct rows *layers);
void layers_draw_disk(struct text_cursor *tc, const struct view *v, const struct rows *layers);

#endif
