// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/task/task_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "data/names.h"

/* A part while it is added up. */
struct adder {
	uint64_t id;	/* hash key: of the disk, of the other task */
	struct task_part part;
};

static void counters_add(struct io_counters *to, const struct io_counters *from)
{
	to->read += from->read;
	to->write += from->write;
	to->ios += from->ios;
	to->done += from->done;
	to->lat_ns += from->lat_ns;
	to->held_unseen += from->held_unseen;
	to->max_ns = MAX(to->max_ns, from->max_ns);
}

static void link_add(struct hash *all, uint64_t id, const char *name, const struct task_link *link,
		     struct arena *a)
{
	struct adder *s = hash_get(all, &id);

	if (!s) {
		s = arena_new(a, struct adder, 1);
		s->id = id;
		s->part.name = name;
		hash_put(all, s);
	}
	counters_add(&s->part.now, link->now);
	counters_add(&s->part.sum, link->sum);
}

static uint64_t id_of(const struct task_id *id)
{
	return hash_bytes(id, sizeof(*id));
}

static void row_add(struct hash *all, const struct task_row *t, enum task_split by, struct arena *a)
{
	const struct task_link *l = by == SPLIT_CAUSE ? t->submitted : t->caused;

	for (; l; l = by == SPLIT_CAUSE ? l->next_submitted : l->next_caused) {
		bool own = !memcmp(&l->cause, &l->submitter, sizeof(l->cause));

		if (by == SPLIT_DISK)
			link_add(all, l->dev, l->disk->name, l, a);
		else if (by == SPLIT_SUBMITTER && !own)
			link_add(all, id_of(&l->submitter), l->submitter_comm, l, a);
		else if (by == SPLIT_CAUSE && !own)
			link_add(all, id_of(&l->cause), l->cause_comm, l, a);
	}
}

static int adder_order(const void *pa, const void *pb)
{
	const struct adder *a = *(const struct adder *const *)pa,
			   *b = *(const struct adder *const *)pb;
	uint64_t x = a->part.sum.read + a->part.sum.write, y = b->part.sum.read + b->part.sum.write;

	return x != y ? ORDER(y, x) : ORDER(a->id, b->id);
}

struct task_parts task_parts(const struct rows *tasks, enum task_split by, struct arena *a)
{
	struct adder **adders, *s;
	const struct task_row *t;
	struct task_part *parts;
	struct hash all;
	size_t i = 0, n = 0;

	hash_init(&all, offsetof(struct adder, id), sizeof(uint64_t));
	row_each(t, tasks)
		row_add(&all, t, by, a);
	adders = arena_new(a, struct adder *, all.n);
	while ((s = hash_next(&all, &i)))
		adders[n++] = s;
	hash_release(&all);
	if (n > 1)
		qsort(adders, n, sizeof(*adders), adder_order);
	parts = arena_new(a, struct task_part, n);
	for (i = 0; i < n; i++)
		parts[i] = adders[i]->part;
	return (struct task_parts){ parts, n };
}

static int by_file(const void *pa, const void *pb)
{
	const struct task_file *a = pa, *b = pb;
	int order = strcmp(a->disk->name, b->disk->name);

	if (!order)
		order = ORDER(a->ino, b->ino);
	return order ? order
		     : strcmp(a->path_text ? a->path_text : "", b->path_text ? b->path_text : "");
}

static int hottest_first(const void *pa, const void *pb)
{
	const struct task_file *a = pa, *b = pb;
	uint64_t na = a->now_read + a->now_write, nb = b->now_read + b->now_write;

	if (na == nb) {
		na = a->sum_read + a->sum_write;
		nb = b->sum_read + b->sum_write;
	}
	return na == nb ? by_file(a, b) : na > nb ? -1 : 1;
}

const struct task_file *task_files_merged(const struct rows *tasks, struct arena *a, size_t *ret_n)
{
	size_t total = 0, n = 0, k = 0;
	struct task_file *files;
	const struct task_row *t;

	row_each(t, tasks)
		total += t->nfiles;
	files = arena_new(a, struct task_file, total);
	row_each(t, tasks)
		for (size_t j = 0; t->files && j < t->nfiles; j++)
			files[k++] = *t->files[j];
	if (k > 1)
		qsort(files, k, sizeof(*files), by_file);
	for (size_t i = 0; i < k; i++) {
		struct task_file *same = n ? &files[n - 1] : NULL;

		if (!same || by_file(same, &files[i])) {
			files[n++] = files[i];
			continue;
		}
		same->now_read += files[i].now_read;
		same->now_write += files[i].now_write;
		same->sum_read += files[i].sum_read;
		same->sum_write += files[i].sum_write;
	}
	if (n > 1)
		qsort(files, n, sizeof(*files), hottest_first);
	*ret_n = n;
	return files;
}
