// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/thinner.h"

#include <stdlib.h>

#include "base/mem.h"
#include "record/thin_judge.h"
#include "record/rows_before.h"

struct thinner {
	struct thinner_options opt;
	struct sample *before; /* the sample before, as it was; no mono: there was none */
	unsigned mark;	       /* of it */
	bool open;	       /* it was not put yet */
	struct sample *sum;    /* those before it in the same interval; no mono: there are none */
	unsigned sum_mark;
	struct sample *last; /* what was put last, unless that was `before' itself */
	bool alone;	     /* it was */
	struct sample *spare;
};

struct thinner *thinner_new(const struct thinner_options *opt)
{
	struct thinner *m = mem_zalloc(sizeof(*m));

	m->opt = *opt;
	m->before = sample_new();
	m->sum = sample_new();
	m->last = sample_new();
	m->spare = sample_new();
	return m;
}

void thinner_free(struct thinner *m)
{
	if (!m)
		return;
	sample_free(m->before);
	sample_free(m->sum);
	sample_free(m->last);
	sample_free(m->spare);
	free(m);
}

static void swap(struct sample **a, struct sample **b)
{
	struct sample *was = *a;

	*a = *b;
	*b = was;
}

static uint64_t net(const struct sample_task *t)
{
	return t->write_bytes > t->cancelled_bytes ? t->write_bytes - t->cancelled_bytes : 0;
}

/*
 * What a task dirtied and did not take back counts up to where it was highest: the two numbers stay
 * those of that moment.
 */
static void fold_dirty(struct sample_task *t, const struct sample_task *before)
{
	if (net(before) <= net(t))
		return;
	t->write_bytes = before->write_bytes;
	t->cancelled_bytes = before->cancelled_bytes;
}

/* What was so since the sample before is so since the one before that. */
static void fold_since(struct sample *s, const struct field *f, char *row, const char *before)
{
	uint64_t *number = (uint64_t *)(void *)(row + f->off);
	const char **text = (const char **)(void *)(row + f->off), *from = before + f->off, *was;

	if (f->kind == FIELD_U64)
		*number = MAX(*number, *(const uint64_t *)(const void *)from);
	else if (f->kind == FIELD_STR && !*text && (was = *(const char *const *)(const void *)from))
		*text = arena_strdup(&s->arena, was);
}

/*
 * Who tells that a task ended may know it by other sources than who listed it: it keeps those that
 * it had, with their counters. Of a task that began before, the others would not be counted.
 */
static void fold_sources(struct sample_task *t, const struct sample_task *before, uint64_t boot)
{
	unsigned lost = before->have & ~t->have;
	bool young = t->id.start + TASK_START_SLACK >= boot;

	if (lost & SRC_TASKIO) {
		t->read_bytes = before->read_bytes;
		t->write_bytes = before->write_bytes;
		t->cancelled_bytes = before->cancelled_bytes;
	}
	if (lost & SRC_DELAYS) {
		t->blkio_ns = before->blkio_ns;
		t->swapin_ns = before->swapin_ns;
	}
	if (lost & SRC_WAITS) {
		t->wait_ns = before->wait_ns;
		t->iowait_ns = before->iowait_ns;
	}
	if (lost & SRC_THROTTLE)
		t->throttle_ns = before->throttle_ns;
	if (lost & SRC_MEMSTALL)
		t->memstall_ns = before->memstall_ns;
	t->have = before->have | (young ? t->have : 0);
}

/* boot: CLOCK_BOOTTIME ns of the sample that had it before. */
static void fold_task(struct sample_task *t, const struct sample_task *before, uint64_t boot)
{
	if (t->flags & TASK_ENDED)
		fold_sources(t, before, boot);
	fold_dirty(t, before);
}

static void fold_row(struct sample *s, size_t table, char *row, const char *before, uint64_t boot)
{
	const struct table_info *info = &sample_tables[table];

	for (unsigned i = 0; i < info->nfields; i++)
		if (info->fields[i].sense == FIELD_SINCE)
			fold_since(s, &info->fields[i], row, before);
	if (table == TABLE_TASK)
		fold_task((struct sample_task *)(void *)row,
			  (const struct sample_task *)(const void *)before, boot);
}

static void copy_all(struct sample *to, const struct sample *from, size_t table)
{
	const char *row = from->tables[table].rows;

	for (size_t i = 0; i < from->tables[table].n; i++, row += sample_tables[table].size)
		sample_copy_row(to, (enum sample_table)table, row);
}

/* The rows of `now`, then those that only `earlier` had; of a log all of both. */
static void fold_table(struct sample *to, const struct sample *earlier, const struct sample *now,
		       size_t table)
{
	const struct table_info *info = &sample_tables[table];
	const char *row = now->tables[table].rows;
	struct rows_before b;

	if (info->log)
		copy_all(to, earlier, table);
	rows_before_init(&b, info->key ? earlier : NULL, table);
	for (size_t i = 0; i < now->tables[table].n; i++, row += info->size) {
		char *copy = sample_copy_row(to, (enum sample_table)table, row);
		const char *from = rows_before_find(&b, row);

		if (!from)
			continue;
		fold_row(to, table, copy, from, earlier->boot);
		b.next = rows_before_index(&b, from) + 1;
	}
	rows_before_release(&b);
	to->tables[table].lacks = now->tables[table].lacks;
	if (!info->key || info->now)
		return;
	rows_before_init(&b, now, table);
	row = earlier->tables[table].rows;
	for (size_t i = 0; i < earlier->tables[table].n; i++, row += info->size) {
		const char *found = rows_before_find(&b, row);

		if (found)
			b.next = rows_before_index(&b, found) + 1;
		else
			sample_copy_row(to, (enum sample_table)table, row);
	}
	rows_before_release(&b);
}

static void take_clocks(struct sample *to, const struct sample *from)
{
	to->mono = from->mono;
	to->boot = from->boot;
	to->real = from->real;
}

/* The two lowest bits say how bad it was, each of the others that something was so. */
static unsigned join_marks(unsigned a, unsigned b)
{
	return ((a | b) & ~3u) | MAX(a & 3, b & 3);
}

/* The sample before goes into the sum. */
static void fold(struct thinner *m)
{
	bool gap = m->sum->mono ? m->sum->gap : m->before->gap;

	sample_reset(m->spare);
	for (size_t t = 0; t < TABLE_COUNT; t++)
		fold_table(m->spare, m->sum, m->before, t);
	take_clocks(m->spare, m->before);
	m->spare->gap = gap;
	m->sum_mark = m->sum->mono ? join_marks(m->sum_mark, m->mark) : m->mark;
	swap(&m->sum, &m->spare);
}

static int put_sum(struct thinner *m, struct err *err)
{
	int r = m->opt.put(m->opt.arg, m->sum, m->sum_mark, err);

	swap(&m->sum, &m->last);
	sample_reset(m->sum);
	return r;
}

/* The interval ends with the sample before. */
static int end_interval(struct thinner *m, struct err *err)
{
	if (!m->open)
		return 0;
	m->open = false;
	if (m->sum->mono) {
		fold(m);
		return put_sum(m, err);
	}
	m->alone = true;
	return m->opt.put(m->opt.arg, m->before, m->mark, err);
}

/* The sample before is an interval of its own. */
static int put_apart(struct thinner *m, struct err *err)
{
	int r = m->sum->mono ? put_sum(m, err) : 0;

	return r < 0 ? r : end_interval(m, err);
}

static bool same_interval(const struct thinner *m, const struct sample *s)
{
	return s->real >= m->before->real &&
	       (s->real - 1) / m->opt.interval == (m->before->real - 1) / m->opt.interval;
}

static unsigned judge(const struct thinner *m, const struct sample *s)
{
	unsigned bits;

	if (!m->before->mono || s->gap)
		return THIN_ENDS_BEFORE | THIN_ENDS_AFTER;
	bits = thin_judge(s, m->before, m->sum, m->alone ? m->before : m->last);
	return same_interval(m, s) ? bits : bits | THIN_ENDS_BEFORE;
}

static void take(struct thinner *m, const struct sample *s, unsigned mark)
{
	if (m->alone)
		swap(&m->before, &m->last);
	m->alone = false;
	sample_reset(m->before);
	sample_copy(m->before, s);
	m->mark = mark;
	m->open = true;
}

int thinner_add(struct thinner *m, const struct sample *s, unsigned mark, struct err *err)
{
	unsigned bits = judge(m, s);
	int r = 0;

	if (bits & THIN_APART)
		r = put_apart(m, err);
	else if (bits & THIN_ENDS_BEFORE)
		r = end_interval(m, err);
	else if (m->open)
		fold(m);
	if (r < 0)
		return r;
	take(m, s, mark);
	return bits & THIN_ENDS_AFTER ? put_apart(m, err) : 0;
}

int thinner_end(struct thinner *m, struct err *err)
{
	return end_interval(m, err);
}
