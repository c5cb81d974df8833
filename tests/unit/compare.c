// SPDX-License-Identifier: GPL-2.0-or-later
/* Two ranges: what is the same is 0, and what was only in one of them says so. */
#include "data/compare.h"

#include <math.h>
#include <string.h>

#include "../golden/scene.h"
#include "data/changes.h"
#include "data/model.h"
#include "data/stack/stack.h"
#include "data/task/task.h"
#include "unit.h"
#include "view/flame.h"
#include "view/view.h"

#define ALL_THERE                                                                       \
	.disks = true, .stacks = true, .layers = true, .offcpu = true, .files = true, .mounts = true

static struct scene scene = { ALL_THERE };

/* The model of the ticks from one to another. */
struct run {
	struct engine *engine;
	struct sample *samples[2];
	const struct model *model;
};

#define DD 8133
#define DD_ENDED 8	/* the tick in which it ends */

/* As the kernel forgets what an ended task did. */
static void forget_dd(struct sample *s)
{
	struct sample_io *io = s->tables[TABLE_IO].rows;
	size_t n = 0;

	for (size_t i = 0; i < s->tables[TABLE_IO].n; i++)
		if (io[i].cause.tid != DD)
			io[n++] = io[i];
	s->tables[TABLE_IO].n = n;
}

static struct run run_ticks(unsigned from, unsigned to)
{
	static const struct engine_options options = { .accumulated = true };
	struct run r = { engine_new(&options), { sample_new(), sample_new() }, NULL };

	for (unsigned i = from; i <= to; i++) {
		struct sample *s = r.samples[i % 2];

		sample_reset(s);
		scene_sample(&scene, s, i);
		if (i > DD_ENDED)
			forget_dd(s);
		r.model = engine_advance(r.engine, s, ~0u);
		engine_late(r.engine, s);
	}
	return r;
}

static void run_end(struct run *r)
{
	engine_free(r->engine);
	sample_free(r->samples[0]);
	sample_free(r->samples[1]);
}

static double number(const struct row *row, const struct model *m, const char *key)
{
	const struct column *col = entity_column(row->entity, key);
	struct arena texts;
	struct value v;
	double d = -1e300;

	ck_assert_msg(col != NULL, "%s", key);
	arena_init(&texts);
	v = column_value(col, row, m, SPAN_SUM, &texts);
	value_number(&v, &d);
	arena_release(&texts);
	return d;
}

/* Of all columns of a row that is compared with itself; returns how many numbers there are. */
static unsigned check_same(const struct row *row, const struct model *m)
{
	struct arena texts;
	unsigned n = 0;

	arena_init(&texts);
	entity_each_column(row->entity, col) {
		const struct column *diff =
			compare_column(row->entity, col, COMPARED_DIFFERENCE);
		const struct column *ratio = compare_column(row->entity, col, COMPARED_RATIO);
		struct value v;
		double d;

		if (!diff)
			continue;
		v = column_value(diff, row, m, SPAN_MEAN, &texts);
		if (value_number(&v, &d)) {
			ck_assert_msg(d == 0, "%s of %s: %g", col->key, row->name, d);
			n++;
		}
		v = column_value(ratio, row, m, SPAN_MEAN, &texts);
		if (value_number(&v, &d))
			ck_assert_msg(d == 1, "%s of %s: %g", col->key, row->name, d);
	}
	arena_release(&texts);
	return n;
}

/* The icicle of all stacks. */
static void build_flame(struct flame *f, struct view *view, const struct model *m)
{
	static struct view_spec spec = { .entity = &entity_stack, .entity_id = ENTITY_STACK,
					 .span = SPAN_MEAN };

	view_init(view);
	view_build(view, m, &spec);
	flame_init(f);
	flame_build(f, view, 0, WEIGHT_BYTES);
}

START_TEST(with_itself)
{
	struct run before = run_ticks(2, 7), after = run_ticks(2, 7);
	struct change changes[CHANGES_MAX];
	unsigned rows = 0, numbers = 0;
	struct arena texts;
	struct view view;
	struct flame f;

	model_compare(after.model, before.model);
	for (size_t e = 0; e < ENTITY_COUNT; e++) {
		ck_assert_uint_eq(after.model->rows[e].n, before.model->rows[e].n);
		for (size_t i = 0; i < after.model->rows[e].n; i++, rows++) {
			const struct row *row = after.model->rows[e].rows[i];

			ck_assert_ptr_nonnull(row->before);
			ck_assert(!(row->flags & ROW_BEFORE));
			numbers += check_same(row, after.model);
		}
	}
	ck_assert_uint_gt(rows, 20);
	ck_assert_uint_gt(numbers, 100);
	arena_init(&texts);
	ck_assert_uint_eq(changes_find(after.model, &texts, changes), 0);
	arena_release(&texts);
	build_flame(&f, &view, after.model);
	ck_assert(f.compared && f.root->weight);
	for (const struct flame_node *n = f.root; n; n = flame_next(n)) {
		ck_assert_uint_eq(n->now, n->before);
		ck_assert_uint_eq(n->now, n->weight);
	}
	flame_release(&f);
	view_release(&view);
	run_end(&after);
	run_end(&before);
}
END_TEST

static const struct row *task_called(const struct model *m, const char *comm)
{
	for (size_t i = 0; i < m->rows[ENTITY_TASK].n; i++)
		if (!strcmp(m->rows[ENTITY_TASK].rows[i]->name, comm))
			return m->rows[ENTITY_TASK].rows[i];
	return NULL;
}

/* dd ends in between: what it wrote is missing afterwards. */
START_TEST(who_ended)
{
	struct run before = run_ticks(0, 6), after = run_ticks(12, 18);
	const struct row *dd;

	model_compare(after.model, before.model);
	dd = task_called(after.model, "dd");
	ck_assert_ptr_nonnull(dd);
	ck_assert(dd->flags & ROW_BEFORE);
	ck_assert_double_eq(number(dd, after.model, "write"), 0);
	ck_assert_double_eq(number(dd, after.model, "write_diff"), -6 * 12.0 * (1 << 20));
	ck_assert_double_eq(number(dd, after.model, "write_ratio"), 0);
	/* No request, no time of one. */
	ck_assert_double_lt(number(dd, after.model, "lat_diff"), -1e299);
	run_end(&after);
	run_end(&before);
}
END_TEST

START_TEST(who_came)
{
	struct run before = run_ticks(12, 18), after = run_ticks(0, 6);
	const struct row *dd;

	model_compare(after.model, before.model);
	dd = task_called(after.model, "dd");
	ck_assert_ptr_nonnull(dd);
	ck_assert_ptr_null(dd->before);
	ck_assert_double_eq(number(dd, after.model, "write_diff"), 6 * 12.0 * (1 << 20));
	ck_assert_double_lt(number(dd, after.model, "write_ratio"), -1e299);
	run_end(&after);
	run_end(&before);
}
END_TEST

/* Groups are compared as a whole, whoever is in them; the order is by the change. */
START_TEST(groups)
{
	struct run before = run_ticks(0, 6), after = run_ticks(12, 18);
	struct view_spec spec = { .entity = &entity_task, .entity_id = ENTITY_TASK,
				  .group = GROUP_USER, .span = SPAN_SUM };
	double sum = 0, last = 1e300;
	struct view view;

	model_compare(after.model, before.model);
	ck_assert_int_eq(view_set_columns(&spec, "user,read,write", NULL), 0);
	ck_assert_int_eq(view_set_sort(&spec, "write", NULL), 0);
	view_compare(&spec);
	ck_assert_uint_eq(spec.ncolumns, 1 + 1 + 3 + 3);
	view_init(&view);
	view_build(&view, after.model, &spec);
	for (size_t i = 0; i < view.n; i++) {
		double diff = number(view.rows[i].row, after.model, "write_diff");

		ck_assert_double_le(fabs(diff), last);
		last = fabs(diff);
		sum += diff;
	}
	ck_assert_double_eq_tol(sum, after.model->sums.write - before.model->sums.write, 1);
	ck_assert_double_lt(sum, -1);
	view_release(&view);
	run_end(&after);
	run_end(&before);
}
END_TEST

static const struct flame_node *child(const struct flame_node *n, const char *text)
{
	for (n = n->child; n; n = n->next)
		if (!strcmp(n->text, text))
			return n;
	return NULL;
}

/* What grew and what shrank, in the icicle: as much as if both ranges were equally long. */
START_TEST(widths)
{
	struct run before, after;
	struct view view;
	struct flame f;
	const struct flame_node *disk;

	scene.turn = 8;
	before = run_ticks(2, 7);
	after = run_ticks(8, 18);
	scene.turn = 0;
	model_compare(after.model, before.model);
	build_flame(&f, &view, after.model);
	disk = child(f.root, "sda");
	ck_assert_uint_eq(child(disk, "rsync")->now, 0);
	ck_assert_uint_eq(child(disk, "rsync")->before, 10 * (31ull << 20));
	ck_assert_uint_eq(child(disk, "rsync")->weight, 10 * (31ull << 20));
	disk = child(f.root, "nvme0n1");
	ck_assert_uint_eq(child(disk, "postgres")->before, 10 * (170ull << 20));
	ck_assert_uint_eq(child(disk, "postgres")->now, 10 * (280ull << 20));
	ck_assert_uint_eq(child(disk, "kworker/u8:1")->now, child(disk, "kworker/u8:1")->before);
	flame_release(&f);
	view_release(&view);
	run_end(&after);
	run_end(&before);
}
END_TEST

/* What changed most is said, by whose name it was known, and what did not is not. */
START_TEST(most)
{
	static const struct unit_style style;
	struct run before = run_ticks(0, 6), after = run_ticks(12, 18);
	struct change changes[CHANGES_MAX];
	char text[256];
	bool found = false;
	struct arena texts;
	size_t n;

	model_compare(after.model, before.model);
	arena_init(&texts);
	n = changes_find(after.model, &texts, changes);
	ck_assert_uint_gt(n, 0);
	for (size_t i = 0; i < n; i++) {
		change_text(&changes[i], &style, text, sizeof(text));
		found |= !strcmp(text, "dd: WRITE 0 B/s, before 12.0 MiB/s (-12.0 MiB/s)");
		ck_assert_str_ne(changes[i].who, "systemd");
	}
	ck_assert(found);
	arena_release(&texts);
	run_end(&after);
	run_end(&before);
}
END_TEST

UNIT_MAIN("compare", with_itself, who_ended, who_came, groups, widths, most)
