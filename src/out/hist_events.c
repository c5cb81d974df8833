// SPDX-License-Identifier: GPL-2.0-or-later
/* By flags of requests and by task: of the requests that ended in the interval. */
#include "out/hist_events.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "data/event/event.h"
#include "data/model.h"
#include "out/hist_bands.h"

#define NAME_MOST 200

struct part {
	char name[NAME_MOST];	/* hash key, zeroes behind it */
	uint64_t total;
	struct bands bands;
};

static void name_add(struct buf *name, const char *text)
{
	buf_printf(name, "%s%s", name->len ? " " : "", text && *text ? text : "-");
}

/* What the histogram of a request is called. */
static void name_of(struct out *o, const struct view *v, const struct event_row *r,
		    struct buf *name)
{
	unsigned by = o->opt.hist_by;

	buf_reset(name);
	if (by & 1u << OUT_HIST_DISK)
		name_add(name, r->disk);
	if (by & 1u << OUT_HIST_TASK) {
		name_add(name, r->comm);
		if (r->pid)
			buf_printf(name, " %llu", (unsigned long long)r->pid);
	}
	if (by & 1u << OUT_HIST_OP)
		name_add(name, io_op_name(r->event.op));
	if (by & 1u << OUT_HIST_FLAG) {
		struct value flags = column_value(entity_column(&entity_event, "flags"), &r->row,
						  v->model, SPAN_TICK, &o->texts);

		name_add(name, flags.kind == VAL_STR ? flags.str : NULL);
	}
}

static bool is_counted(const struct out *o, const struct event_row *r)
{
	const struct sample_event *e = &r->event;

	if (e->kind != EVENT_REQUEST || e->flags & EVENT_PART || r->row.flags & ROW_UNSELECTED)
		return false;
	return (o->opt.hist_by & 1u << OUT_HIST_SIZE ? e->bytes : e->total_ns) != EVENT_UNKNOWN;
}

static unsigned size_band(uint64_t bytes)
{
	unsigned band = 0;

	for (uint64_t kib = bytes >> 10; kib && band < DISK_SIZES - 1; kib >>= 1)
		band++;
	return band;
}

/* Most requests first. */
static int by_total(const void *pa, const void *pb)
{
	const struct part *a = *(const struct part *const *)pa,
			  *b = *(const struct part *const *)pb;

	return a->total != b->total ? ORDER(b->total, a->total)
				    : strcmp(a->name, b->name);
}

static bool put_parts(struct out *o, const struct view *v, const struct hash *parts)
{
	struct part **all = mem_alloc((parts->n + 1) * sizeof(struct part *)), *p;
	size_t i = 0, n = 0;

	while ((p = hash_next(parts, &i)))
		all[n++] = p;
	if (n > 1)
		qsort(all, n, sizeof(struct part *), by_total);
	for (i = 0; i < n; i++)
		out_bands(o, v, all[i]->name, &all[i]->bands);
	free(all);
	return n;
}

bool out_hist_events(struct out *o, const struct view *v)
{
	bool sizes = o->opt.hist_by & 1u << OUT_HIST_SIZE, any;
	struct buf name = { 0 };
	struct hash parts;
	const struct event_row *r;

	hash_init(&parts, offsetof(struct part, name), NAME_MOST);
	row_each(r, &v->model->rows[ENTITY_EVENT]) {
		struct part fresh = { .bands = { .n = sizes ? DISK_SIZES : DISK_BANDS,
						 .sizes = sizes } }, *p;

		if (!is_counted(o, r))
			continue;
		name_of(o, v, r, &name);
		snprintf(fresh.name, sizeof(fresh.name), "%s", name.data);
		p = hash_get(&parts, fresh.name);
		if (!p) {
			p = mem_alloc(sizeof(*p));
			*p = fresh;
			hash_put(&parts, p);
		}
		p->total++;
		p->bands.count[sizes ? size_band(r->event.bytes) : disk_band(r->event.total_ns)]++;
	}
	any = put_parts(o, v, &parts);
	hash_clear(&parts, hash_free_value, NULL);
	buf_release(&name);
	return any;
}
