// SPDX-License-Identifier: GPL-2.0-or-later
/* I/O and waits by control group: charged to who caused them, also when a kernel thread wrote. */

#include "data/names.h"
#include "data/task/task.h"
#include "out/metrics/groups.h"

#define IO_WEIGHT 4096	/* bytes that an I/O counts for when groups are compared */

/* Of a row without a control group: why there is none. */
static const char *residual_reason(const struct task_row *r)
{
	static const char *const reasons[] = {
		[RESIDUAL_UNATTRIBUTED] = "unattributed",
		[RESIDUAL_JOURNAL] = "journal",
		[RESIDUAL_METADATA] = "metadata",
		[RESIDUAL_SWAP] = "swap",
		[RESIDUAL_OUTSIDE] = "outside",
	};

	if (!(r->row.flags & ROW_RESIDUAL))
		return "no_cgroup";
	/* Its control group was forgotten with the task. */
	return r->id.tid && r->id.tid < ARRAY_SIZE(reasons) ? reasons[r->id.tid] : "ended";
}

/* device: NULL: not known. */
static void add_unattributed(struct metrics *x, const struct task_row *r, const char *device,
			     const char *operation, uint64_t bytes)
{
	struct buf labels = { 0 }, instead = { 0 };

	if (!bytes)
		return;
	label_put(&labels, "reason", residual_reason(r));
	buf_puts(&instead, labels.data);
	if (device)
		label_put(&labels, "device", device);
	label_put(&labels, "operation", operation);
	label_put(&instead, "operation", operation);
	metrics_series(x, SET_UNATTRIBUTED, labels.data, instead.data)->values[0] += bytes;
	buf_release(&labels);
	buf_release(&instead);
}

/* device as above. */
static void add_io(struct metrics *x, struct metric_group *g, const char *device,
		   const char *operation, const struct io_counters *io)
{
	struct buf rest = { 0 };
	struct series *s;

	if (!io->ios && !io->bytes && !io->lat_ns)
		return;
	if (device)
		label_put(&rest, "device", device);
	label_put(&rest, "operation", operation);
	s = groups_series(x, g, SET_CGROUP_IO, rest.data);
	s->values[CGROUP_IO_BYTES] += io->bytes;
	s->values[CGROUP_IO_IOS] += io->ios;
	s->values[CGROUP_IO_TIME] += io->lat_ns;
	groups_count(x, g, (double)io->bytes + (double)io->ios * IO_WEIGHT);
	buf_release(&rest);
}

/* A byte is counted once: at the lowest disks. */
static void add_links(struct metrics *x, const struct model *m, const struct task_row *r,
		      struct metric_group *g)
{
	bool cause = engine_get_options(m->engine)->attribute == ATTRIBUTE_CAUSE;
	const struct task_link *l = cause ? r->caused : r->submitted;

	for (; l; l = cause ? l->next_caused : l->next_submitted) {
		if (!l->now || !l->disk->counted)
			continue;
		if (g)
			add_io(x, g, l->disk->name, io_op_name(l->op), l->now);
		else
			add_unattributed(x, r, l->disk->name, io_op_name(l->op),
					 l->now->bytes);
	}
}

/* The accounting of tasks does not say at which disk, nor how often. */
static void add_accounted(struct metrics *x, const struct task_row *r, struct metric_group *g)
{
	const struct task_counters *now = r->row.now;

	for (uint32_t op = OP_READ; op <= OP_WRITE; op++) {
		const struct io_counters io = { .bytes = op == OP_READ ? now->read : now->write };

		if (g)
			add_io(x, g, NULL, io_op_name(op), &io);
		else
			add_unattributed(x, r, NULL, io_op_name(op), io.bytes);
	}
}

static void add_waits(struct metrics *x, const struct task_row *r, struct metric_group *g)
{
	const struct task_counters *now = r->row.now;
	struct series *s;

	if (!now->wait_ns && !now->throttled_ns && !now->throttle_ns && !now->dirty &&
	    !now->held_unseen)
		return;
	s = groups_series(x, g, SET_CGROUP, "");
	s->values[CGROUP_WAIT] += now->wait_ns;
	s->values[CGROUP_THROTTLED] += now->throttled_ns;
	s->values[CGROUP_THROTTLE] += now->throttle_ns;
	s->values[CGROUP_DIRTIED] += now->dirty;
	s->values[CGROUP_UNSEEN] += now->held_unseen;
	groups_count(x, g, (double)now->dirty);
}

/* What is dirty now, of all that live: a group of which nothing is says 0. */
static void add_dirty(struct metrics *x, const struct model *m)
{
	const struct series_list *l = &x->series.sets[SET_CGROUP_DIRTY];
	const struct task_row *r;

	for (size_t i = 0; i < l->n; i++) {
		l->items[i]->values[0] = 0;
		l->items[i]->tick = x->series.tick;
	}
	row_each(r, &m->rows[ENTITY_TASK]) {
		struct metric_group *g;

		if (!r->dirty_now || r->row.flags & ROW_UNSELECTED)
			continue;
		if (!r->facts || !r->facts->cgroup || !r->cgroup_path)
			continue;
		g = groups_get(x, r->facts->cgroup, r->cgroup_path, r->container);
		groups_series(x, g, SET_CGROUP_DIRTY, "")->values[0] += r->dirty_now;
	}
}

static bool has_moved(const struct task_row *r)
{
	const uint64_t *now = r->row.now;

	for (size_t i = 0; i < TASK_COUNTERS_SUM; i++)
		if (now[i])
			return true;
	return false;
}

void metrics_of_tasks(struct metrics *x, const struct model *m)
{
	const struct task_row *r;

	row_each(r, &m->rows[ENTITY_TASK]) {
		struct metric_group *g = NULL;

		if (r->facts && r->facts->cgroup && !(r->row.flags & ROW_ENDED))
			groups_alive(x, r->facts->cgroup);
		if (r->row.flags & ROW_UNSELECTED || !has_moved(r))
			continue;
		if (r->facts && r->facts->cgroup && r->cgroup_path)
			g = groups_get(x, r->facts->cgroup, r->cgroup_path, r->container);
		if (g)
			add_waits(x, r, g);
		if (m->have & SRC_BLOCK && (r->caused || r->submitted))
			add_links(x, m, r, g);
		else
			add_accounted(x, r, g);
	}
	if (m->have & x->sources & SRC_FILES)
		add_dirty(x, m);
	groups_balance(x, m->have & SRC_TASKS);
}
