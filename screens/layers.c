// SPDX-License-Identifier: GPL-2.0-or-later
/* The tab of layers: where in the kernel the time of I/O goes. */
#include "screens/layers.h"

#include "base/i18n.h"
#include "data/model.h"
#include "tui/binding.h"
#include "tui/draw/fields.h"
#include "tui/draw/hist_plot.h"
#include "tui/draw/plot.h"
#include "tui/screen.h"

#define BARS 100	/* from so many columns on the time is also shown as bars */
#define SIDE 58		/* of a column of the page, at least */
#define PLOT_LEAST 6	/* lines of a histogram, however little room there is */

static const char *const numbers[] = { "count", "running", "total", "avg",
				       "p50", "p99", "max", "share" };

/* Bands of the histogram for each doubling of the latency. */
static const unsigned fines[] = { 1, 4, HIST_SUB };

static bool since_start(const struct view *v)
{
	return v->spec->span != SPAN_TICK;
}

/* The layers that the calls of this row go through, down to the disk. */
static void draw_parts(struct text_cursor *tc, const struct view *v,
		       const struct layer_parts *parts)
{
	const struct layer_row **lines;
	uint64_t *whole;
	struct arena a;
	size_t n = 0;
	const struct layer_row *r;

	arena_init(&a);
	lines = arena_new(&a, const struct layer_row *, parts->rows.n);
	whole = arena_new(&a, uint64_t, parts->rows.n);
	row_each(r, &parts->rows) {
		/* Of requests and of the steps of an fsync() only those that ended are known. */
		bool ended = layer_is_of_disk(r->layer_id) || layer_is_step(r->layer_id, r->op_id);

		if (!layer_shown(r, v)->time_ns)
			continue;
		whole[n] = ended ? parts->ended_ns : parts->calls_ns;
		lines[n++] = r;
	}
	layers_draw_head(tc, _("TIME BY LAYER"), true);
	layers_draw_rows(tc, v, lines, whole, n);
	text_next(tc);
	arena_release(&a);
}

/* One histogram: a line a band, with its count and a bar. */
static void draw_hist(struct text_cursor *tc, const struct hist_plot *h, enum style style)
{
	for (unsigned i = 0; i < h->n; i++, text_next(tc)) {
		uint64_t count = h->rows[i].counts[0];
		int left = tc->area.width - 20;

		text_number(tc, 1, 6, STYLE_NORMAL, UNIT_NS, (double)h->rows[i].lower, "");
		text_number(tc, 8, 6, count ? STYLE_NORMAL : STYLE_DIM, UNIT_COUNT,
			    canvas_count(tc->c, (double)count), "");
		if (left > 0 && text_y(tc) >= 0)
			plot_bar(tc->c, tc->area.x + 16, text_y(tc), MIN(left, 60), style,
				 (double)count / (double)h->max);
	}
}

/* Reads and writes of the same layer stand side by side. */
static void draw_hists(struct text_cursor *tc, const struct view *v, const struct layer_row *r,
		       unsigned fine, int lines)
{
	static const uint64_t none[HIST_BUCKETS];
	bool both = r->op_id == LAYER_READ || r->op_id == LAYER_WRITE;
	const struct layer_row *other =
		both ? layer_find(v->model, r, r->layer_id,
				  r->op_id == LAYER_READ ? LAYER_WRITE : LAYER_READ)
		     : NULL;
	const uint64_t *mine = r->hist[since_start(v)],
		       *its = other ? other->hist[since_start(v)] : none;
	int width = MIN(tc->area.width - 2, 100);
	struct hist_plot h;

	if (!both || width < HIST_PLOT_LEAST) {
		hist_plot_init(&h, mine, none, fine, (unsigned)lines);
		draw_hist(tc, &h, STYLE_ACCENT2);
		return;
	}
	hist_plot_init(&h, r->op_id == LAYER_READ ? mine : its, r->op_id == LAYER_READ ? its : mine,
		       fine, (unsigned)lines);
	if (!h.n)
		return;
	if (text_y(tc) >= 0)
		hist_plot_heading(tc->c, tc->area.x + 1, text_y(tc), width);
	text_next(tc);
	for (unsigned i = 0; i < h.n; i++, text_next(tc))
		if (text_y(tc) >= 0)
			hist_plot_line(tc->c, tc->area.x + 1, text_y(tc), width, &h, i);
}

struct page {
	const struct view *v;
	const struct layer_row *r;
	struct layer_parts parts;
	unsigned fine;
	int room;	/* lines that are left of the page */
};

static void draw_sections(struct text_cursor *tc, const void *arg)
{
	const struct page *page = arg;
	const struct view *v = page->v;
	double scale = field_scale(tc, v->model, SRC_LAYERS, since_start(v));

	text_section(tc);
	draw_parts(tc, v, &page->parts);
	text_section(tc);
	tc->c->scale = scale;
	layers_draw_callers(tc, v, page->r);
	text_section(tc);
	field_scale(tc, v->model, SRC_LAYERS, since_start(v));
	/* Finer bands take as many lines as there are: the page scrolls. */
	draw_hists(tc, v, page->r, page->fine,
		   page->fine > 1 ? HIST_PLOT_ROWS : MAX(PLOT_LEAST, page->room));
	tc->c->scale = scale;
}

static int explore(struct canvas *c, struct rect area, int top, const struct view *v,
		   const struct row *row, const struct detail_state *state)
{
	const struct layer_row *r = (const struct layer_row *)row;
	struct text_cursor tc = text_start(c, area, top);
	struct page page = { .v = v, .r = r, .fine = fines[state->mode] };
	struct arena a;

	arena_init(&a);
	page.parts = layer_parts(v->model, r, since_start(v), &a);
	field_numbers(&tc, v->model, row, numbers, ARRAY_SIZE(numbers), SPAN_SUM);
	field_watched(&tc, v->model, SRC_LAYERS, true);
	if (area.width >= BARS)
		layers_draw_bars(&tc, v, &page.parts.rows);
	page.room = area.height - tc.line - top - 1;
	text_columns(&tc, SIDE, draw_sections, &page);
	arena_release(&a);
	return text_lines(&tc, top);
}

static void next_fine(struct app *app)
{
	struct detail_state *state = app_detail_state(app);

	state->mode = (state->mode + 1) % ARRAY_SIZE(fines);
}

static const struct binding detail_keys[] = {
	{ 'b', "b", N_("finer"),
	  N_("finer bands of the histogram: 4 or 16 for each doubling of the time"), next_fine,
	  .action = "finer" },
	{ 0 },
};

const struct screen screen_layers = {
	.name = "layers",
	.title = N_("Layers"),
	.tab = NC_("tab", "Layers"),
	.help = N_("where in the kernel the time of I/O goes, layer by layer"),
	.entity = ENTITY_LAYER,
	.columns = "layer,op,fs,disk,count,total,avg,p50,p99,max,share,bar,dist",
	.sort = "total",
	.tree = true,
	/* What limits hold back is known to the block programs. */
	.needs = SRC_DISKS | SRC_SYSTEM | SRC_BLOCK,
	.detail_needs = SRC_CALLERS | SRC_BLOCK | SRC_TASKS | SRC_EXITS,
	.explore = explore,
	.detail_keys = detail_keys,
	.by_process = &layers_by_process,
};
