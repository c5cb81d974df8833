// SPDX-License-Identifier: GPL-2.0-or-later
/* A field that an older recording does not have is unknown in every column, never zero. */
#include <stdio.h>
#include <string.h>

#include "../golden/scene.h"
#include "data/model.h"
#include "unit.h"

#define TICKS 12

static const struct scene scene = { .disks = true, .stacks = true, .layers = true, .offcpu = true,
				    .files = true, .mounts = true, .events = true,
				    .findings = true };
static const struct engine_options no_options;

/*
 * What every recording of format 3 has. A new field is not listed here: columns that read it say so
 * (struct column, reads).
 */
static const char *const first[TABLE_COUNT] = {
	[TABLE_SYSTEM] = " "
		"host release machine ncpu delayacct tasks swap_in swap_out page_size "
		"psi_some_us psi_full_us psi load1 load5 load15 ",
	[TABLE_SOURCE] = " "
		"source state reason ",
	[TABLE_LOSS] = " "
		"name count ",
	[TABLE_TASK] = " "
		"tgid tid start ppid uid state ioprio nice flags have cgroup comm exit "
		"read_bytes write_bytes cancelled_bytes blkio_ns swapin_ns wait_ns "
		"iowait_ns throttle_ns "
		/* Came later: without it IO% is of block I/O alone, as it was then. */
		"server_ns ",
	[TABLE_IO] = " "
		"cause_tgid cause_tid cause_start submitter_tgid submitter_tid "
		"submitter_start dev op how ios bytes done lat_ns max_ns ",
	[TABLE_OWNER] = " "
		"tgid tid start uid flags cgroup comm ",
	[TABLE_DISK] = " "
		"dev whole flags name label type below mounts kinds size rd_ios "
		"rd_merges rd_sectors rd_ms wr_ios wr_merges wr_sectors wr_ms in_flight "
		"io_ms weighted_ms dc_ios dc_merges dc_sectors dc_ms fl_ios fl_ms ",
	[TABLE_DISKOP] = " "
		"dev op ios bytes lat_ns queue_ns device_ns unsplit max_ns errors "
		"requeues merges hist ",
	[TABLE_DISKLOAD] = " "
		"dev busy_ns depth_ns in_flight ",
	[TABLE_USER] = " "
		"uid name ",
	[TABLE_CGROUP] = " "
		"id path ",
	[TABLE_CMDLINE] = " "
		"tgid tid start args ",
	[TABLE_FILE] = " "
		"cause_tgid cause_tid cause_start dev sdev ino path read write ",
	[TABLE_OFFCPU] = " "
		"tgid tid start waker_tgid waker_tid waker_start kstack ustack "
		"waker_kstack waker_ustack dev op state iowait via waker_kind "
		"blocked_ns count io_ns max_ns comm waker_comm ",
	[TABLE_STACKIO] = " "
		"cause_tgid cause_tid cause_start submitter_tgid submitter_tid "
		"submitter_start dev op kstack ustack ios bytes done lat_ns comm "
		"cause_comm ",
	[TABLE_FRAMES] = " "
		"id flags text ",
	[TABLE_LAYER] = " "
		"dev layer op is_block fs count total_ns max_ns running running_ns hist ",
	[TABLE_CALLER] = " "
		"tgid tid start ino sdev dev layer op is_block comm path count total_ns "
		"max_ns ",
	/* These came later, as a whole: without them their sources are not there. */
	[TABLE_MOUNT] = " "
		"dev have kind source point waiting answers calls errors ns rtt_ns "
		"retrans read write ",
	[TABLE_DIRTY] = " "
		"cause_tgid cause_tid cause_start dev sdev ino path mount fs comm flags bytes ",
	[TABLE_MEMORY] = " "
		"cgroup have refault_file refault_anon high max ",
	[TABLE_EVENT] = " "
		"tgid tid start ns kind op flags uid dev sdev tag hwqueue cgroup sector bytes "
		"limit_ns queue_ns device_ns total_ns ino offset error result comm path ",
	[TABLE_EVENTLOG] = " "
		"min_ns sent dropped ",
};

static bool came_later(size_t table, unsigned field)
{
	char name[64];

	snprintf(name, sizeof(name), " %s ", sample_tables[table].fields[field].name);
	return !first[table] || !strstr(first[table], name);
}

/* The scene, and what is not in it, so that it can be missed. */
static void take_sample(struct sample *s, unsigned tick)
{
	scene_sample(&scene, s, tick);
	sample_source(s, SRC_MEMSTALL, SOURCE_ON, NULL);
	sample_each(s, TASK, struct sample_task, t) {
		t->have |= SRC_MEMSTALL;
		t->memstall_ns = tick * 1000000ull;
	}
	sample_each(s, IO, struct sample_io, io) {
		io->throttled_ns = tick * 3000000ull;
		io->held_ns = tick * 2000000ull;
	}
	sample_each(s, DISKOP, struct sample_diskop, op) {
		op->held_ns = tick * 1000000ull;
		op->tag_ns = tick * 2000000ull;
		op->timed = tick * 10;
	}
}

/* As a replay leaves it when the recording has no such column. */
static void take_away(struct sample *s, size_t table, unsigned field)
{
	static const size_t sizes[] = {
		[FIELD_U32] = 4, [FIELD_U64] = 8, [FIELD_I64] = 8,
		[FIELD_STR] = sizeof(char *), [FIELD_BLOB] = sizeof(struct blob),
	};
	const struct table_info *info = &sample_tables[table];
	const struct field *f = &info->fields[field];
	char *row = s->tables[table].rows;

	s->tables[table].lacks = 1ull << field;
	for (size_t i = 0; i < s->tables[table].n; i++, row += info->size) {
		memset(row + f->off, 0, sizes[f->kind]);
		if (f->required)
			*(const char **)(void *)(row + f->off) = "";
	}
}

/* The model of some samples of the scene without a field; table TABLE_COUNT: with all of them. */
struct run {
	struct engine *engine;
	struct sample *samples[2];
	const struct model *model;
};

static struct run run_scene(size_t table, unsigned field)
{
	struct run r = { engine_new(&no_options), { sample_new(), sample_new() }, NULL };

	for (unsigned i = 0; i < TICKS; i++) {
		struct sample *s = r.samples[i % 2];

		sample_reset(s);
		take_sample(s, i);
		if (table < TABLE_COUNT)
			take_away(s, table, field);
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

static const struct row *find(const struct model *m, size_t entity, uint64_t key)
{
	for (size_t i = 0; i < m->rows[entity].n; i++)
		if (m->rows[entity].rows[i]->key == key)
			return m->rows[entity].rows[i];
	return NULL;
}

/* How many numbers of a column are others, and not unknown. */
static unsigned wrong_in(const struct column *col, size_t e, const struct model *all,
			 const struct model *old, const char *what)
{
	struct arena texts;
	unsigned wrong = 0;

	arena_init(&texts);
	for (size_t i = 0; i < 2 * all->rows[e].n; i++) {
		enum span span = i % 2 ? SPAN_SUM : SPAN_TICK;
		const struct row *now = all->rows[e].rows[i / 2];
		const struct row *then = find(old, e, now->key);
		struct value a, b;
		double x, y;

		if (!then)
			continue;
		a = column_value(col, now, all, span, &texts);
		b = column_value(col, then, old, span, &texts);
		if (!value_number(&a, &x) || !value_number(&b, &y) || x == y)
			continue;
		if (!wrong++) {
			printf("without %s %s of %s is %g, not %g\n", what, col->key,
			       now->name ? now->name : "?", y, x);
			fflush(stdout);
		}
	}
	arena_release(&texts);
	return wrong;
}

static unsigned wrong_without(const struct model *all, size_t table, unsigned field)
{
	struct run r = run_scene(table, field);
	unsigned wrong = 0;
	char what[64];

	snprintf(what, sizeof(what), "%s.%s:", sample_tables[table].name,
		 sample_tables[table].fields[field].name);
	/* Findings are not made where their numbers are not known. */
	for (size_t e = 0; e < ENTITY_FINDING; e++)
		entity_each_column(entities[e], col)
			wrong += wrong_in(col, e, all, r.model, what);
	run_end(&r);
	return wrong;
}

START_TEST(unknown_not_zero)
{
	struct run all = run_scene(TABLE_COUNT, 0);
	unsigned wrong = 0;

	for (size_t t = 0; t < TABLE_COUNT; t++)
		for (unsigned f = 0; f < sample_tables[t].nfields; f++)
			if (came_later(t, f) &&
			    sample_tables[t].fields[f].off >= sample_tables[t].key)
				wrong += wrong_without(all.model, t, f);
	run_end(&all);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

UNIT_MAIN("lacking", unknown_not_zero)
