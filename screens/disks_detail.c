// SPDX-License-Identifier: GPL-2.0-or-later
/* The detail of a disk: what it is, its tasks, the latency of its requests, also over time. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "data/model.h"
#include "screens/disks.h"
#include "screens/layers.h"
#include "tui/draw/fields.h"
#include "tui/draw/hist_plot.h"
#include "view/view.h"

#define TASKS_LEAST 3		/* lines for processes, however little room there is */
#define TASKS_WIDTH 60
#define WIDE 120		/* columns: the histogram stands beside the processes */
#define NARROW 76		/* up to so many the heat map stands below the histogram */
#define HIST_WIDTH 38
#define PLOT_LEAST 5		/* lines of bands, however little room there is */
#define PLOT_LINES 20
#define TALL 40			/* from so many lines on the layers are in sight, too */

static const char *const numbers[] = {
	"read", "write", "riops", "wiops", "rlat", "wlat", "util", "depth",
	"rp99", "wp99", "queue", "device", "rp50", "rmax", "wp50", "wmax",
	"rsize", "wsize", "rand", "seq", "ra", "sync",
	"flush", "discard", "merges", "errors", "requeues", "inflight",
};

/* The page while it is drawn. */
struct page {
	struct text_cursor tc;
	const struct view *v;
	const struct disk_row *d;
	struct rows tasks;		/* of the whole disk: a partition has none of its own */
	struct rows layers;		/* of the whole disk, and of what lies on it */
	int layers_kept;		/* lines that are kept free for the layers at the end */
	struct hist_plot hist;
	struct disk_map map;
	bool mapped;
};

static void join(char *out, size_t size, const char *label, const char *const *items, size_t n)
{
	size_t len = strlen(out);

	for (size_t i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(out + len, size - len, "%s%s%s",
					i      ? " "
					: *out ? " · "
					       : "",
					i ? "" : label, items[i]);
}

static void draw_identity(struct page *page)
{
	const struct disk_row *d = page->d;
	char text[512] = "", size[32];

	if (d->type)
		join(text, sizeof(text), "", &d->type, 1);
	if (d->flags & DISK_REMOVABLE)
		join(text, sizeof(text), "", (const char *const[]){ _("removable") }, 1);
	unit_format(size, sizeof(size), UNIT_BYTES, (double)d->size, &page->tc.c->units);
	if (d->size)
		join(text, sizeof(text), "", (const char *const[]){ size }, 1);
	if (strcmp(d->name, d->disk))
		join(text, sizeof(text), "", &d->name, 1);
	if (d->file)
		join(text, sizeof(text), _("file "), &d->file, 1);
	join(text, sizeof(text), _("lies on "), d->below, d->nbelow);
	join(text, sizeof(text), _("carries "), d->above, d->nabove);
	join(text, sizeof(text), _("mounted on "), d->mounts, d->nmounts);
	if (d->amp_text[page->v->spec->span != SPAN_TICK])
		join(text, sizeof(text), _("amplification "),
		     &d->amp_text[page->v->spec->span != SPAN_TICK], 1);
	text_wrap(&page->tc, 1, STYLE_NORMAL, text);
}

/* Line 0 is the heading. Where tasks are left out, the last of `lines` lines says how many. */
static void task_line(struct page *page, int x, int line, int lines)
{
	static const char *const keys[] = { "pid", "comm", "op", "ios", "bytes", "avg", "max" };
	size_t index = (size_t)line - 1;

	if (line >= lines || !page->tasks.n || (line && index >= page->tasks.n))
		return;
	if (line && line == lines - 1 && page->tasks.n > index + 1) {
		text_printf(&page->tc, x + 8, TASKS_WIDTH - 8, STYLE_DIM, _("and %zu more"),
			    page->tasks.n - index);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct column *col = entity_column(&entity_disktask, keys[i]);
		enum style style = STYLE_NORMAL;
		char text[128];

		if (line) {
			const struct disktask_row *r =
				(const struct disktask_row *)page->tasks.rows[index];
			struct value value = column_value(col, &r->row, page->v->model,
							  page->v->spec->span,
							  &page->tc.c->texts);

			column_text(text, sizeof(text), col, &value, &page->tc.c->units);
			if (!strcmp(col->key, "op"))
				style = r->op == OP_READ    ? STYLE_READ
					: r->op == OP_WRITE ? STYLE_WRITE
							    : STYLE_NORMAL;
			if (r->row.flags & ROW_ENDED)
				style = STYLE_DIM;
		} else {
			column_head(text, col, page->v->spec->span);
			style = STYLE_HEAD;
		}
		if (column_is_left(col))
			text_put(&page->tc, x, (int)col->width, style, text);
		else
			text_right(&page->tc, x, (int)col->width, style, text);
		x += (int)col->width + 1;
	}
}

static int hist_lines(const struct page *page)
{
	return page->hist.n ? (int)page->hist.n + 1 : 0;
}

static void hist_line(struct page *page, int x, int columns, int line)
{
	struct text_cursor *tc = &page->tc;

	if (line >= hist_lines(page) || text_y(tc) < 0)
		return;
	if (!line)
		hist_plot_heading(tc->c, tc->area.x + x, text_y(tc), columns);
	else
		hist_plot_line(tc->c, tc->area.x + x, text_y(tc), columns, &page->hist,
			       (unsigned)line - 1);
}

/* Line 0 is the heading. */
static void map_line(struct page *page, int x, int line)
{
	if (line > disk_map_lines(&page->map))
		return;
	if (!line)
		text_put(&page->tc, x, -1, STYLE_HEAD, _(heat_titles[page->map.shown]));
	else
		disk_map_line(&page->tc, x, &page->map, line - 1);
}

/* Why there are no histograms. */
static void draw_reason(struct page *page)
{
	const struct model *m = page->v->model;
	const char *reason = NULL;

	if (page->d->flags & DISK_PARTITION) {
		text_wrap(&page->tc, 1, STYLE_DIM,
			  _("Processes and latencies are known of the whole disk."));
		return;
	}
	for (unsigned i = 0; i < SRC_COUNT; i++)
		if ((SRC_BLOCK | SRC_HIST) & 1u << i && m->sources[i].state != SOURCE_ON &&
		    m->sources[i].reason && !reason)
			reason = m->sources[i].reason;
	text_wrap(&page->tc, 1, STYLE_DIM,
		  reason ? reason : _("No request was seen yet."));
}

/* Lines below the current one before the page has to scroll, without those of the layers. */
static int room_left(const struct page *page, int top)
{
	return page->tc.area.height - page->tc.line - top - page->layers_kept;
}

static void draw_wide(struct page *page, int top)
{
	int width = page->tc.area.width, map = page->mapped ? disk_map_lines(&page->map) + 1 : 0;
	int lines =
		MIN((int)page->tasks.n + 1, MAX(TASKS_LEAST + 1, room_left(page, top) - map - 2));

	lines = MAX(lines, hist_lines(page));
	for (int i = 0; i < lines; i++, text_next(&page->tc)) {
		task_line(page, 1, i, lines);
		hist_line(page, TASKS_WIDTH + 5, MIN(width - TASKS_WIDTH - 6, 90), i);
	}
	text_next(&page->tc);
	for (int i = 0; i < map; i++, text_next(&page->tc))
		map_line(page, 1, i);
	if (map)
		disk_map_cursor(&page->tc, 1, width - 2, &page->map);
}

static void draw_small(struct page *page, int top)
{
	int width = page->tc.area.width, map = page->mapped ? disk_map_lines(&page->map) + 1 : 0,
	    hist = hist_lines(page);
	bool beside = width > NARROW;
	int plots = beside ? MAX(map, hist) : map + hist;
	int lines =
		MIN((int)page->tasks.n + 1, MAX(TASKS_LEAST + 1, room_left(page, top) - plots - 1));

	for (int i = 0; i < lines; i++, text_next(&page->tc))
		task_line(page, 1, i, lines);
	for (int i = 0; i < (beside ? plots : hist); i++, text_next(&page->tc)) {
		hist_line(page, 1, beside ? HIST_WIDTH : width - 2, i);
		if (beside && map)
			map_line(page, HIST_WIDTH + 3, i);
	}
	for (int i = 0; !beside && i < map; i++, text_next(&page->tc))
		map_line(page, 1, i);
	if (map)
		disk_map_cursor(&page->tc, 1, width - 2, &page->map);
}

/* Lines for the bands of the heat map and of the histogram. */
static int plot_lines(const struct page *page)
{
	struct rect area = page->tc.area;
	int rest = area.width >= WIDE ? TASKS_LEAST + 9 : TASKS_LEAST + 8;

	return MAX(PLOT_LEAST, MIN(PLOT_LINES, area.height - rest - page->layers_kept));
}

static int map_columns(int width)
{
	return width >= WIDE || width <= NARROW ? width - 2 : width - HIST_WIDTH - 4;
}

/* Finds what the page is drawn from, and places the heat map on it. */
static void page_init(struct page *page, struct text_cursor tc, const struct view *v,
		      const struct row *row, const struct detail_state *state, struct arena *a)
{
	*page = (struct page){ .tc = tc, .v = v, .d = (const struct disk_row *)row };
	page->layers = layer_on_disk(v->model, page->d->whole, a);
	/* On a small screen nothing is kept free: the reader scrolls to the layers. */
	if (tc.area.height >= TALL)
		page->layers_kept = layers_disk_lines(v, &page->layers);
	page->mapped = page->d->heat && page->d->heat->n;
	if (page->mapped)
		disk_map_init(&page->map, page->d->heat, map_columns(tc.area.width),
			      plot_lines(page), state);
}

void disk_detail_settle(struct detail_state *state, struct rect area, const struct view *v,
			const struct row *row)
{
	struct text_cursor nowhere = { .area = area };
	struct page page;
	struct arena a;

	arena_init(&a);
	page_init(&page, nowhere, v, row, state, &a);
	state->still = !page.mapped;
	if (page.mapped)
		disk_map_settle(&page.map, state);
	arena_release(&a);
}

static void draw_page(struct page *page, const struct row *row, int top)
{
	const struct disk_row *d = page->d;
	const struct disk_hist *hist = page->v->spec->span == SPAN_TICK ? d->hist : d->hist_sum;

	if (hist)
		hist_plot_init(&page->hist, hist->op[OP_READ], hist->op[OP_WRITE], 1,
			       (unsigned)plot_lines(page));
	draw_identity(page);
	field_numbers(&page->tc, page->v->model, row, numbers, ARRAY_SIZE(numbers), SPAN_SUM);
	field_watched(&page->tc, page->v->model, SRC_BLOCK, true);
	if (hist) {
		disk_sizes(&page->tc, hist->sizes[OP_READ], STYLE_READ, _("sizes of reads"));
		disk_sizes(&page->tc, hist->sizes[OP_WRITE], STYLE_WRITE, _("sizes of writes"));
	}
	if (!d->hist)
		draw_reason(page);
	if (page->tc.area.width >= WIDE)
		draw_wide(page, top);
	else
		draw_small(page, top);
	layers_draw_disk(&page->tc, page->v, &page->layers);
}

int disk_detail(struct canvas *c, struct rect area, int top, const struct view *v,
		const struct row *row, const struct detail_state *state)
{
	struct page page;
	struct arena a;

	arena_init(&a);
	page_init(&page, text_start(c, area, top), v, row, state, &a);
	if (page.mapped && state->open) {
		disk_map_cell(&page.tc, &page.map);
	} else {
		page.tasks =
			disk_tasks_busiest(v->model, page.d->whole, v->spec->span != SPAN_TICK, &a);
		draw_page(&page, row, top);
	}
	arena_release(&a);
	return text_lines(&page.tc, top);
}

static void move(struct app *app, int dx, int dy)
{
	struct detail_state *state = app_detail_state(app);

	/* The first key only shows where the cursor is. */
	if (state->active) {
		state->dx += dx;
		state->dy += dy;
	}
	state->active = true;
}

static void earlier(struct app *app)
{
	move(app, -1, 0);
}

static void later(struct app *app)
{
	move(app, 1, 0);
}

static void slower(struct app *app)
{
	move(app, 0, 1);
}

static void faster(struct app *app)
{
	move(app, 0, -1);
}

static void open_cell(struct app *app)
{
	struct detail_state *state = app_detail_state(app);

	state->open = state->active && !state->open;
	state->active = true;
}

static void next_kind(struct app *app)
{
	struct detail_state *state = app_detail_state(app);

	state->mode = (state->mode + 1) % HEAT_SHOWN_COUNT;
}

const struct binding disk_detail_keys[] = {
	{ '\r', "Enter", N_("who"), N_("list who was in the cell under the cursor of the heat map"),
	  open_cell, .action = "cell" },
	{ KEY_LEFT_, "Left", N_("cursor"),
	  N_("move the cursor of the heat map, also Right, Up, Down"), earlier,
	  .action = "cell-earlier" },
	{ KEY_RIGHT_, "Right", NULL, N_("a later interval"), later, .action = "cell-later" },
	{ KEY_UP_, "Up", NULL, N_("a slower band"), slower, .action = "cell-slower" },
	{ KEY_DOWN_, "Down", NULL, N_("a faster band"), faster, .action = "cell-faster" },
	{ 'w', "w", N_("axis"),
	  N_("heat map by latency, of both, of reads, of writes; by size; by place on the disk"),
	  next_kind, .action = "cell-kind" },
	{ 0 },
};
