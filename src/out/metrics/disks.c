// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole disks: parts of them would count twice, and what is stacked has its own name. */
#include "data/disk/disk.h"
#include "out/metrics/state.h"

static void add_operation(struct metrics *x, const struct disk_counters *now, uint32_t op,
			  const char *labels, const char *instead)
{
	const struct disk_op_counters *c = &now->op[op];
	struct series *s = metrics_series(x, SET_DISK_OP, labels, instead);

	s->values[DISK_OP_BYTES] += c->bytes;
	s->values[DISK_OP_IOS] += c->ios;
	s->values[DISK_OP_MERGES] += c->merges;
	s->values[DISK_OP_ERRORS] += c->errors;
	s->values[DISK_OP_REQUEUES] += c->requeues;
	s->values[DISK_OP_QUEUE] += c->queue_ns;
	s->values[DISK_OP_DEVICE] += c->device_ns;
}

/* Reads and writes have series before the first of them, so that a rate knows where it begins. */
static void add_operations(struct metrics *x, const struct disk_row *d, const char *disk)
{
	const struct disk_counters *now = d->row.now,
				   *sum = d->row.sum;

	for (uint32_t op = 0; op < OP_COUNT; op++) {
		struct buf labels = { 0 }, instead = { 0 };

		if (op > OP_WRITE && !sum->op[op].ios)
			continue;
		buf_puts(&labels, disk);
		label_put(&labels, "operation", io_op_name(op));
		label_put(&instead, "device", "other");
		label_put(&instead, "operation", io_op_name(op));
		add_operation(x, now, op, labels.data, instead.data);
		if (d->row.have & SRC_HIST) {
			struct series *s;

			label_put(&labels, "stage", "total");
			label_put(&instead, "stage", "total");
			s = metrics_series(x, SET_LATENCY, labels.data, instead.data);
			if (d->hist)
				metrics_histogram(s, d->hist->op[op], now->op[op].lat_ns);
		}
		buf_release(&labels);
		buf_release(&instead);
	}
}

static void add_load(struct metrics *x, const struct disk_row *d, const char *disk)
{
	const struct disk_counters *now = d->row.now;
	struct series *s = metrics_series(x, SET_DISK, disk, "device=\"other\"");

	s->values[DISK_BUSY] += now->load.busy_ns;
	s->values[DISK_DEPTH] += now->load.depth_ns;
	s->values[DISK_INFLIGHT] = d->in_flight;
}

void metrics_of_disks(struct metrics *x, const struct model *m)
{
	const struct disk_row *d;

	row_each(d, &m->rows[ENTITY_DISK]) {
		struct buf disk = { 0 };

		/* Of the many loop devices only those that were used. */
		if (d->flags & (DISK_PARTITION | DISK_GONE) || d->row.flags & ROW_UNASKED)
			continue;
		label_device(&disk, m, d->dev);
		add_operations(x, d, disk.data);
		if (!(d->row.flags & ROW_ENDED))
			add_load(x, d, disk.data);
		buf_release(&disk);
	}
}
