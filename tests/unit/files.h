/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples with files in them, and what a view of files shows. */
#ifndef IOTOP_TESTS_UNIT_FILES_H
#define IOTOP_TESTS_UNIT_FILES_H

#include "base/macro.h"
#include "data/file/file.h"
#include "tasks.h"
#include "view/view.h"

#define ON (SRC_TASKS | SRC_BLOCK | SRC_FILES | SRC_DISKS | SRC_CALLERS)
#define MIB (1u << 20)

static _unused_ struct sample_file *file(struct sample *s, struct task_id cause, uint64_t ino,
				const char *path, uint64_t read, uint64_t write)
{
	struct sample_file *f = sample_add_row(s, FILE, struct sample_file);

	*f = (struct sample_file){
		.cause = cause, .ino = ino, .dev = DISK_DEV, .sdev = ino < 8 ? 0 : DISK_DEV,
		.path = path, .read = read, .write = write, .rios = read / 4096,
		.wios = write / 4096, .mount = path ? "/srv" : NULL, .fs = path ? "ext4" : NULL,
	};
	return f;
}

static _unused_ const struct model *step(struct sample *s)
{
	return engine_advance(engine, s, ON | SRC_NAMES);
}

/* Two processes, the first of two threads. */
static _unused_ struct sample *begin(double at)
{
	struct sample *s = sample_at(at, ON);

	disks(s);
	task(s, 10, 10, -50)->comm = "main";
	task(s, 10, 11, -40)->comm = "thread";
	task(s, 20, 20, -30)->comm = "other";
	return s;
}

static _unused_ struct task_id id(uint32_t tgid, uint32_t tid, double started)
{
	return (struct task_id){ tgid, tid, (uint64_t)((1000 + started) * SEC) };
}

static _unused_ void show(struct view *v, const struct model *m, enum group_by group,
			 struct view_spec *spec)
{
	*spec = (struct view_spec){
		.entity = &entity_file, .entity_id = ENTITY_FILE, .group = group,
		.sort = entity_column(&entity_file, "total"), .descending = true,
	};
	view_init(v);
	view_build(v, m, spec);
}

static _unused_ const char *text(const struct view *v, size_t i, const char *key)
{
	static char out[4][256];
	static unsigned turn_of;
	const struct column *col = entity_column(&entity_file, key);
	struct value value = view_value(v, i, col, &unit_texts);
	char *to = out[turn_of++ % 4];

	column_text(to, sizeof(out[0]), col, &value, &(struct unit_style){ 0 });
	return to;
}

static _unused_ double number(const struct view *v, size_t i, const char *key)
{
	struct value value = view_value(v, i, entity_column(&entity_file, key), &unit_texts);
	double d = -1;

	ck_assert_msg(value_number(&value, &d), "%s of %zu is no number", key, i);
	return d;
}

/* The row of a path. */
static _unused_ size_t named(const struct view *v, const char *path)
{
	for (size_t i = 0; i < v->n; i++)
		if (!strcmp(text(v, i, "path"), path))
			return i;
	ck_abort_msg("%s is not there", path);
}

static _unused_ struct sample_file *at_loop(struct sample_file *f)
{
	f->dev = LOOP_DEV;
	return f;
}

#endif
