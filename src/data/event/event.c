// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/event/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/model.h"
#include "data/names.h"
#include "data/selection.h"

/* An event that is kept from tick to tick. */
struct kept {
	struct sample_event event;	/* comm is clean and short; path is owned and clean */
	uint64_t number;		/* of all events; the key of its row */
	uint64_t time_ns;
	char comm[64];			/* 16 bytes, escaped */
};

/* The newest ones, oldest first: from[first] to from[first + n - 1]. */
struct event_state {
	struct kept **from;
	size_t first, n, cap;
	uint64_t number;
};

static void *state_new(void)
{
	return mem_zalloc(sizeof(struct event_state));
}

static void drop_oldest(struct event_state *st, size_t n)
{
	for (; n && st->n; n--, st->n--) {
		struct kept *k = st->from[st->first++];

		free((char *)(uintptr_t)k->event.path);
		free(k);
	}
	if (!st->n)
		st->first = 0;
}

static void state_free(void *state)
{
	struct event_state *st = state;

	drop_oldest(st, st->n);
	free(st->from);
	free(st);
}

/* Room at the end. */
static void make_room(struct event_state *st)
{
	if (st->first + st->n < st->cap)
		return;
	if (st->first > st->cap / 2) {
		memmove(st->from, st->from + st->first, st->n * sizeof(*st->from));
		st->first = 0;
		return;
	}
	st->cap = st->cap ? st->cap * 2 : 256;
	st->from = mem_realloc(st->from, st->cap * sizeof(*st->from));
}

static void keep(struct event_state *st, const struct sample_event *e, const struct sample *cur)
{
	struct kept *k = mem_zalloc(sizeof(*k));
	char *comm = utf8_clean_dup(e->comm);

	make_room(st);
	st->from[st->first + st->n++] = k;
	k->event = *e;
	k->number = st->number++;
	k->time_ns = cur->real - (cur->mono - e->ns);
	k->event.path = utf8_clean_dup(e->path);
	snprintf(k->comm, sizeof(k->comm), "%s", comm ? comm : "");
	k->event.comm = comm ? k->comm : NULL;
	free(comm);
}

static bool is_selected(struct model *m, const struct sample_event *e)
{
	const struct selection_owner owner = { e->uid, e->cgroup };

	return !m->selection || selection_has(m->selection, engine_name_table(m->engine), &e->id,
					      e->cgroup ? &owner : NULL);
}

static void row_fill(struct event_row *r, const struct kept *k, struct model *m)
{
	struct names *names = engine_name_table(m->engine);
	const struct sample_event *e = &k->event;

	r->row.key = k->number;
	r->row.have = m->have | SRC_EVENTS;
	if (!is_selected(m, e))
		r->row.flags |= ROW_UNSELECTED;
	r->event = *e;
	r->time_ns = k->time_ns;
	r->comm = e->comm;
	if (e->id.start) {
		r->pid = e->id.tgid;
		r->tid = e->id.tid;
		r->cgroup = names_cgroup_short(names, e->cgroup);
	} else if (e->id.tid) {
		r->row.flags |= ROW_RESIDUAL;
		r->comm = residual_name(e->id.tid);
	}
	if (e->dev)
		r->disk = names_disk_people(names, e->dev);
	r->row.name = r->comm ? r->comm : "";
}

static void build(void *state, struct model *m, const struct sample *cur)
{
	const struct engine_options *opt = engine_get_options(m->engine);
	size_t most = opt->events;
	struct event_state *st = state;

	if (st->n > most && !opt->whole)
		drop_oldest(st, st->n - most);
	/* A first sample tells of what was before the time that is shown as a whole. */
	if (m->interval > 0 || !opt->whole)
		sample_each(cur, EVENT, const struct sample_event, e)
			keep(st, e, cur);
	if (most && st->n > most)
		drop_oldest(st, st->n - most);
	/* All that there is so far, anew after each of many samples, would be most of the work. */
	for (size_t i = 0; i < st->n && !(opt->whole && opt->passing); i++) {
		const struct kept *k = st->from[st->first + i];

		if (!k->event.dev ||
		    names_disk(engine_name_table(m->engine), k->event.dev)->shown)
			row_fill(model_add_row(m, ENTITY_EVENT), k, m);
	}
}

struct event_totals event_totals(const struct model *m)
{
	struct event_totals t = { .known = false };

	sample_each(m->cur, EVENTLOG, const struct sample_eventlog, log)
		t = (struct event_totals){ true, log->min_ns, log->sent, log->dropped };
	return t;
}

const struct entity entity_event = {
	.name = "event",
	.row_size = sizeof(struct event_row),
	.columns = event_columns,
	.needs = SRC_EVENTS,
	.groups = 1u << GROUP_NONE,
	.state_new = state_new,
	.state_free = state_free,
	.build = build,
};
