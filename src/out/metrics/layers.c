// SPDX-License-Identifier: GPL-2.0-or-later
/* Time at each layer, the steps of fsync(), and why tasks were blocked. */
#include "data/layer/layer.h"
#include "data/stack/offcpu.h"
#include "out/metrics/state.h"

/* A file system on no disk, or on several, has a number whose major is 0. */
static bool has_device(const struct layer_row *r)
{
	return r->dev >> 20;
}

static void put_place(struct buf *out, const struct model *m, const struct layer_row *r)
{
	if (r->fs)
		label_put(out, "fstype", r->fs);
	if (has_device(r))
		label_device(out, m, r->dev);
}

/* Takes the labels. */
static void put_times(struct metrics *x, enum series_set set, struct buf *labels,
		      struct buf *instead, const struct layer_row *r)
{
	metrics_histogram(metrics_series(x, set, labels->data, instead->data), r->hist[0],
			  r->now->lat_ns);
	buf_release(labels);
	buf_release(instead);
}

/* The layers of the disk are stages of its latency. */
static void add_stage(struct metrics *x, const struct model *m, const struct layer_row *r)
{
	struct buf labels = { 0 }, instead = { 0 };

	if (!has_device(r))
		return;
	label_device(&labels, m, r->dev);
	label_put(&labels, "operation", r->op);
	label_put(&labels, "stage", r->layer);
	label_put(&instead, "device", "other");
	label_put(&instead, "operation", r->op);
	label_put(&instead, "stage", r->layer);
	put_times(x, SET_LATENCY, &labels, &instead, r);
}

static void add_layer(struct metrics *x, const struct model *m, const struct layer_row *r)
{
	struct buf labels = { 0 }, instead = { 0 };

	label_put(&labels, "layer", r->layer);
	label_put(&labels, "operation", r->op);
	buf_puts(&instead, labels.data);
	put_place(&labels, m, r);
	put_times(x, SET_LAYER, &labels, &instead, r);
}

/* part "total": the call as the program sees it. */
static void add_fsync(struct metrics *x, const struct model *m, const struct layer_row *r)
{
	struct buf labels = { 0 }, instead = { 0 };

	label_put(&labels, "part", layer_is_step(r->layer_id, r->op_id) ? r->op : "total");
	buf_puts(&instead, labels.data);
	put_place(&labels, m, r);
	put_times(x, SET_FSYNC, &labels, &instead, r);
}

void metrics_of_layers(struct metrics *x, const struct model *m)
{
	const struct layer_row *r;

	row_each(r, &m->rows[ENTITY_LAYER]) {
		if (layer_is_of_disk(r->layer_id))
			add_stage(x, m, r);
		else
			add_layer(x, m, r);
		if (layer_is_step(r->layer_id, r->op_id) ||
		    (r->layer_id == LAYER_SYSCALL && r->op_id == LAYER_FSYNC))
			add_fsync(x, m, r);
	}
}

void metrics_of_blocked(struct metrics *x, const struct model *m)
{
	const struct offcpu_row *r;

	row_each(r, &m->rows[ENTITY_OFFCPU]) {
		const struct offcpu_counters *now = r->row.now;
		struct buf labels = { 0 };

		if (!now->blocked_ns || r->row.flags & ROW_UNSELECTED)
			continue;
		label_put(&labels, "reason", r->reason ? r->reason : "unknown");
		metrics_series(x, SET_BLOCKED, labels.data, "reason=\"other\"")->values[0] +=
			now->blocked_ns;
		buf_release(&labels);
	}
}
