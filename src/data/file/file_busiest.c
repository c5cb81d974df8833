// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/file/file_busiest.h"

#include <stdlib.h>

void file_busy_add(struct file_busy_list *list, uint64_t weight, const void *row, void *of)
{
	list->items = mem_grow(list->items, list->n, &list->cap, sizeof(*list->items));
	list->items[list->n++] = (struct file_busy){ weight, row, of };
}

static int busier(const void *pa, const void *pb)
{
	const struct file_busy *a = pa, *b = pb;

	return ORDER(b->weight, a->weight);
}

void file_busy_sort(struct file_busy_list *list, const struct counter_table *files)
{
	if (list->n > 1 && list->n + files->n > FILES_AT_ONCE)
		qsort(list->items, list->n, sizeof(*list->items), busier);
}

void file_busy_release(struct file_busy_list *list)
{
	free(list->items);
	*list = (struct file_busy_list){ 0 };
}

/* More processes than that are not told apart. */
static struct file_entry *others_of(struct counter_table *files, const struct file_key *key)
{
	struct file_key other = {
		.process = key->process, .ino = NO_FILE_OTHER, .stacked = key->stacked,
	};
	struct file_entry *e = counter_table_find(files, &other);

	if (e)
		return e;
	if (files->n >= 2 * FILES_AT_ONCE)
		other.process = (struct task_id){ .tid = RESIDUAL_UNATTRIBUTED };
	return counter_table_get(files, &other, NULL);
}

struct file_entry *file_entry_of(struct counter_table *files, const struct file_key *key)
{
	struct file_entry *e = counter_table_find(files, key);

	if (!e && key->sdev && files->n >= FILES_AT_ONCE)
		return others_of(files, key);
	return e ? e : counter_table_get(files, key, NULL);
}

static uint64_t weight_of_counters(const struct file_counters *n)
{
	return n->read + n->write + n->rcall_bytes + n->wcall_bytes + n->opens + n->fsyncs;
}

/* What an entry has to show of the interval, then how lately it had something. */
static uint64_t weight_now(const struct counter_table *files, const struct file_entry *e)
{
	unsigned idle = files->tick - e->c.active;
	uint64_t bytes = e->dirty;

	if (!idle)
		bytes += weight_of_counters((const struct file_counters *)e->c.now);
	return bytes ? bytes + HISTORY_TICKS : HISTORY_TICKS - MIN(idle, HISTORY_TICKS);
}

/* All that an entry has goes to the one of the others of its process. */
static void give_up(struct counter_table *files, struct file_entry *e)
{
	struct file_entry *to = others_of(files, &e->key);
	const uint64_t *now = e->c.now, *sum = e->c.sum;
	bool active = e->c.active == files->tick;

	if (active)
		counters_bump_all(files, &to->c, now);
	for (size_t i = 0; i < FILE_COUNTERS_SUM; i++)
		to->c.sum[i] += sum[i] - (active ? now[i] : 0);
	/* A new one would go with the next sample. */
	if (!to->c.active)
		to->c.active = files->tick;
	to->dirty += e->dirty;
	if (e->dirty)
		to->c.seen = files->tick;
	for (const struct file_disk *d = e->disks; d; d = d->next)
		file_disk_charge(files->tick, to, d);
	if (!to->comm && e->comm)
		to->comm = mem_strdup(e->comm);
	to->uid = e->uid;
	to->cgroup = e->cgroup;
	e->c.drop = true;
}

static void sort_from(struct file_busy_list *list, size_t first)
{
	if (list->n > first + 1)
		qsort(list->items + first, list->n - first, sizeof(*list->items), busier);
}

/*
 * With -a half of the room is for those that had most since the start; the busiest of the interval
 * have the other half, so that sums can grow.
 */
static void sort_by_sums(struct file_busy_list *list)
{
	for (size_t i = FILES_MOST / 2; i < list->n; i++) {
		const struct file_entry *e = list->items[i].of;

		list->items[i].weight =
			weight_of_counters((const struct file_counters *)e->c.sum) + e->dirty;
	}
	sort_from(list, FILES_MOST / 2);
}

void file_busiest_keep(struct counter_table *files)
{
	struct file_busy_list list = { 0 };
	struct file_entry *e;

	if (files->n <= FILES_MOST)
		return;
	counter_table_each(files, e)
		if (e->key.sdev)
			file_busy_add(&list, weight_now(files, e), NULL, e);
	sort_from(&list, 0);
	if (files->keep_all)
		sort_by_sums(&list);
	for (size_t i = FILES_MOST; i < list.n; i++)
		give_up(files, list.items[i].of);
	counter_table_sweep(files);
	file_busy_release(&list);
}
