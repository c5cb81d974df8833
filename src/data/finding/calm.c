/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What there is to say while nothing is found. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

static const struct task_counters *counters_of(const struct row *task)
{
	return task->now;
}

static uint64_t bytes_of(const struct row *task)
{
	return counters_of(task)->read + counters_of(task)->write;
}

void calm_see(struct finding_look *l, const struct task_row *t)
{
	struct model *m = l->calm;

	if (t->id.start && t->row.have & m->have & LOOK_WAITS && counters_of(&t->row)->wait_ns &&
	    (!m->calm.longest ||
	     counters_of(&t->row)->wait_ns > counters_of(m->calm.longest)->wait_ns))
		m->calm.longest = &t->row;
	if (!bytes_of(&t->row))
		return;
	if (!l->busy)
		l->busy = arena_new(l->a, const struct task_row *, m->rows[ENTITY_TASK].n);
	l->busy[l->nbusy++] = t;
}

static void add_process(struct model *m, const struct task_row *t, uint64_t bytes)
{
	size_t at = m->calm.nbusiest;

	while (at && m->calm.busiest[at - 1].bytes < bytes)
		at--;
	if (at == MODEL_BUSIEST)
		return;
	m->calm.nbusiest = MIN(m->calm.nbusiest + 1, MODEL_BUSIEST);
	memmove(m->calm.busiest + at + 1, m->calm.busiest + at,
		(m->calm.nbusiest - at - 1) * sizeof(*m->calm.busiest));
	m->calm.busiest[at].task = &task_leader(t)->row;
	m->calm.busiest[at].bytes = bytes;
}

static int by_process(const void *pa, const void *pb)
{
	const struct task_row *a = *(const struct task_row *const *)pa,
			      *b = *(const struct task_row *const *)pb;

	return ORDER(a->process, b->process);
}

/* Residuals are no processes. */
static bool is_same(const struct task_row *a, const struct task_row *b)
{
	return a == b || (a->id.start && b->id.start && a->process == b->process);
}

void calm_sum(struct finding_look *l)
{
	size_t end;

	if (l->nbusy > 1)
		qsort(l->busy, l->nbusy, sizeof(*l->busy), by_process);
	for (size_t i = 0; i < l->nbusy; i = end) {
		uint64_t bytes = 0;

		for (end = i; end < l->nbusy && is_same(l->busy[i], l->busy[end]); end++)
			bytes += bytes_of(&l->busy[end]->row);
		add_process(l->calm, l->busy[i], bytes);
	}
}

static void put_percent(struct buf *out, const char *format, double value,
			const struct unit_style *style)
{
	char number[32];

	unit_format(number, sizeof(number), UNIT_PERCENT, value, style);
	buf_printf(out, format, number);
}

/* Percent of its time that the task waited which waited longest; 0: nobody did, or not known. */
static double longest_share(const struct model *m)
{
	const unsigned waits = LOOK_WAITS & m->have;
	double seconds = waits ? model_watched(m, waits, false) : 0;

	if (!m->calm.longest || !(seconds > 0))
		return 0;
	return (double)counters_of(m->calm.longest)->wait_ns / seconds / (NSEC_PER_SEC / 100);
}

/*
 * Somebody waits for I/O, none of it comes to an end, and none of the kinds says why. Who reads
 * with nothing else to do waits as long, and that is as it should be.
 */
static bool is_unexplained(const struct model *m)
{
	double share = engine_get_options(m->engine)->finding_share;

	return m->have & SRC_BLOCK && longest_share(m) >= (share > 0 ? share : FINDING_SHARE) &&
	       !bytes_of(m->calm.longest);
}

#define LOOKING 10	/* seconds within which programs are loaded, if they are at all */

/* What would tell who waits is not there yet, but nobody has said that it will not be. */
static bool is_looking(const struct model *m)
{
	bool comes = false;

	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const char *reason = m->sources[i].reason;

		if (LOOK_WAITS & 1u << i)
			comes |= m->sources[i].state != SOURCE_OFF || !reason || !*reason;
	}
	return comes && m->elapsed < LOOKING;
}

/* Somebody waits, and what could tell why is on for a while: no judgement before it has told. */
static bool is_looking_closer(const struct model *m)
{
	return m->probes & m->have & ~FINDING_NEEDS;
}

/* As much as is known: how long each task waits, or only how long anybody does, or nothing. */
static void put_judgement(struct buf *out, const struct model *m, const struct unit_style *style)
{
	double some = m->totals.psi_some;

	if (m->calm.intervals >= FINDING_INTERVALS && is_looking_closer(m))
		buf_puts(out, _("nothing wrong so far, looking closer"));
	else if (m->calm.intervals >= FINDING_INTERVALS)
		buf_puts(out, is_unexplained(m) ? _("no known trouble") : _("nothing wrong"));
	else if (m->calm.intervals)
		buf_printf(out, _("nothing wrong so far (%u of %d intervals)"),
			   m->calm.intervals, FINDING_INTERVALS);
	else if (is_looking(m))
		buf_printf(out, _("looking, %.0f s so far: who waits is not known yet"),
			   m->elapsed);
	else if (isnan(some))
		buf_puts(out, _("not known: neither waits nor the pressure of I/O are measured"));
	else if (some < LOOK_PRESSURE)
		put_percent(out, _("no sign of trouble: somebody waits for I/O %s %% of the time"),
			    some, style);
	else
		put_percent(out,
			    _("somebody waits for I/O %s %% of the time; why is not known here"),
			    some, style);
}

static void put_longest(struct buf *out, const struct model *m, const struct unit_style *style)
{
	const struct task_row *most = (const struct task_row *)m->calm.longest;
	double share = longest_share(m);
	char number[32];

	if (share < 1)
		return;
	unit_format(number, sizeof(number), UNIT_PERCENT, MIN(share, 100), style);
	buf_printf(out, _("; waits most: %s %llu, %s %% of its time"), task_leader(most)->comm,
		   (unsigned long long)most->pid, number);
	if (most->server && task_waits_for_server(&most->row, SPAN_TICK))
		buf_printf(out, _(", for the server of %s"), most->server);
}

static void put_busiest(struct buf *out, const struct model *m, const struct unit_style *style)
{
	double seconds = task_watched(m);
	char number[32];

	for (size_t i = 0; seconds > 0 && i < m->calm.nbusiest; i++) {
		const struct task_row *t = (const struct task_row *)m->calm.busiest[i].task;

		unit_format(number, sizeof(number), UNIT_BYTES,
			    (double)m->calm.busiest[i].bytes / seconds, style);
		buf_printf(out, "%s%s", i ? ", " : _("; busiest: "), task_leader(t)->comm);
		if (t->id.start)
			buf_printf(out, " %llu", (unsigned long long)t->pid);
		buf_printf(out, " %s/s", number);
	}
}

size_t finding_nothing(const struct model *m, const struct unit_style *style, char *text,
		       size_t size)
{
	struct buf out = { 0 };
	size_t len;

	put_judgement(&out, m, style);
	put_longest(&out, m, style);
	put_busiest(&out, m, style);
	len = out.len;
	snprintf(text, size, "%s", out.data);
	buf_release(&out);
	return len;
}
