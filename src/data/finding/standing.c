/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/finding/standing.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "data/finding/look.h"

/* A case of a kind, as long as it is seen or has not been missed for long enough. */
struct standing {
	struct standing_key {
		uint64_t kind, subject;	/* kind: hash of its name */
	} key;				/* hash key */
	struct finding_row row;		/* as it was last seen */
	struct arena texts;		/* of the row */
	unsigned seen, missed;		/* intervals in a row */
	enum severity severity;		/* as it is shown; the order would not hold otherwise */
	unsigned differs;		/* intervals in a row in which it was another one */
	bool now, shown;		/* seen in this interval; for long enough */
	bool before;			/* it was shown, and is looked for once more */
	bool waited;			/* when it was last seen, whoever it holds up waited for
					 * I/O for most of the time that it tells */
	bool over;			/* he waits no more, and it cannot be looked at */
	uint64_t since_ns;		/* CLOCK_REALTIME, when it began or was first seen */
	bool since_before;		/* as in struct finding_row */
	uint64_t first_mono, last_mono;	/* samples in which it was first and last seen */
	struct history history;		/* of the share */
};

/* The texts of a row, in a: the row was in a model, or is to be in one. */
static void texts_copy(struct finding_row *r, struct arena *a)
{
	r->who = r->who ? arena_strdup(a, r->who) : NULL;
	r->victim = r->victim ? arena_strdup(a, r->victim) : NULL;
	r->filter = arena_strdup(a, r->filter ? r->filter : "");
	for (size_t i = 0; i < r->ntexts; i++)
		r->texts[i].text = arena_strdup(a, r->texts[i].text);
}

bool finding_can_look(const struct model *m, const struct finding_kind *kind)
{
	unsigned needs = kind->needs | (kind->either & m->have);
	const char *reason;

	if (needs & ~m->have || (kind->either && !(kind->either & m->have)))
		return false;
	if (kind->total && isnan(kind->total(m)))
		return false;
	if (kind->told && kind->told(m, &reason) != CHECK_WATCHED)
		return false;
	return model_watched(m, needs, false) > 0;
}

static void standing_free(void *value, _unused_ void *arg)
{
	struct standing *s = value;

	arena_release(&s->texts);
	free(s);
}

void standings_init(struct hash *h)
{
	hash_init(h, offsetof(struct standing, key), sizeof(struct standing_key));
}

void standings_clear(struct hash *h)
{
	hash_clear(h, standing_free, NULL);
}

static struct standing_key key_of(const struct finding_kind *kind, uint64_t subject)
{
	return (struct standing_key){ hash_bytes(kind->name, strlen(kind->name)), subject };
}

bool standing_shown(const struct hash *h, const struct finding_kind *kind, uint64_t subject)
{
	struct standing_key key = key_of(kind, subject);
	const struct standing *s = hash_get(h, &key);

	return s && s->shown;
}

const struct finding_row *standing_row(const struct hash *h, const struct finding_kind *kind,
				       uint64_t subject)
{
	struct standing_key key = key_of(kind, subject);
	const struct standing *s = hash_get(h, &key);

	return s ? &s->row : NULL;
}

/*
 * Whether it was not looked for, or for no more than an interval, before the newest one: what is
 * seen in it may have been there before. What was seen first in the second interval counts as well:
 * the first may be a part of one.
 */
static bool is_first_look(const struct model *m, const struct finding_kind *kind)
{
	unsigned needs = kind->needs | (kind->either & m->have);
	uint64_t intervals = (uint64_t)(2.5 * m->interval * NSEC_PER_SEC);

	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (needs & 1u << i && m->looks[i].began_ns + intervals > m->real_ns)
			return true;
	return false;
}

void standing_see(struct hash *h, const struct model *m, const struct finding_row *row,
		  uint64_t subject)
{
	struct standing_key key = key_of(row->kind, subject);
	struct standing *s = hash_get(h, &key);

	if (!s) {
		s = mem_zalloc(sizeof(*s));
		s->key = key;
		s->first_mono = m->cur->mono;
		s->since_ns = m->real_ns - row->age_ns;
		s->since_before = row->since_before ||
				  (!row->age_ns && is_first_look(m, row->kind));
		arena_init(&s->texts);
		hash_put(h, s);
	}
	s->differs = row->severity == s->severity ? 0 : s->differs + 1;
	if (s->differs >= FINDING_INTERVALS || !s->shown) {
		s->severity = row->severity;
		s->differs = 0;
	}
	s->now = true;
	s->last_mono = m->cur->mono;
	s->row = *row;
	s->row.since_ns = s->since_ns;
	s->row.since_before = s->since_before;
	s->row.seen_ns = m->real_ns;
	s->row.severity = s->severity;
	arena_reset(&s->texts);
	texts_copy(&s->row, &s->texts);
}

/* Percent of the interval for which a task of this name waits for I/O; 0: for hardly any of it. */
static double waits_of(const struct finding_look *l, const char *name)
{
	for (size_t i = 0; i < l->nwaiters; i++)
		if (look_is_named(name, l->waiters[i].task))
			return l->waiters[i].share;
	return 0;
}

#define MOST 0.5

void standings_check(struct hash *h, const struct finding_look *l)
{
	unsigned waits = LOOK_WAITS & l->m->have;
	bool known = waits && model_watched(l->m, waits, false) > 0 && l->nwaiters < LOOK_WAITERS;
	struct standing *s;
	size_t i = 0;

	while ((s = hash_next(h, &i)))
		s->row.holds = s->now;
	i = 0;
	while (known && (s = hash_next(h, &i))) {
		double share = waits_of(l, s->row.victim);

		/* Who waits for a journal hardly waits for I/O of his own. */
		if (s->now)
			s->waited = share > 0 && share >= MOST * s->row.share;
		s->over = !s->now && s->waited && !(share > 0);
		s->row.holds = s->now || (s->waited && share > 0);
	}
}

static bool lasted(const struct standing *s)
{
	return s->seen >= FINDING_INTERVALS &&
	       (double)(s->last_mono - s->first_mono) >= s->row.kind->least * NSEC_PER_SEC;
}

static void miss(struct standing *s, bool whole)
{
	s->missed++;
	if (s->shown && (whole || s->missed < FINDING_INTERVALS))
		return;
	s->before |= s->shown;
	s->shown = false;
	s->seen = 0;
}

/* One interval more: seen, missed, or (its sources are off) neither. */
static void advance(struct standing *s, const struct model *m, bool whole)
{
	bool looked = s->over || finding_can_look(m, s->row.kind);

	if (s->now) {
		s->seen++;
		s->missed = 0;
		s->shown |= lasted(s);
	} else if (looked) {
		miss(s, whole);
	}
	history_push(&s->history, s->now ? s->row.share : 0, 0, s->now || looked);
	s->now = false;
}

struct keeping {
	const struct model *m;
	bool whole;
};

static bool keeps(void *value, void *arg)
{
	const struct standing *s = value;
	const struct keeping *k = arg;
	const struct model *m = k->m;

	if (k->whole && s->shown)
		return true;
	if (m->cur->mono - s->last_mono > FINDING_UNSEEN * NSEC_PER_SEC)
		return false;
	return s->missed < (s->shown || s->before ? FINDING_AGAIN : 1);
}

/* The worst first, of equal ones the oldest: the order stays while they last. */
static int by_severity(const void *pa, const void *pb)
{
	const struct standing *a = *(const struct standing *const *)pa,
			      *b = *(const struct standing *const *)pb;

	if (a->row.severity != b->row.severity)
		return a->row.severity < b->row.severity ? 1 : -1;
	if (a->first_mono != b->first_mono)
		return a->first_mono > b->first_mono ? 1 : -1;
	return memcmp(&a->key, &b->key, sizeof(a->key));
}

static void add_row(const struct standing *s, struct model *m, uint64_t rank)
{
	struct finding_row *r = model_add_row(m, ENTITY_FINDING);
	struct row head = r->row;
	uint64_t key[] = { s->key.kind, s->key.subject };

	*r = s->row;
	r->row = head;
	r->row.key = hash_bytes(key, sizeof(key));
	r->row.name = r->name;
	r->row.have = m->have | r->kind->needs;
	r->row.history = &s->history;
	r->rank = rank;
	/* What is kept may change with the next interval, the model stays as it is. */
	texts_copy(r, &m->arena);
}

/* "fio 4711" and "fio (20)" are of one program. */
static bool is_same_program(const char *a, const char *b)
{
	const char *end_a = a ? strrchr(a, ' ') : NULL, *end_b = b ? strrchr(b, ' ') : NULL;

	return end_a && end_b && end_a - a == end_b - b && !strncmp(a, b, (size_t)(end_a - a));
}

/* All of a time that is too short for FINDING_INTERVALS, and it was there all the time. */
static bool filled(const struct standing *s, const struct model *m)
{
	return m->calm.intervals < FINDING_INTERVALS && s->seen >= m->calm.intervals;
}

static const char *disk_of(const struct finding_row *r)
{
	for (size_t i = 0; i < r->ntexts; i++)
		if (!strcmp(r->texts[i].key, "disk"))
			return r->texts[i].text;
	return NULL;
}

/* The same, or one is a partition of the other: sda1, nvme0n1p2 (disk_name() of the kernel). */
static bool is_same_disk(const char *a, const char *b)
{
	size_t len = a && b ? MIN(strlen(a), strlen(b)) : 0;
	const char *rest;

	if (!len || strncmp(a, b, len) != 0)
		return false;
	rest = a[len] ? a + len : b + len;
	if (*rest && isdigit((unsigned char)a[len - 1]))
		return *rest == 'p';
	return !*rest || isdigit((unsigned char)*rest);
}

static bool is_there(const struct standing *s, const struct keeping *k)
{
	return s->shown || (k->whole && filled(s, k->m));
}

/* Another case that is there says the same and more. */
static bool is_told(const struct standing *s, const struct standing *better,
		    const struct keeping *k)
{
	const struct finding_kind *const *kind = s->row.kind->told_by;

	if (!is_there(better, k) || better->row.severity < s->row.severity ||
	    !is_same_program(s->row.victim, better->row.victim) ||
	    !is_same_disk(disk_of(&s->row), disk_of(&better->row)))
		return false;
	while (kind && *kind && *kind != better->row.kind)
		kind++;
	return kind && *kind;
}

/* What was there when it was first looked for began when another kind saw it, perhaps. */
static void told_since(struct standing *s, const struct standing *first)
{
	if (!s->row.since_before || first->row.since_ns >= s->row.since_ns)
		return;
	s->since_ns = s->row.since_ns = first->row.since_ns;
	s->since_before = s->row.since_before = first->row.since_before;
}

static bool is_told_by_any(struct hash *h, const struct standing *s, const struct keeping *k)
{
	struct standing *better;
	size_t i = 0;

	while (s->row.kind->told_by && (better = hash_next(h, &i)))
		if (is_told(s, better, k)) {
			told_since(better, s);
			return true;
		}
	return false;
}

void standings_advance(struct hash *h, struct model *m, bool whole)
{
	struct keeping keeping = { m, whole };
	const struct standing **shown;
	struct standing *s;
	size_t i = 0, n = 0;

	while ((s = hash_next(h, &i)))
		advance(s, m, whole);
	hash_filter(h, keeps, standing_free, &keeping);
	shown = arena_new(&m->arena, const struct standing *, h->n);
	i = 0;
	while ((s = hash_next(h, &i)))
		if (is_there(s, &keeping) && !is_told_by_any(h, s, &keeping))
			shown[n++] = s;
	qsort(shown, n, sizeof(*shown), by_severity);
	for (i = 0; i < n; i++)
		add_row(shown[i], m, i + 1);
}
