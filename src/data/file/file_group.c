// SPDX-License-Identifier: GPL-2.0-or-later
/* Files by folder, mount, kind, process, …, and the processes at them. */
#include <stdlib.h>

#include "data/file/file.h"
#include "data/histogram.h"

/* What a row is grouped by, as text; NULL: it has no such thing, and stands for itself. */
static const char *group_text(const struct file_row *r, enum group_by by)
{
	switch (by) {
	case GROUP_FOLDER:
		return r->dir;
	case GROUP_MOUNT:
		return r->mount;
	case GROUP_FS:
		return r->fs;
	case GROUP_EXTENSION:
		return r->ext || !r->dir ? r->ext : "[none]";
	case GROUP_CGROUP:
		return r->cgroup_path ? r->cgroup_path : r->comm;
	case GROUP_NONE:
	case GROUP_PROCESS:
	case GROUP_COMM:
	case GROUP_USER:
	case GROUP_FILE:
	case GROUP_COUNT:
		break;
	}
	return NULL;
}

const char *file_group_key(const struct row *row, enum group_by by, struct arena *a)
{
	const struct file_row *r = (const struct file_row *)row;
	const char *text = group_text(r, by);

	if (by == GROUP_NONE)
		return NULL;
	if (by == GROUP_PROCESS)
		return arena_key(a, &r->process, 1, "");
	/* What has none: the same of all processes. */
	return text ? arena_key(a, &(uint64_t){ 0 }, 1, text) : arena_key(a, &r->file, 1, "");
}

/* Of one file any process may know that it was deleted; of several all must be. */
static const char *group_state(const struct row *group, bool same)
{
	const char *state = NULL;

	for (uint32_t i = 0; i < group->members; i++) {
		const struct file_row *r = (const struct file_row *)group->parts[i];

		if (!r->state && !same)
			return NULL;
		state = r->state ? r->state : state;
	}
	return state;
}

void file_group(struct row *group, enum group_by by, _unused_ uint64_t *sum, struct arena *a)
{
	struct file_row *g = (struct file_row *)group;
	const struct file_row first = *g;
	const char *text = group_text(&first, by);
	bool same = !text && by != GROUP_PROCESS;	/* all members are one file */

	g->pid = 0;
	if (by == GROUP_PROCESS) {
		g->path = first.pid ? arena_printf(a, "%s %llu", first.comm,
						   (unsigned long long)first.pid) : first.comm;
		g->pid = first.pid;
	} else if (text) {
		g->path = text;
	}
	g->row.name = g->path;
	g->ino = same ? first.ino : 0;
	g->file = same ? first.file : 0;
	g->process = by == GROUP_PROCESS ? first.process : 0;
	g->state = group_state(group, same);
}

/* A byte that is dirty counts as a nanosecond of calls: 1 GiB is as much as a second. */
uint64_t file_urgency(const struct row *row, enum span span)
{
	const struct file_counters *n =
		(const struct file_counters *)(span == SPAN_TICK ? row->now : row->sum);
	uint64_t dirty = 0;

	if (!row->parts)
		return n->calls_ns + ((const struct file_row *)row)->dirty;
	for (uint32_t i = 0; i < row->members; i++)
		dirty += ((const struct file_row *)row->parts[i])->dirty;
	return n->calls_ns + dirty;
}

static int by_key(const void *pa, const void *pb)
{
	const struct file_part *a = pa, *b = pb;

	return ORDER(a->key, b->key);
}

static int busiest_first(const void *pa, const void *pb)
{
	const struct file_part *a = pa, *b = pb;
	uint64_t x = a->now_read + a->now_write, y = b->now_read + b->now_write;

	if (x == y) {
		x = a->read + a->write;
		y = b->read + b->write;
	}
	if (x == y) {
		x = a->calls_ns;
		y = b->calls_ns;
	}
	/* Somebody, before what is not known. */
	if (x == y && !a->pid != !b->pid)
		return a->pid ? -1 : 1;
	return x != y ? ORDER(y, x) : by_key(a, b);
}

static struct file_part part_of(const struct file_row *r, enum file_split by)
{
	const struct file_counters *now = r->row.now,
				   *sum = r->row.sum;
	bool file = by == FILE_BY_FILE;

	return (struct file_part){
		.name = file ? r->path : r->comm, .state = file ? r->state : NULL,
		.key = file ? r->file : r->process,
		.pid = file ? 0 : r->pid, .now_read = now->read, .now_write = now->write,
		.read = sum->read, .write = sum->write, .done = sum->done, .lat_ns = sum->lat_ns,
		.untimed = sum->untimed, .max_ns = sum->max_ns, .calls_ns = sum->calls_ns,
	};
}

static void part_add(struct file_part *to, const struct file_part *more)
{
	to->state = to->state ? to->state : more->state;
	to->now_read += more->now_read;
	to->now_write += more->now_write;
	to->read += more->read;
	to->write += more->write;
	to->done += more->done;
	to->lat_ns += more->lat_ns;
	to->untimed += more->untimed;
	to->calls_ns += more->calls_ns;
	to->max_ns = MAX(to->max_ns, more->max_ns);
}

const struct file_part *file_parts(const struct row *row, enum file_split by, struct arena *a,
				   size_t *ret_n)
{
	const struct row *const *rows = row->parts ? row->parts : &row;
	size_t members = row->parts ? row->members : 1, all = 0, n = 0;
	struct file_part *list;

	for (size_t i = 0; i < members; i++)
		all += by == FILE_BY_DISK ? ((const struct file_row *)rows[i])->ndisks : 1;
	list = arena_new(a, struct file_part, all);
	for (size_t i = 0, at = 0; i < members; i++) {
		const struct file_row *r = (const struct file_row *)rows[i];

		for (size_t k = 0; k < (by == FILE_BY_DISK ? r->ndisks : 1); k++)
			list[at++] = by == FILE_BY_DISK ? r->disks[k] : part_of(r, by);
	}
	if (all > 1)
		qsort(list, all, sizeof(*list), by_key);
	for (size_t i = 0; i < all; i++) {
		if (n && list[n - 1].key == list[i].key)
			part_add(&list[n - 1], &list[i]);
		else
			list[n++] = list[i];
	}
	if (n > 1)
		qsort(list, n, sizeof(*list), busiest_first);
	*ret_n = n;
	return list;
}

/* The bucket of data/histogram.h that a bucket begins with. */
static unsigned first_bucket(unsigned i)
{
	return i ? 1 + (i - 1) * 8 : 0;
}

uint64_t file_percentile(const uint64_t hist[FILE_BUCKETS], double p)
{
	double total = 0, before = 0, at;
	unsigned i = 0;

	for (unsigned k = 0; k < FILE_BUCKETS; k++)
		total += (double)hist[k];
	if (total <= 0)
		return 0;
	at = total * p / 100;
	while (i < FILE_BUCKETS - 1 && before + (double)hist[i] < at)
		before += (double)hist[i++];
	if (i == FILE_BUCKETS - 1)
		return hist_lower(first_bucket(i));
	return hist_lower(first_bucket(i)) +
	       (uint64_t)((double)(hist_lower(first_bucket(i + 1)) - hist_lower(first_bucket(i))) *
			  (hist[i] ? (at - before) / (double)hist[i] : 0));
}
