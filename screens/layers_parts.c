// SPDX-License-Identifier: GPL-2.0-or-later
/* Time by layer: the lines of it, of a layer, of tasks, of a disk. */
#include "screens/layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "data/disk/disk.h"
#include "tui/draw/fields.h"
#include "tui/draw/plot.h"

#define NAME 26		/* or less, where the screen is narrow */
#define NAME_LEAST 12
#define NUMBER 7
#define SHARE 6
#define BAR_MOST 40
#define CALLERS_SHOWN 8

/* The column at which the numbers begin. */
static int names_end(const struct text_cursor *tc)
{
	return MAX(MIN(NAME, tc->area.width - 4 * (NUMBER + 1) - SHARE - 1), NAME_LEAST);
}

void layers_draw_head(struct text_cursor *tc, const char *title, bool p99)
{
	int x = names_end(tc);
	const char *const heads[] = { N_("COUNT"), N_("TOTAL"), N_("AVG"),
				      p99 ? N_("P99") : N_("MAX"), N_("SHARE%") };
	char text[32];

	text_put(tc, 1, x - 2, STYLE_HEAD, title);
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		/* The first two are counted in the interval. */
		snprintf(text, sizeof(text), "%s%s", _(heads[i]), i < 2 ? tc->c->per : "");
		text_right(tc, x + (int)i * (NUMBER + 1), i == 4 ? SHARE : NUMBER, STYLE_HEAD,
			   text);
	}
	text_next(tc);
}

void layers_draw_line(struct text_cursor *tc, const char *name, enum style style,
		      const struct layer_counters *c, uint64_t high_ns, uint64_t whole_ns)
{
	int x = names_end(tc), left;

	text_put(tc, 1, x - 1, style, name);
	text_number(tc, x, NUMBER, STYLE_NORMAL, UNIT_COUNT, (double)c->count, "");
	text_number(tc, x + (NUMBER + 1), NUMBER, STYLE_NORMAL, UNIT_NS, (double)c->time_ns, "");
	if (c->count) {
		text_number(tc, x + 2 * (NUMBER + 1), NUMBER, STYLE_NORMAL, UNIT_NS,
			    (double)(c->lat_ns / c->count), "");
		text_number(tc, x + 3 * (NUMBER + 1), NUMBER, STYLE_NORMAL, UNIT_NS,
			    (double)high_ns, "");
	}
	x += 4 * (NUMBER + 1);
	/*
	 * More than the whole: of several at a time, or begun before the interval. That is no
	 * share.
	 */
	if (c->time_ns > whole_ns)
		whole_ns = 0;
	if (whole_ns)
		text_number(tc, x, SHARE, STYLE_NORMAL, UNIT_PERCENT,
			    100.0 * (double)c->time_ns / (double)whole_ns, "");
	x += NUMBER;
	left = MIN(tc->area.width - x - 1, BAR_MOST);
	if (whole_ns && left > 0 && text_y(tc) >= 0)
		plot_bar(tc->c, tc->area.x + x, text_y(tc), left, STYLE_ACCENT1,
			 (double)c->time_ns / (double)whole_ns);
	text_next(tc);
}

/* The order of the lines: the steps of an fsync() follow it. */
static const uint32_t op_order[LAYER_OP_COUNT] = {
	LAYER_READ,   LAYER_FAULT,   LAYER_WRITE,  LAYER_OPEN,	LAYER_FSYNC,
	LAYER_DATA,   LAYER_JOURNAL, LAYER_JOINED, LAYER_FLUSH, LAYER_SYNC,
	LAYER_RANGE,  LAYER_COMMIT,  LAYER_DISCARD, LAYER_OTHER,
};

static enum style style_of(uint32_t op)
{
	return op == LAYER_READ || op == LAYER_FAULT ? STYLE_READ
	       : op == LAYER_WRITE		     ? STYLE_WRITE
						     : STYLE_NORMAL;
}

void layers_draw_part(struct text_cursor *tc, const struct view *v, const struct layer_row *r,
		      uint64_t whole_ns)
{
	const struct layer_counters *c = layer_shown(r, v);
	uint64_t p99 = c->count ? MIN(hist_percentile(r->hist[c == r->sum], 99), c->max_ns) : 0;
	char name[64];

	snprintf(name, sizeof(name), "%s%s %s", layer_is_step(r->layer_id, r->op_id) ? "  " : "",
		 r->layer, r->op);
	layers_draw_line(tc, name, style_of(r->op_id), c, p99, whole_ns);
}

static void draw_shares(struct text_cursor *tc, const char *title,
			const struct layer_shares *shares, uint64_t whole_ns)
{
	if (!shares->n)
		return;
	text_section(tc);
	layers_draw_head(tc, title, false);
	for (size_t i = 0; i < MIN(shares->n, CALLERS_SHOWN); i++) {
		const struct layer_share *s = &shares->items[i];
		const char *name = s->name;
		size_t len = strlen(name);

		/* Of a long path the end is shown: it tells more. */
		while (len > (size_t)names_end(tc) - 2 && (name = strchr(name + 1, '/')))
			len = strlen(name);
		layers_draw_line(tc, name ? name : s->name, STYLE_NORMAL, &s->counters,
				 s->counters.max_ns, whole_ns);
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

static int by_time(const void *pa, const void *pb)
{
	const struct layer_share *a = pa, *b = pb;

	if (a->counters.time_ns != b->counters.time_ns)
		return a->counters.time_ns < b->counters.time_ns ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* The owners of a disk's requests; their time is from submission to completion. */
static void draw_disk_tasks(struct text_cursor *tc, const struct view *v, const struct layer_row *r)
{
	struct layer_shares shares = { 0 };
	struct layer_share *items;
	struct rows tasks;
	uint64_t whole = 0;
	struct arena a;

	arena_init(&a);
	tasks = disk_tasks(v->model, r->whole, &a);
	shares.items = items = arena_new(&a, struct layer_share, tasks.n);
	for (size_t i = 0; i < tasks.n; i++) {
		const struct disktask_row *t = (const struct disktask_row *)tasks.items[i];
		const struct disktask_counters *c = (const struct disktask_counters *)(
			v->spec->span != SPAN_TICK ? t->row.sum : t->row.now);

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
		qsort(items, shares.n, sizeof(*items), by_time);
	draw_shares(tc, _("TASKS AT THE DISK"), &shares, whole);
	arena_release(&a);
}

void layers_draw_callers(struct text_cursor *tc, const struct view *v, const struct layer_row *r)
{
	bool sum = v->spec->span != SPAN_TICK;
	uint64_t whole = 0;

	if (layer_is_of_disk(r->layer_id)) {
		draw_disk_tasks(tc, v, r);
		return;
	}
	/* Callers are counted only while a detail is open: 100 % is their own sum. */
	if (r->tasks[sum].n)
		field_watched(tc, v->model, SRC_CALLERS, sum);
	for (size_t i = 0; i < r->tasks[sum].n; i++)
		whole += r->tasks[sum].items[i].counters.time_ns;
	draw_shares(tc, _("TASKS"), &r->tasks[sum], whole);
	draw_shares(tc, _("FILES"), &r->files[sum], whole);
}

static bool is_top(uint32_t layer, uint32_t op)
{
	return layer_is_call(layer, op) || (layer == LAYER_FS && op == LAYER_COMMIT);
}

/* Operation by operation, from the call down; 100 % is the time of the calls. */
static void draw_sums(struct text_cursor *tc, const struct layer_sums *sums)
{
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(op_order); i++) {
		uint32_t op = op_order[i],
			 of = layer_is_step(LAYER_FS, op) ? (uint32_t)LAYER_FSYNC : op;

		for (uint32_t at = 0; at < LAYER_COUNT; at++) {
			uint32_t layer = layer_order[at];
			const struct layer_counters *c = &sums->at[layer][op];
			char name[64];

			if (!c->count)
				continue;
			if (!any)
				layers_draw_head(tc, _("TIME BY LAYER"), false);
			any = true;
			snprintf(name, sizeof(name), "%s%s %s", op == of ? "" : "  ",
				 layer_names[layer], layer_op_names[op]);
			layers_draw_line(tc, name, style_of(op), c, c->max_ns,
					 is_top(layer, op) ? c->time_ns
							   : sums->at[LAYER_SYSCALL][of].time_ns);
		}
	}
	if (any)
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
		ids[i] = ((const struct task_row *)tasks->items[i])->id;
	layer_sums_of(v->model, ids, tasks->n, v->spec->span != SPAN_TICK, &sums);
	field_watched(tc, v->model, SRC_CALLERS, v->spec->span != SPAN_TICK);
	draw_sums(tc, &sums);
	arena_release(&a);
}

void layers_draw_files(struct text_cursor *tc, const struct view *v, struct layer_file *files,
		       size_t n)
{
	struct layer_sums sums;

	layer_sums_of_files(v->model, files, n, v->spec->span != SPAN_TICK, &sums);
	draw_sums(tc, &sums);
}

/* One operation at the layers from `from` to before `to` in their order. */
static void draw_disk_layers(struct text_cursor *tc, const struct view *v,
			     const struct rows *layers, uint32_t op, uint32_t from, uint32_t to)
{
	bool sum = v->spec->span != SPAN_TICK;

	for (uint32_t at = from; at < to; at++) {
		for (size_t i = 0; i < layers->n; i++) {
			const struct layer_row *r = (const struct layer_row *)layers->items[i];
			double ns = layer_shown(r, v)->time_ns, share = r->share[sum] / 100;

			/* The share is of the layer above, as in the table. */
			if (r->layer_id == layer_order[at] && r->op_id == op && ns > 0)
				layers_draw_part(tc, v, r, share > 0 ? (uint64_t)(ns / share) : 0);
		}
	}
}

int layers_disk_lines(const struct view *v, const struct rows *layers)
{
	int n = 0;

	for (size_t i = 0; i < layers->n; i++)
		n += layer_shown((const struct layer_row *)layers->items[i], v)->time_ns != 0;
	return n ? n + 2 : 0;
}

void layers_draw_disk(struct text_cursor *tc, const struct view *v, const struct rows *layers)
{
	if (!layers_disk_lines(v, layers))
		return;
	text_next(tc);
	layers_draw_head(tc, _("TIME BY LAYER"), true);
	for (size_t i = 0; i < ARRAY_SIZE(op_order); i++)
		draw_disk_layers(tc, v, layers, op_order[i], 0, LAYERS_ABOVE_DISK);
	for (size_t i = 0; i < ARRAY_SIZE(op_order); i++)
		draw_disk_layers(tc, v, layers, op_order[i], LAYERS_ABOVE_DISK, LAYER_COUNT);
}
