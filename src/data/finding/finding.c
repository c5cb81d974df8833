/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/finding/finding.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "data/finding/look.h"
#include "data/finding/standing.h"
#include "data/finding/state.h"

#define WAITS 5			/* percent of its time from which a task counts as a waiter */
/* A look at what the shown screen does not need: so long (s), and the next not before (s). */
#define PROBE_LASTS 6
#define PROBE_PAUSE 30
#define PROBE_PAUSE_MOST 480	/* each that finds nothing doubles it */
#define PROBE_CALM 60		/* seconds without a suspicion after which it begins anew */
#define PROBE_AFTER 2		/* intervals in a row with a suspicion */

const char *const severity_names[SEVERITY_COUNT] = {
	[SEVERITY_NOTE] = N_("note"),
	[SEVERITY_WARNING] = N_("warning"),
	[SEVERITY_WRONG] = N_("wrong"),
};

static void *state_new(void)
{
	struct finding_state *st = mem_zalloc(sizeof(*st));

	standings_init(&st->standings);
	return st;
}

static void state_free(void *state)
{
	struct finding_state *st = state;

	standings_clear(&st->standings);
	free(st);
}

static int by_wait(const void *pa, const void *pb)
{
	const struct waiter *a = pa, *b = pb;

	return ORDER(b->share, a->share);
}

static void waiter_add(struct finding_look *l, const struct task_row *t, double share)
{
	if (l->nwaiters == LOOK_WAITERS) {
		qsort(l->waiters, l->nwaiters, sizeof(*l->waiters), by_wait);
		if (l->waiters[LOOK_WAITERS - 1].share >= share)
			return;
		l->nwaiters--;
	}
	l->waiters[l->nwaiters++] = (struct waiter){ t, share };
}

/* There is nobody in it most of the time. */
static void list_add(struct finding_look *l, const struct task_row ***list, size_t *n,
		     const struct task_row *t)
{
	if (!*list)
		*list = arena_new(l->a, const struct task_row *, l->m->rows[ENTITY_TASK].n);
	(*list)[(*n)++] = t;
}

static uint64_t stalled_ns(const struct task_row *t)
{
	const struct task_counters *now = t->row.now;

	return now->memstall_ns;
}

static void task_look(struct finding_look *l, const struct task_row *t, double seconds)
{
	const struct task_counters *now = t->row.now;
	double share = (double)now->wait_ns / seconds / (NSEC_PER_SEC / 100);

	/* Nearly all of ten thousand. */
	if (t->row.flags & ROW_STILL)
		return;
	calm_see(l, t);
	/* Threads of the kernel wait for others, whom their waits hold up or not. */
	if (!t->id.start || t->row.flags & (ROW_KTHREAD | ROW_ENDED))
		return;
	if (seconds > 0 && share >= WAITS && t->row.have & LOOK_WAITS)
		waiter_add(l, t, MIN(share, 100));
	if (now->throttle_ns)
		list_add(l, &l->held, &l->nheld, t);
	if (now->throttled_ns || now->held_unseen)
		list_add(l, &l->limited, &l->nlimited, t);
	if (now->memstall_ns && t->row.have & SRC_MEMSTALL &&
	    (!l->stalled || now->memstall_ns > stalled_ns(l->stalled)))
		l->stalled = t;
	if (t->facts && t->facts->asleep_ns >= TASK_ASLEEP_NS)
		list_add(l, &l->stuck, &l->nstuck, t);
}

/* Returns whether it is known how long they wait. */
static bool tasks_look(struct finding_look *l)
{
	unsigned waits = LOOK_WAITS & l->m->have;
	double seconds = waits ? model_watched(l->m, waits, false) : 0;
	const struct task_row *t;

	row_each(t, &l->m->rows[ENTITY_TASK])
		task_look(l, t, seconds);
	calm_sum(l);
	qsort(l->waiters, l->nwaiters, sizeof(*l->waiters), by_wait);
	return seconds > 0;
}

static void kind_look(struct finding_look *l)
{
	const struct disk_row *d;

	if (l->kind->look)
		l->kind->look(l);
	else
		row_each(d, &l->m->rows[ENTITY_DISK])
			l->kind->look_disk(l, d);
}

static void kinds_look(struct finding_look *l, unsigned ignored)
{
	for (size_t i = 0; i < FINDING_KINDS; i++) {
		l->kind = finding_kinds[i];
		if (!(ignored & 1u << i) && finding_can_look(l->m, l->kind))
			kind_look(l);
	}
}

/* Somebody waits for I/O, or a disk has no time left. */
static bool is_suspicious(const struct finding_look *l)
{
	const struct model_totals *t = &l->m->totals;

	if (t->psi_some >= LOOK_PRESSURE && !t->psi_idle)
		return true;
	/* Where neither is known nobody can say that there is nothing. */
	if (isnan(t->psi_some) && !(l->m->have & LOOK_WAITS))
		return true;
	if (l->nwaiters && l->waiters[0].share >= l->share)
		return true;
	return t->flows.swap_in + t->flows.swap_out > 0;
}

static void probe_for(struct finding_state *st, uint64_t now)
{
	st->probe_until = now + PROBE_LASTS * NSEC_PER_SEC;
	st->probe_again = st->probe_until + st->probe_pause * NSEC_PER_SEC;
	st->probed = 0;
}

static void probe(struct finding_state *st, const struct finding_look *l)
{
	unsigned on = l->m->have;
	uint64_t now = l->m->cur->mono,
		 before = now - (uint64_t)(l->m->interval * NSEC_PER_SEC);

	st->suspicious = is_suspicious(l) ? st->suspicious + 1 : 0;
	if (st->suspicious)
		st->suspicious_at = now;
	/* Another trouble, perhaps. */
	if (now - st->suspicious_at > PROBE_CALM * NSEC_PER_SEC)
		st->probe_pause = st->probe_again = 0;
	/* Loading programs may take longer than the look. */
	if (st->probed & on && before < st->probe_until &&
	    model_watched(l->m, st->probed & on, false) > 0)
		probe_for(st, now);
	if (st->suspicious < PROBE_AFTER || now < st->probe_again)
		return;
	/* A look that finds nothing is not worth as much the next time. */
	if (st->probe_found || !st->probe_pause)
		st->probe_pause = PROBE_PAUSE;
	else
		st->probe_pause = MIN(2 * st->probe_pause, PROBE_PAUSE_MOST);
	st->probe_found = false;
	probe_for(st, now);
	st->probed = st->asked = finding_sources() & ~on;
}

/* When each source was on last. */
static void looks_note(struct finding_state *st, struct model *m)
{
	unsigned sources = finding_sources();

	for (unsigned i = 0; i < SRC_COUNT; i++) {
		bool on = sources & m->have & 1u << i && model_watched(m, 1u << i, false) > 0;

		if (on && !st->looks[i].on)
			st->looks[i].began_ns =
				m->real_ns - (uint64_t)(m->interval * NSEC_PER_SEC);
		if (on)
			st->looks[i].ended_ns = m->real_ns;
		st->looks[i].on = on;
		m->looks[i].began_ns = st->looks[i].began_ns;
		m->looks[i].ended_ns = st->looks[i].ended_ns;
	}
}

static void build(void *state, struct model *m, _unused_ const struct sample *cur)
{
	struct finding_state *st = state;
	struct finding_look l = { .m = m, .a = &m->arena, .state = st, .calm = m };
	const struct engine_options *opt = engine_get_options(m->engine);
	const struct finding_row *row;

	l.share = opt->finding_share ? opt->finding_share : FINDING_SHARE;
	st->found = NULL;
	if (m->interval > 0) {
		st->calm = tasks_look(&l) ? st->calm + 1 : 0;
		m->calm.intervals = st->calm;
		kinds_look(&l, opt->ignored);
		looks_note(st, m);
		probe(st, &l);
	}
	for (const struct found *f = st->found; f; f = f->next)
		standing_see(&st->standings, m, &f->row, f->subject);
	standings_check(&st->standings, &l);
	standings_advance(&st->standings, m, opt->whole);
	row_each(row, &m->rows[ENTITY_FINDING])
		st->probe_found |= (row->kind->needs & st->asked) != 0;
	m->probes = m->cur->mono < st->probe_until ? finding_sources() : 0;
}

unsigned finding_sources(void)
{
	unsigned sources = 0;

	for (const struct finding_kind *const *k = finding_kinds; *k; k++)
		sources |= (*k)->needs | (*k)->either;
	return sources;
}

unsigned finding_probes(const struct model *m)
{
	return m->probes;
}

const struct finding_row *model_verdict(const struct model *m)
{
	const struct row_list *list = &m->rows[ENTITY_FINDING];

	return list->n ? (const struct finding_row *)list->rows[0] : NULL;
}

bool finding_is_wrong(const struct model *m)
{
	const struct finding_row *f = model_verdict(m);

	return f && f->severity > SEVERITY_NOTE;
}

const struct entity entity_finding = {
	.name = "finding",
	.row_size = sizeof(struct finding_row),
	.columns = finding_columns,
	.needs = SRC_SYSTEM | SRC_DISKS,
	.derived = true,
	.state_new = state_new,
	.state_free = state_free,
	.build = build,
};
