/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks and their I/O in hand-written samples, and their rows in the model. */
#ifndef IOTOP_TESTS_TASKS_H
#define IOTOP_TESTS_TASKS_H

#include "data/task/task.h"
#include "samples.h"

#define SEC NSEC_PER_SEC
#define WANTED (SRC_TASKS | SRC_BLOCK | SRC_TASKIO | SRC_NAMES)
#define LOOP_DEV (7u << 20)
#define DISK_DEV (8u << 20)

static inline struct sample_task *task(struct sample *s, uint32_t tgid, uint32_t tid,
				       double started)
{
	struct sample_task *t = sample_add_row(s, TASK, struct sample_task);

	t->id = (struct task_id){ tgid, tid, (uint64_t)((1000 + started) * SEC) };
	t->comm = "worker";
	t->flags = TASK_LISTED;
	t->have = SRC_TASKS | SRC_TASKIO;
	return t;
}

static inline struct sample_io *io(struct sample *s, struct task_id cause, struct task_id submitter,
				   uint32_t dev, uint32_t op, uint64_t bytes)
{
	struct sample_io *i = sample_add_row(s, IO, struct sample_io);

	*i = (struct sample_io){
		.cause = cause, .submitter = submitter, .dev = dev, .op = op, .bytes = bytes,
		.ios = bytes / 4096,
		.done = bytes / 4096, .lat_ns = bytes / 4096 * 1000, .max_ns = 2000,
	};
	return i;
}

/* What is said of a row without computing its columns is what they say. */
static inline void check_row(const struct model *m, const struct row *row, const struct row *before)
{
	struct arena texts;

	arena_init(&texts);
	for (enum span span = SPAN_TICK; span <= SPAN_MEAN; span++) {
		bool still = row_is_still(row, span);

		ck_assert(!still || !entity_task.urgency(row, span));
		entity_each_column(&entity_task, col) {
			struct value v = column_value(col, row, m, span, &texts), other;
			double number;

			if (still && col->flags & COL_ACTIVITY && value_number(&v, &number))
				ck_assert_msg(number == 0, "%s", col->key);
			if (!before || !column_is_same(col, row, before))
				continue;
			other = column_value(col, before, m, span, &texts);
			ck_assert_msg(value_same(&v, &other), "%s", col->key);
		}
	}
	arena_release(&texts);
}

static inline const struct model *advance(struct sample *s)
{
	const struct model *m = engine_advance(engine, s, WANTED);
	const struct row_list *rows = &m->rows[ENTITY_TASK];

	engine_late(engine, s);
	/* Some tests have a storm of them. */
	for (size_t i = 0; i < MIN(rows->n, 100); i++)
		check_row(m, rows->rows[i], i ? rows->rows[i - 1] : NULL);
	return m;
}

static inline const struct task_row *row_of(const struct model *m, uint32_t tid, double started)
{
	for (size_t i = 0; i < m->rows[ENTITY_TASK].n; i++) {
		const struct task_row *r = (const struct task_row *)m->rows[ENTITY_TASK].rows[i];

		if (r->id.tid == tid && r->id.start == (uint64_t)((1000 + started) * SEC))
			return r;
	}
	return NULL;
}

static inline const struct task_counters *now(const struct task_row *r)
{
	return (const struct task_counters *)r->row.now;
}

static inline const struct task_counters *sum(const struct task_row *r)
{
	return (const struct task_counters *)r->row.sum;
}

static inline void disks(struct sample *s)
{
	struct sample_disk *d = sample_add_row(s, DISK, struct sample_disk);

	*d = (struct sample_disk){
		.dev = DISK_DEV, .whole = DISK_DEV, .flags = DISK_LOWEST, .name = "sda"
	};
	d = sample_add_row(s, DISK, struct sample_disk);
	*d = (struct sample_disk){ .dev = LOOP_DEV, .whole = LOOP_DEV, .name = "loop0" };
}

#endif
