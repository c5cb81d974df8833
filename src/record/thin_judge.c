// SPDX-License-Identifier: GPL-2.0-or-later
/* What is known here of how samples are counted is in the engine (src/data): counters.h, task. */
#include "record/thin_judge.h"

#include "record/rows_before.h"

#define ALONE (THIN_ENDS_BEFORE | THIN_ENDS_AFTER)

/* A table of the sample, and where its rows were before. */
struct judged {
	size_t table;
	const struct table_info *info;
	const struct sample *previous;
	struct rows_before before, sum, last;
};

static uint64_t count_of(const struct field *f, const char *row)
{
	return *(const uint64_t *)(const void *)(row + f->off);
}

/* A counter that falls adds nothing, and from then on counts from where it is. */
static bool falls(const struct table_info *info, const char *row, const char *before)
{
	for (unsigned i = 0; i < info->nfields; i++) {
		const struct field *f = &info->fields[i];

		if (f->sense == FIELD_COUNTS && count_of(f, row) < count_of(f, before))
			return true;
	}
	return false;
}

/*
 * A source of a task that was not read before begins with what it has now, and a doubt is of what
 * it waited in this interval. Of the last row of a task see the thinner.
 */
static bool is_doubtful(const struct sample_task *t, const struct sample_task *before)
{
	return t->flags & TASK_DOUBT || (t->have != before->have && !(t->flags & TASK_ENDED));
}

static unsigned judge_task(const struct sample_task *t, const struct sample *previous)
{
	bool old = t->id.start && t->id.start + TASK_START_SLACK < previous->boot;

	return t->flags & TASK_DOUBT ? ALONE : old ? THIN_ENDS_AFTER : 0;
}

/* A row that the sample before does not have. */
static unsigned judge_new(struct judged *j, const char *row)
{
	const char *earlier = rows_before_find(&j->sum, row);
	unsigned bits = j->info->begins_visible ? THIN_ENDS_AFTER : 0;

	if (!earlier)
		earlier = rows_before_find(&j->last, row);
	if (j->table == TABLE_TASK)
		bits |= judge_task((const void *)row, j->previous);
	if (earlier && j->info->drops)
		bits |= THIN_APART;
	else if (earlier && falls(j->info, row, earlier))
		bits |= ALONE;
	return bits;
}

static unsigned judge_row(struct judged *j, const char *row)
{
	const char *before = rows_before_find(&j->before, row);

	if (!before)
		return j->info->key ? judge_new(j, row) : 0;
	j->before.next = rows_before_index(&j->before, before) + 1;
	if (falls(j->info, row, before))
		return ALONE;
	return j->table == TABLE_TASK && is_doubtful((const void *)row, (const void *)before)
		       ? ALONE
		       : 0;
}

static unsigned judge_table(const struct sample *s, const struct sample *before,
			    const struct sample *sum, const struct sample *last, size_t table)
{
	struct judged j = { .table = table, .info = &sample_tables[table], .previous = before };
	const char *row = s->tables[table].rows;
	unsigned bits = 0;

	rows_before_init(&j.before, before, table);
	rows_before_init(&j.sum, sum, table);
	rows_before_init(&j.last, last, table);
	for (size_t i = 0; i < s->tables[table].n; i++, row += j.info->size)
		bits |= judge_row(&j, row);
	rows_before_release(&j.before);
	rows_before_release(&j.sum);
	rows_before_release(&j.last);
	return bits;
}

/* A source that began, ended or began anew: what it counts is not of one interval. */
static bool same_sources(const struct sample *a, const struct sample *b)
{
	const struct sample_source *x = a->tables[TABLE_SOURCE].rows,
				   *y = b->tables[TABLE_SOURCE].rows;

	if (a->tables[TABLE_SOURCE].n != b->tables[TABLE_SOURCE].n)
		return false;
	for (size_t i = 0; i < a->tables[TABLE_SOURCE].n; i++)
		if (x[i].source != y[i].source || x[i].state != y[i].state ||
		    x[i].since != y[i].since)
			return false;
	return true;
}

unsigned thin_judge(const struct sample *s, const struct sample *before, const struct sample *sum,
		    const struct sample *last)
{
	unsigned bits = same_sources(s, before) ? 0 : ALONE;

	for (size_t t = 0; t < TABLE_COUNT; t++)
		if (!sample_tables[t].late)
			bits |= judge_table(s, before, sum, last, t);
	return bits;
}
