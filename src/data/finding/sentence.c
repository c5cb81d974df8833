/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of findings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "data/counters.h"
#include "data/disk/disk.h"
#include "data/finding/finding.h"
#include "data/task/task.h"

#define BUSIEST 3

static void put_number(struct buf *out, const struct finding_number *n,
		       const struct unit_style *style)
{
	char text[64];

	unit_format(text, sizeof(text), n->unit, n->value, style);
	buf_printf(out, "%s%s%s", text, n->unit == UNIT_PERCENT ? " %" : "", n->rate ? "/s" : "");
}

static void put_key(struct buf *out, const struct finding_row *r, const char *key, size_t len,
		    const struct unit_style *style)
{
	for (size_t i = 0; i < r->ntexts; i++)
		if (strlen(r->texts[i].key) == len && !strncmp(r->texts[i].key, key, len)) {
			buf_puts(out, r->texts[i].text);
			return;
		}
	for (size_t i = 0; i < r->nnumbers; i++)
		if (strlen(r->numbers[i].key) == len && !strncmp(r->numbers[i].key, key, len)) {
			put_number(out, &r->numbers[i], style);
			return;
		}
	if (len == 3 && !strncmp(key, "who", len))
		buf_puts(out, r->who ? r->who : "?");
	else if (len == 6 && !strncmp(key, "victim", len))
		buf_puts(out, r->victim ? r->victim : "?");
}

static size_t put(struct buf *out, char *text, size_t size)
{
	size_t len = out->len;

	snprintf(text, size, "%s", out->data ? out->data : "");
	buf_release(out);
	return len;
}

size_t finding_sentence(const struct finding_row *r, const struct unit_style *style, char *text,
			size_t size)
{
	struct buf out = { 0 };

	for (const char *s = _(r->kind->sentence); *s;) {
		size_t n = strcspn(s, "{");

		buf_putn(&out, s, n);
		s += n;
		if (!*s)
			break;
		n = strcspn(s, "}");
		put_key(&out, r, s + 1, n - 1, style);
		s += n + (s[n] == '}');
	}
	return put(&out, text, size);
}

struct busy {
	const struct task_row *task;
	double bytes;
};

static int by_bytes(const void *pa, const void *pb)
{
	const struct busy *a = pa, *b = pb;

	return (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

/* The busiest tasks, most bytes first; returns how many. */
static size_t find_busiest(const struct model *m, struct busy top[BUSIEST + 1])
{
	const struct row_list *tasks = &m->rows[ENTITY_TASK];
	size_t n = 0;

	for (size_t i = 0; i < tasks->n; i++) {
		const struct task_row *t = (const struct task_row *)tasks->rows[i];
		const struct task_counters *now = (const struct task_counters *)t->row.now;
		double bytes = (double)now->read + (double)now->write;

		if (bytes <= 0 || (n == BUSIEST && bytes <= top[n - 1].bytes))
			continue;
		top[n++] = (struct busy){ t, bytes };
		qsort(top, n, sizeof(*top), by_bytes);
		n = MIN(n, BUSIEST);
	}
	return n;
}

/* Who waits most, when anybody does. */
static void put_longest(struct buf *out, const struct model *m, const struct unit_style *style)
{
	const struct row_list *tasks = &m->rows[ENTITY_TASK];
	const unsigned waits = (SRC_WAITS | SRC_DELAYS) & m->have;
	double seconds = waits ? model_watched(m, waits, false) : 0;
	const struct task_row *most = NULL;
	uint64_t ns = 0;
	char number[32];

	for (size_t i = 0; i < tasks->n; i++) {
		const struct task_row *t = (const struct task_row *)tasks->rows[i];
		const struct task_counters *now = (const struct task_counters *)t->row.now;

		if (now->wait_ns > ns && t->row.have & waits && t->id.start) {
			ns = now->wait_ns;
			most = t;
		}
	}
	if (!most || !(seconds > 0) || (double)ns < seconds * NSEC_PER_SEC / 100)
		return;
	unit_format(number, sizeof(number), UNIT_PERCENT,
		    MIN((double)ns / seconds / (NSEC_PER_SEC / 100), 100), style);
	buf_printf(out, _("; waits most: %s %llu, %s %% of its time"), task_leader(most)->comm,
		   (unsigned long long)most->pid, number);
}

size_t finding_nothing(const struct model *m, const struct unit_style *style, char *text,
		       size_t size)
{
	double seconds = task_watched(m);
	struct busy top[BUSIEST + 1];
	size_t n = seconds > 0 ? find_busiest(m, top) : 0;
	struct buf out = { 0 };
	char number[32];

	buf_puts(&out, _("nothing wrong"));
	put_longest(&out, m, style);
	for (size_t i = 0; i < n; i++) {
		const struct task_row *t = top[i].task;

		unit_format(number, sizeof(number), UNIT_BYTES, top[i].bytes / seconds, style);
		buf_printf(&out, "%s%s", i ? ", " : _("; busiest: "), task_leader(t)->comm);
		if (t->id.start)
			buf_printf(&out, " %llu", (unsigned long long)t->pid);
		buf_printf(&out, " %s/s", number);
	}
	return put(&out, text, size);
}

/* Not there from the first sample to the newest. */
static bool is_passing(const struct model *m, unsigned i)
{
	double seconds =
		(double)counter_delta(m->looks[i].ended_ns, m->looks[i].began_ns) / NSEC_PER_SEC;

	return m->looks[i].ended_ns && seconds < m->elapsed - m->interval;
}

size_t finding_looked(const struct model *m, char *text, size_t size)
{
	struct buf out = { 0 };
	uint64_t done = 0;
	char time[16];

	for (unsigned i = 0; i < SRC_COUNT; i++) {
		uint64_t began = m->looks[i].began_ns, ended = m->looks[i].ended_ns;

		if (done & 1ULL << i || !is_passing(m, i))
			continue;
		buf_puts(&out, out.len ? "; " : "");
		/* All that were on at that time. */
		for (unsigned k = i; k < SRC_COUNT; k++)
			if (m->looks[k].began_ns == began && m->looks[k].ended_ns == ended) {
				buf_printf(&out, "%s%s", k > i ? ", " : "", source_name(1u << k));
				done |= 1ULL << k;
			}
		clock_hms(time, sizeof(time), began);
		buf_printf(&out, _(" %s for %.0f s"), time, (double)(ended - began) / NSEC_PER_SEC);
	}
	return put(&out, text, size);
}
