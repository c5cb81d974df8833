/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of findings. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "data/counters.h"
#include "data/finding/look.h"
#include "data/task/task.h"

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

static const char *sentence_of(const struct finding_row *r)
{
	const struct finding_kind *kind = r->kind;

	if (r->sentence)
		return r->sentence;
	return kind->beside && r->who && r->victim && strcmp(r->who, r->victim) ? kind->beside
										: kind->sentence;
}

size_t finding_sentence(const struct finding_row *r, const struct unit_style *style, char *text,
			size_t size)
{
	struct buf out = { 0 };

	for (const char *s = _(sentence_of(r)); *s;) {
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

void finding_began(const struct finding_row *r, char *text)
{
	*text = '<';
	clock_hms(text + r->since_before, FINDING_BEGAN - 1, r->since_ns);
}

bool finding_is_unseen(const struct finding_row *r, const struct model *m)
{
	double unseen = (double)counter_delta(m->real_ns, r->seen_ns) / NSEC_PER_SEC;

	return unseen > (FINDING_INTERVALS + 0.5) * m->interval;
}

void finding_since(const struct finding_row *r, const struct model *m,
		   const struct unit_style *style, char *text, size_t size)
{
	bool unseen = finding_is_unseen(r, m);
	uint64_t until = unseen && !r->holds ? r->seen_ns : m->real_ns;
	struct buf out = { 0 };
	char age[32], time[16];

	unit_format(age, sizeof(age), UNIT_NS, (double)counter_delta(until, r->since_ns), style);
	clock_hms(time, sizeof(time), r->since_ns);
	if (r->since_before)
		buf_printf(&out, _("at least %s: it was there already at %s"), age, time);
	else
		buf_printf(&out, _("%s, since %s"), age, time);
	if (unseen) {
		clock_hms(time, sizeof(time), r->seen_ns);
		buf_puts(&out, ", ");
		buf_printf(&out, _("last seen %s"), time);
	}
	put(&out, text, size);
}

/* "fio 4711", or as one of all of its program "fio (20)". */
bool look_is_named(const char *name, const struct task_row *t)
{
	const char *comm = task_leader(t)->comm;
	size_t len = strlen(comm);
	char pid[24];

	if (!name || strncmp(name, comm, len) != 0 || name[len] != ' ')
		return false;
	snprintf(pid, sizeof(pid), "%llu", (unsigned long long)t->pid);
	return name[len + 1] == '(' || !strcmp(name + len + 1, pid);
}

const struct finding_row *finding_of(const struct model *m, const struct task_row *task)
{
	const struct finding_row *f;

	row_each(f, &m->rows[ENTITY_FINDING])
		if (task->pid && (look_is_named(f->victim, task) || look_is_named(f->who, task)))
			return f;
	return NULL;
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

		/* The others come and go with the screens. */
		if (!(SRC_DEAR & 1u << i) || done & 1ULL << i || !is_passing(m, i))
			continue;
		buf_puts(&out, out.len ? "; " : "");
		/* All that were on at that time. */
		for (unsigned k = i; k < SRC_COUNT; k++)
			if (SRC_DEAR & 1u << k && m->looks[k].began_ns == began &&
			    m->looks[k].ended_ns == ended) {
				buf_printf(&out, "%s%s", k > i ? ", " : "", source_name(1u << k));
				done |= 1ULL << k;
			}
		clock_hms(time, sizeof(time), began);
		buf_printf(&out, _(" %s for %.0f s"), time, (double)(ended - began) / NSEC_PER_SEC);
	}
	return put(&out, text, size);
}
