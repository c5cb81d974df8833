// SPDX-License-Identifier: GPL-2.0-or-later
/* Latency as people read it: a line a range, with its count and a bar. */
#include <string.h>

#include "base/i18n.h"
#include "data/disk/disk.h"
#include "data/layer/layer.h"
#include "data/model.h"
#include "out/formats.h"
#include "out/hist_bands.h"
#include "out/hist_events.h"

#define STEPS 16	/* from a stacked device down to the disks */

const char *const out_hist_names[OUT_HISTS] = {
	[OUT_HIST_DISK] = "disk",
	[OUT_HIST_OP] = "op",
	[OUT_HIST_ALL] = "all",
	[OUT_HIST_SIZE] = "size",
	[OUT_HIST_FLAG] = "flag",
	[OUT_HIST_TASK] = "task",
};

/* The same of times. */
static bool put_hist(struct out *o, const struct view *v, const char *name, const uint64_t *counts)
{
	struct bands b = { .n = DISK_BANDS };

	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		b.count[disk_band(hist_lower(i))] += counts[i];
	return out_bands(o, v, name, &b);
}

static const struct disk_row *row_of(const struct view *v, size_t i)
{
	return (const struct disk_row *)v->rows[i].row;
}

/* NULL: unknown. */
static const struct disk_hist *hist_of(const struct view *v, const struct disk_row *r)
{
	return v->spec->span == SPAN_TICK ? r->hist : r->hist_sum;
}

/* Adds what a disk has of an operation. */
static void add(struct bands *to, const struct disk_hist *hist, unsigned op)
{
	for (unsigned i = 0; to->sizes && i < DISK_SIZES; i++)
		to->count[i] += hist->sizes[op][i];
	for (unsigned i = 0; !to->sizes && i < HIST_BUCKETS; i++)
		to->count[disk_band(hist_lower(i))] += hist->op[op][i];
}

static const struct disk_row *disk_called(const struct model *m, const char *name)
{
	const struct disk_row *r;

	row_each(r, &m->rows[ENTITY_DISK])
		if (!strcmp(r->disk, name))
			return r;
	return NULL;
}

static bool has_hist(const struct view *v, const struct disk_row *r)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->rows[i].row == &r->row)
			return hist_of(v, r);
	return false;
}

/*
 * Is one of the disks that it lies on in the view, with a histogram? Then the same I/O is in that
 * one. Stacks of devices are not deep, and no deeper than STEPS.
 */
static bool lies_on_another(const struct view *v, const struct disk_row *r, unsigned steps)
{
	for (size_t i = 0; steps && i < r->nbelow; i++) {
		const struct disk_row *below = disk_called(v->model, r->below[i]);

		if (below && (has_hist(v, below) || lies_on_another(v, below, steps - 1)))
			return true;
	}
	return false;
}

/* Histograms of the n rows from `first' on, added up: one for each operation, or one. */
static bool put_disks(struct out *o, const struct view *v, size_t first, size_t n)
{
	unsigned step = o->opt.hist_by & 1u << OUT_HIST_OP ? 1 : OP_COUNT;
	bool by_disk = o->opt.hist_by & 1u << OUT_HIST_DISK, any = false,
	     sizes = o->opt.hist_by & 1u << OUT_HIST_SIZE;

	for (unsigned op = 0; op < OP_COUNT; op += step) {
		const char *disk = by_disk ? v->rows[first].row->name : "",
			   *name = step == 1 ? io_op_name(op) : by_disk ? "" : _("all");
		struct bands b = { .n = sizes ? DISK_SIZES : DISK_BANDS, .sizes = sizes };
		char text[512];

		for (size_t row = first; row < first + n; row++) {
			const struct disk_row *r = row_of(v, row);
			const struct disk_hist *hist = hist_of(v, r);

			if (!hist || (!by_disk && lies_on_another(v, r, STEPS)))
				continue;
			for (unsigned k = op; k < op + step; k++)
				add(&b, hist, k);
		}
		snprintf(text, sizeof(text), "%s%s%s", disk, *disk && *name ? " " : "", name);
		any |= out_bands(o, v, text, &b);
	}
	return any;
}

static bool put_layers(struct out *o, const struct view *v)
{
	bool any = false;

	for (size_t i = 0; i < v->n; i++) {
		const struct layer_row *r = (const struct layer_row *)v->rows[i].row;

		any |= put_hist(o, v, r->row.name, r->hist[v->spec->span != SPAN_TICK]);
	}
	return any;
}

/* Why there is none: nothing ended, or nobody counted. */
static void put_none(struct out *o, const struct view *v, enum source needed)
{
	const struct model *m = v->model;
	const char *reason = NULL;

	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (needed & ~m->have & 1u << i)
			reason = m->sources[i].reason ? m->sources[i].reason : "?";
	out_time(o, v);
	if (reason)
		buf_printf(&o->buf, _("no histograms: %s is off: %s"), source_name(needed), reason);
	else
		buf_puts(&o->buf, _("no histograms: nothing ended"));
	buf_putc(&o->buf, '\n');
}

void out_hist(struct out *o, const struct view *v)
{
	bool layers = v->spec->entity_id == ENTITY_LAYER, any = false;

	if (layers)
		any = put_layers(o, v);
	else if (o->opt.hist_by & OUT_HIST_OF_EVENTS)
		any = out_hist_events(o, v);
	else if (!(o->opt.hist_by & 1u << OUT_HIST_DISK))
		any = put_disks(o, v, 0, v->n);
	else
		for (size_t i = 0; i < v->n; i++)
			any |= put_disks(o, v, i, 1);
	if (!any)
		put_none(o, v, layers ? SRC_LAYERS
			       : o->opt.hist_by & OUT_HIST_OF_EVENTS ? SRC_EVENTS : SRC_HIST);
}
