// SPDX-License-Identifier: GPL-2.0-or-later
/* Time by layer: the lines of it, of a layer, of tasks, of a disk. */
#include "screens/layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "data/disk/disk.h"
#include "tui/draw/fields.h"

#define CALLERS_SHOWN 8

/* The order of the lines: the steps of an fsync() follow it. */
static const uint32_t op_order[LAYER_OP_COUNT] = {
	LAYER_READ,   LAYER_FAULT,   LAYER_WRITE,  LAYER_OPEN,	LAYER_FSYNC,
	LAYER_DATA,   LAYER_JOURNAL, LAYER_JOINED, LAYER_FLUSH, LAYER_SYNC,
	LAYER_RANGE,  LAYER_COMMIT,  LAYER_DISCARD, LAYER_OTHER,
};

static void draw_shares(struct text_cursor *tc, const char *title,
			const struct layer_shares *shares, uint64_t whole_ns)
{
	if (!shares->n)
		return;
	text_section(tc);
	layers_draw_head(tc, title, false);
	for (size_t i = 0; i < MIN(shares->n, CALLERS_SHOWN); i++) {
		const struct layer_share *s = &shares->items[i];

		layers_draw_line(tc, s->name, STYLE_NORMAL, &s->counters, s->counters.max_ns,
				 whole_ns);
	}
	if (shares->n > CALLERS_SHOWN) {
		text_printf(tc, 1, -1, STYLE_DIM, _("and %zu more"), shares->n - CALLERS_SHOWN);
		text_next(tc);
	}
	text_next(tc);
}

/* The enum io_op of an operation at a disk. */
static uint32_t disk_op(uint32_t op)
{
	switch (op) {
	case LAYER_READ:
		return OP_READ;
	case LAYER_WRITE:
		return OP_WRITE;
	case LAYER_DISCARD:
		return OP_DISCARD;
	case LAYER_FLUSH:
		return OP_FLUSH;
	default:
		return OP_OTHER;
	}
}

/* The owners of a disk's requests; their time is from submission to completion. */
static void draw_disk_tasks(struct text_cursor *tc, const struct view *v, const struct layer_row *r)
{
	struct layer_shares shares = { 0 };
	struct layer_share *items;
	struct rows tasks;
	uint64_t whole = 0;
	struct arena a;
	const struct disktask_row *t;

	arena_init(&a);
	tasks = disk_tasks(v->model, r->whole, &a);
	shares.items = items = arena_new(&a, struct layer_share, tasks.n);
	row_each(t, &tasks) {
		const struct disktask_counters *c = row_counters(&t->row, v->spec->span);

		if (t->op != disk_op(r->op_id) || !c->done)
			continue;
		items[shares.n++] = (struct layer_share){
			.name = t->row.name,
			.counters = { .count = c->done,
				      .lat_ns = c->lat_ns,
				      .time_ns = c->lat_ns,
				      .max_ns = c->max_ns },
		};
		whole += c->lat_ns;
	}
	if (shares.n > 1)
		qsort(items, shares.n, sizeof(*items), layer_share_order);
	draw_shares(tc, _("TASKS AT THE DISK"), &shares, whole);
	arena_release(&a);
}

void layers_draw_callers(struct text_cursor *tc, const struct view *v, const struct layer_row *r)
{
	bool sum = v->spec->span != SPAN_TICK;
	uint64_t whole = 0;
	double scale;

	if (layer_is_of_disk(r->layer_id)) {
		draw_disk_tasks(tc, v, r);
		return;
	}
	/* Callers are counted only while a detail is open: 100 % is their own sum. */
	if (r->tasks[sum].n)
		field_watched(tc, v->model, SRC_CALLERS, sum);
	for (size_t i = 0; i < r->tasks[sum].n; i++)
		whole += r->tasks[sum].items[i].counters.time_ns;
	scale = field_scale(tc, v->model, SRC_CALLERS, sum);
	draw_shares(tc, _("TASKS"), &r->tasks[sum], whole);
	draw_shares(tc, _("FILES"), &r->files[sum], whole);
	tc->c->scale = scale;
}

void layers_draw_files_of(struct text_cursor *tc, const struct view *v,
			  const struct layertask_row *r)
{
	bool sum = v->spec->span != SPAN_TICK;
	struct layer_shares files;
	struct arena a;

	arena_init(&a);
	files = layer_files_of(r->at->callers, (uint32_t)r->pid, sum, &a);
	draw_shares(tc, _("FILES"), &files, layertask_counters(r, sum)->time_ns);
	arena_release(&a);
}

static bool is_top(uint32_t layer, uint32_t op)
{
	return layer_is_call(layer, op) || (layer == LAYER_FS && op == LAYER_COMMIT);
}

/* A layer and operation of sums that counted something. */
struct sums_line {
	uint32_t layer, op, of;	/* of: the operation it is a part of */
};

/* Operation by operation, from the call down. Returns how many; depths: as in a tree. */
static size_t sums_lines(const struct layer_sums *sums, struct sums_line *lines, unsigned *depths)
{
	unsigned depth = 0, fsync = 0;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(op_order); i++) {
		uint32_t op = op_order[i];
		bool step = layer_is_step(LAYER_FS, op);

		depth = step ? fsync + 1 : 0;
		for (uint32_t at = 0; at < LAYER_COUNT; at++) {
			uint32_t layer = layer_order[at];

			if (!sums->at[layer][op].count)
				continue;
			lines[n] = (struct sums_line){ layer, op,
						       step ? (uint32_t)LAYER_FSYNC : op };
			if (layer_is_of_disk(layer))
				depth = 0;
			if (layer == LAYER_FS && op == LAYER_FSYNC)
				fsync = depth;
			depths[n++] = depth++;
		}
	}
	return n;
}

/* 100 % is the time of the calls. */
static void draw_sums(struct text_cursor *tc, const struct view *v, const struct layer_sums *sums)
{
	struct sums_line lines[LAYER_COUNT * LAYER_OP_COUNT];
	unsigned depths[ARRAY_SIZE(lines)];
	size_t n = sums_lines(sums, lines, depths);
	double scale;

	if (!n)
		return;
	scale = field_scale(tc, v->model, SRC_CALLERS, v->spec->span != SPAN_TICK);
	layers_draw_head(tc, _("TIME BY LAYER"), false);
	for (size_t i = 0; i < n; i++) {
		const struct layer_counters *c = &sums->at[lines[i].layer][lines[i].op];
		char branches[LAYERS_BRANCHES], name[LAYERS_BRANCHES + 64];

		layers_branches(branches, sizeof(branches), depths, n, i);
		snprintf(name, sizeof(name), "%s%s %s", branches, layer_names[lines[i].layer],
			 layer_op_names[lines[i].op]);
		layers_draw_line(tc, name, layers_op_style(lines[i].op), c, c->max_ns,
				 is_top(lines[i].layer, lines[i].op)
					 ? c->time_ns
					 : sums->at[LAYER_SYSCALL][lines[i].of].time_ns);
	}
	tc->c->scale = scale;
	text_next(tc);
}

void layers_draw_tasks(struct text_cursor *tc, const struct view *v, const struct rows *tasks)
{
	struct layer_sums sums;
	struct task_id *ids;
	struct arena a;

	arena_init(&a);
	ids = arena_new(&a, struct task_id, tasks->n);
	for (size_t i = 0; i < tasks->n; i++)
		ids[i] = ((const struct task_row *)tasks->rows[i])->id;
	layer_sums_of(v->model, ids, tasks->n, v->spec->span != SPAN_TICK, &sums);
	field_watched(tc, v->model, SRC_CALLERS, v->spec->span != SPAN_TICK);
	draw_sums(tc, v, &sums);
	arena_release(&a);
}

void layers_draw_files(struct text_cursor *tc, const struct view *v, struct layer_file *files,
		       size_t n)
{
	struct layer_sums sums;

	layer_sums_of_files(v->model, files, n, v->spec->span != SPAN_TICK, &sums);
	draw_sums(tc, v, &sums);
}

/* One operation at the layers from `from` to before `to` in their order. */
static size_t add_disk_layers(const struct view *v, const struct rows *layers, uint32_t op,
			      uint32_t from, uint32_t to, const struct layer_row **lines)
{
	size_t n = 0;

	for (uint32_t at = from; at < to; at++) {
		const struct layer_row *r;

		row_each(r, layers)
			if (r->layer_id == layer_order[at] && r->op_id == op &&
			    layer_shown(r, v)->time_ns)
				lines[n++] = r;
	}
	return n;
}

int layers_disk_lines(const struct view *v, const struct rows *layers)
{
	const struct layer_row *r;
	int n = 0;

	row_each(r, layers)
		n += layer_shown(r, v)->time_ns != 0;
	return n ? n + 2 : 0;
}

void layers_draw_disk(struct text_cursor *tc, const struct view *v, const struct rows *layers)
{
	bool sum = v->spec->span != SPAN_TICK;
	const struct layer_row **lines;
	uint64_t *whole;
	struct arena a;
	double scale;
	size_t n = 0;

	if (!layers_disk_lines(v, layers))
		return;
	arena_init(&a);
	lines = arena_new(&a, const struct layer_row *, layers->n);
	whole = arena_new(&a, uint64_t, layers->n);
	for (size_t i = 0; i < ARRAY_SIZE(op_order); i++)
		n += add_disk_layers(v, layers, op_order[i], 0, LAYERS_ABOVE_DISK, lines + n);
	for (size_t i = 0; i < ARRAY_SIZE(op_order); i++)
		n += add_disk_layers(v, layers, op_order[i], LAYERS_ABOVE_DISK, LAYER_COUNT,
				     lines + n);
	/* The share is of the layer above, as in the table. */
	for (size_t i = 0; i < n; i++) {
		double share = lines[i]->share[sum] / 100;

		whole[i] = share > 0 ? (uint64_t)(layer_shown(lines[i], v)->time_ns / share) : 0;
	}
	text_next(tc);
	layers_draw_head(tc, _("TIME BY LAYER"), true);
	scale = field_scale(tc, v->model, SRC_LAYERS, sum);
	layers_draw_rows(tc, v, lines, whole, n);
	tc->c->scale = scale;
	arena_release(&a);
}
