// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/stack/offcpu_wakers.h"

#include <stdlib.h>

#include "base/hash.h"

static uint64_t process_of(const struct row *row)
{
	return ((const struct offcpu_row *)row)->id.tgid;
}

struct row_index offcpu_by_process(const struct model *m, struct arena *a)
{
	return row_index_new(m, ENTITY_OFFCPU, process_of, a);
}

/* A waker while it is added up. */
struct adder {
	struct {
		uint32_t kind, tgid, dev, op, held;
	} key;			/* hash key */
	struct offcpu_waker waker;
	uint64_t row_ns;	/* of waker.row */
};

static uint64_t blocked_ns(const struct offcpu_row *r, bool since_start)
{
	const struct offcpu_counters *c = since_start ? r->row.sum : r->row.now;

	return c->blocked_ns;
}

static void row_add(struct hash *all, const struct offcpu_row *r, uint64_t ns, struct arena *a)
{
	uint32_t waker = r->waker_kind == WAKER_TASK ? r->waker_id.tgid : 0;
	struct adder probe = { .key = { r->waker_kind, waker, r->dev, r->op_id,
					r->holder_id.tgid } };
	struct adder *s = hash_get(all, &probe.key);

	if (!s) {
		s = arena_new(a, struct adder, 1);
		s->key = probe.key;
		s->waker.tgid = r->holder_id.tgid ? r->holder_id.tgid : waker;
		hash_put(all, s);
	}
	s->waker.ns += ns;
	if (ns > s->row_ns) {
		s->waker.row = r;
		s->row_ns = ns;
	}
}

static int most_first(const void *pa, const void *pb)
{
	const struct offcpu_waker *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return ORDER(a->row->row.key, b->row->row.key);
}

struct offcpu_wakers offcpu_wakers(const struct row_index *by_process, uint32_t tgid,
				   bool since_start, struct arena *a)
{
	struct rows rows = row_index_find(by_process, tgid);
	struct offcpu_wakers wakers = { 0 };
	struct offcpu_waker *items;
	struct adder *s;
	struct hash all;
	size_t i = 0;
	const struct offcpu_row *r;

	hash_init(&all, offsetof(struct adder, key), sizeof(((struct adder *)0)->key));
	row_each(r, &rows) {
		uint64_t ns = blocked_ns(r, since_start);

		if (ns)
			row_add(&all, r, ns, a);
		wakers.ns += ns;
	}
	wakers.items = items = arena_new(a, struct offcpu_waker, all.n);
	while ((s = hash_next(&all, &i)))
		items[wakers.n++] = s->waker;
	hash_release(&all);
	if (wakers.n > 1)
		qsort(items, wakers.n, sizeof(*items), most_first);
	return wakers;
}

static uint64_t thread_of(const struct row *row)
{
	return ((const struct offcpu_row *)row)->id.tid;
}

struct row_index offcpu_by_thread(const struct model *m, struct arena *a)
{
	return row_index_new(m, ENTITY_OFFCPU, thread_of, a);
}

const struct offcpu_row *offcpu_holder_wait(const struct row_index *by_thread,
					    const struct task_id *holder, bool since_start)
{
	struct rows rows = row_index_find(by_thread, holder->tid);
	const struct offcpu_row *best = NULL, *w;

	row_each(w, &rows) {
		bool goes_on = w->waker_kind == WAKER_NONE;

		if (!holder->start || w->id.start != holder->start || !blocked_ns(w, since_start))
			continue;
		if (!best || goes_on > (best->waker_kind == WAKER_NONE) ||
		    (goes_on == (best->waker_kind == WAKER_NONE) &&
		     blocked_ns(w, since_start) > blocked_ns(best, since_start)))
			best = w;
	}
	return best;
}

struct offcpu_totals offcpu_totals(const struct model *m)
{
	struct offcpu_totals t = { 0 };
	const struct offcpu_row *r;

	row_each(r, &m->rows[ENTITY_OFFCPU]) {
		const struct offcpu_counters *now = r->row.now;

		if (r->row.flags & ROW_UNSELECTED)
			continue;
		t.blocked_ns += now->blocked_ns;
		if (r->disk)
			t.io_ns += now->blocked_ns;
		if (r->waker_kind == WAKER_NONE)
			t.waiting += now->count;
	}
	return t;
}
