/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What disks lie on, what that costs, and who is on them, from hand-written samples. */
#include "data/selection.h"
#include "disk_samples.h"

/* sda1 and sdb under md0, on it a LUKS volume on it a LV; sda2 is of nobody. */
static struct sample *stack(double when, uint64_t mib)
{
	struct sample *s = sample_at(when, SRC_DISKS);
	uint64_t sectors = mib * 2048;
	struct sample_disk *d;

	disk(s, SDA, "sda", NULL)->wr_sectors = sectors;
	partition(s, SDA1, SDA, "sda1")->wr_sectors = sectors;
	partition(s, DEV(8, 2), SDA, "sda2")->mounts = "/boot\n/mnt/with\x1b[31m";
	disk(s, SDB, "sdb", NULL)->wr_sectors = sectors;
	d = disk(s, MD0, "md0", "sda1 sdb");
	d->type = "raid1";
	d->wr_sectors = sectors;
	d->rd_sectors = sectors;
	d = disk(s, DEV(253, 0), "dm-0", "md0");
	d->label = "luks-1";
	d->wr_sectors = sectors / 4;
	d = disk(s, DEV(253, 1), "dm-1", "md0");
	d->label = "vg-root";
	d->mounts = "/";
	d->wr_sectors = sectors / 4;
	disk(s, DEV(7, 0), "loop0", "dm-1")->wr_sectors = sectors / 8;
	return s;
}

START_TEST(the_stack_of_devices)
{
	const struct model *m;

	advance(stack(0, 0));
	m = advance(stack(1, 8));
	ck_assert_ptr_null(row_of(m, "sda")->row.parent);
	ck_assert_ptr_eq(row_of(m, "sda1")->row.parent, row_of(m, "sda"));
	ck_assert_ptr_eq(row_of(m, "md0")->row.parent, row_of(m, "sda1"));
	ck_assert_ptr_eq(row_of(m, "dm-1")->row.parent, row_of(m, "md0"));
	ck_assert_ptr_eq(row_of(m, "loop0")->row.parent, row_of(m, "dm-1"));
	/* Upside down, and the chain from sda2 up to nothing. */
	ck_assert_ptr_eq(row_of(m, "sdb")->row.turned_parent, row_of(m, "md0"));
	ck_assert_ptr_eq(row_of(m, "sda")->row.turned_parent, row_of(m, "sda1"));
	ck_assert_ptr_eq(row_of(m, "md0")->row.turned_parent,
			 row_of(m, "dm-1")); /* it carries something more */
	ck_assert_ptr_null(row_of(m, "sda2")->row.turned_parent);
	ck_assert_uint_eq(row_of(m, "sda")->row.flags & ROW_FOLDED, 0);
	ck_assert_uint_eq(row_of(m, "md0")->nbelow, 2);
	ck_assert_str_eq(row_of(m, "md0")->below[1], "sdb");
	ck_assert_uint_eq(row_of(m, "sdb")->nabove, 1);
	ck_assert_str_eq(row_of(m, "sdb")->above[0], "md0");
	ck_assert_str_eq(row_of(m, "md0")->above[0], "luks-1");
	ck_assert_str_eq(row_of(m, "dm-1")->disk, "vg-root");
	ck_assert_str_eq(row_of(m, "dm-1")->mounts[0], "/");
	ck_assert_uint_eq(row_of(m, "sda")->nmounts, 2);	/* its partition's */
	ck_assert_str_eq(row_of(m, "sda")->mounts[0], "/boot");
	ck_assert_ptr_null(strchr(row_of(m, "sda2")->mounts[1], '\x1b'));
}
END_TEST

START_TEST(amplification)
{
	const struct model *m;

	advance(stack(0, 0));
	m = advance(stack(1, 8));
	ck_assert(number(m, "md0", "wamp") == 2);
	ck_assert(number(m, "md0", "ramp") == 0);
	ck_assert_str_eq(cell(m, "md0", "amp").str, "r 0.00 w 2.00");
	/* Two on one: what is below is shared by their bytes. */
	ck_assert(number(m, "dm-0", "wamp") == 2);
	ck_assert(number(m, "dm-1", "wamp") == 2);
	ck_assert(is_none(m, "dm-1", "ramp"));	/* nothing was read */
	ck_assert(is_none(m, "loop0", "wamp"));	/* a file system is in between */
	ck_assert(is_none(m, "sda1", "wamp"));
	ck_assert(is_none(m, "sda", "amp"));
	m = advance(stack(2, 8));	/* idle */
	ck_assert(is_none(m, "md0", "wamp"));
	ck_assert(column_value(entity_column(&entity_disk, "wamp"), &row_of(m, "md0")->row, m,
			       SPAN_SUM, &unit_texts)
			  .f64 == 2);
}
END_TEST

START_TEST(a_stack_that_lies)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_DISKS);

	disk(s, DEV(253, 0), "dm-0", "dm-1 dm-1  nowhere dm-0 ");
	disk(s, DEV(253, 1), "dm-1", "dm-0");
	disk(s, DEV(253, 1), "dm-2", NULL);	/* the number twice */
	m = advance(s);
	ck_assert_uint_eq(m->rows[ENTITY_DISK].n, 2);
	ck_assert_uint_eq(row_of(m, "dm-0")->nbelow, 1);
}
END_TEST

static void io(struct sample *s, struct task_id who, uint32_t dev, uint32_t op, uint64_t ios)
{
	struct sample_owner *o;

	*sample_add_row(s, IO, struct sample_io) = (struct sample_io){
		.cause = who, .submitter = who, .dev = dev, .op = op, .ios = ios,
		.bytes = ios * 4096, .done = ios,
		.lat_ns = ios * MS, .max_ns = 9 * MS,
	};
	if (!who.start)
		return;
	o = sample_add_row(s, OWNER, struct sample_owner);
	o->id = who;
	o->comm = who.tid == who.tgid ? "leader" : "worker";
}

static uint64_t first(const uint64_t *counters)
{
	return *counters;
}

static const struct disktask_row *on_disk(const struct model *m, uint64_t pid, uint32_t dev,
					  uint32_t op)
{
	for (size_t i = 0; i < m->rows[ENTITY_DISKTASK].n; i++) {
		const struct disktask_row *r =
			(const struct disktask_row *)m->rows[ENTITY_DISKTASK].rows[i];

		if (r->pid == pid && r->dev == dev && r->op == op)
			return r;
	}
	return NULL;
}

static const struct model *two_threads(double when, uint64_t ios)
{
	struct task_id leader = { 10, 10, 1000 * SEC }, worker = { 10, 11, 1001 * SEC },
		       other = { 20, 20, 1002 * SEC };
	struct sample *s = sample_at(when, SRC_DISKS | SRC_BLOCK | SRC_HIST | SRC_TASKS);

	disk(s, SDA, "sda", NULL);
	partition(s, SDA1, SDA, "sda1");
	disk(s, SDB, "sdb", NULL);
	io(s, leader, SDA, OP_READ, ios);
	io(s, worker, SDA1, OP_READ, 2 * ios);
	io(s, worker, SDB, OP_DISCARD, 3 * ios);
	io(s, other, SDA, OP_FLUSH, 4 * ios);
	io(s, (struct task_id){ 0, RESIDUAL_JOURNAL, 0 }, SDA, OP_WRITE, 5 * ios);
	io(s, (struct task_id){ 0, RESIDUAL_SWAP, 0 }, SDA, OP_WRITE, 6 * ios);
	diskop(s, SDA, OP_READ, 3 * ios, 1);
	return advance(s);
}

/* Of a write that several tasks have dirtied for, the I/O is one task's and bytes are of all. */
START_TEST(a_share_without_ios)
{
	struct task_id who = { 10, 10, 1000 * SEC };
	const struct model *m = NULL;

	for (unsigned i = 0; i < 2; i++) {
		struct sample *s = sample_at(i, SRC_DISKS | SRC_BLOCK | SRC_TASKS);

		disk(s, SDA, "sda", NULL);
		*sample_add_row(s, IO, struct sample_io) = (struct sample_io){
			.cause = who, .submitter = who, .dev = SDA, .op = OP_WRITE,
			.bytes = i * 4096,
		};
		m = advance(s);
	}
	ck_assert_ptr_nonnull(on_disk(m, 10, SDA, OP_WRITE));
	ck_assert_uint_eq(on_disk(m, 10, SDA, OP_WRITE)->all_now->bytes, 4096);
}
END_TEST

START_TEST(who_is_on_which_disk)
{
	const struct disktask_row *r;
	const struct disk_tick *t;
	const struct model *m;

	two_threads(0, 0);
	m = two_threads(1, 10);
	ck_assert_uint_eq(m->rows[ENTITY_DISKTASK].n, 5);
	r = on_disk(m, 10, SDA, OP_READ);
	ck_assert_uint_eq(r->all_now->ios, 30);
	ck_assert_uint_eq(r->all_now->bytes, 30 * 4096);
	ck_assert_uint_eq(r->all_now->max_ns, 9 * MS);
	ck_assert_str_eq(r->comm, "leader");
	ck_assert_str_eq(r->disk, "sda");
	ck_assert_uint_eq(on_disk(m, 10, SDB, OP_DISCARD)->all_now->bytes, 30 * 4096);
	ck_assert_uint_eq(on_disk(m, 20, SDA, OP_FLUSH)->all_now->ios, 40);
	/* Residuals: each its own row, no process. */
	r = on_disk(m, 0, SDA, OP_WRITE);
	ck_assert(r->all_now->ios == 50 || r->all_now->ios == 60);
	ck_assert_int_eq(column_value(&disktask_columns[0], &r->row, m, SPAN_TICK,
				      &unit_texts).kind, VAL_NONE);
	/* The heat map remembers the band and who was there. */
	ck_assert_ptr_nonnull(row_of(m, "sda")->heat);
	ck_assert_ptr_null(row_of(m, "sdb")->heat);
	ck_assert_uint_eq(row_of(m, "sda")->heat->n, 1);
	t = disk_heat_tick(row_of(m, "sda")->heat, 0);
	ck_assert_uint_eq(t->reads[disk_band(MS)], 30);
	ck_assert_uint_eq(t->ntasks, 3);
	m = two_threads(2, 10);
	ck_assert_uint_eq(row_of(m, "sda")->heat->n, 2);
	t = disk_heat_tick(row_of(m, "sda")->heat, 1);
	ck_assert_uint_eq(t->reads[disk_band(MS)], 0);
	ck_assert_uint_eq(t->ntasks, 0);
	ck_assert_uint_eq(disk_heat_tick(row_of(m, "sda")->heat, 0)->ntasks, 3);
}
END_TEST

static void select_only(struct selection selection)
{
	static struct selection selected;

	selected = selection;
	engine_set_options(engine, &(struct engine_options){ .selection = &selected });
}

/* Only some processes, or one thread, are selected: what is theirs, not their whole process's. */
START_TEST(those_that_are_selected)
{
	static uint32_t numbers[] = { 20, 30 };
	static const struct number_set tgids = { numbers, ARRAY_SIZE(numbers) };
	const struct model *m;

	two_threads(0, 0);
	m = two_threads(1, 10);
	ck_assert_uint_eq(first(on_disk(m, 10, SDA, OP_READ)->row.now), 30);
	select_only((struct selection){ .pids = &tgids });
	m = two_threads(2, 20);
	ck_assert_uint_eq(first(on_disk(m, 10, SDA, OP_READ)->row.now), 0);
	ck_assert_uint_eq(first(on_disk(m, 20, SDA, OP_FLUSH)->row.now), 40);
	ck_assert_uint_eq(first(on_disk(m, 0, SDA, OP_WRITE)->row.now), 0);
	select_only((struct selection){ .tid = 11 });
	m = two_threads(3, 30);
	ck_assert_uint_eq(on_disk(m, 10, SDA, OP_READ)->all_now->ios, 30);
	ck_assert_uint_eq(first(on_disk(m, 10, SDA, OP_READ)->row.now), 20);
	ck_assert_uint_eq(first(on_disk(m, 10, SDA, OP_READ)->row.sum), 60);
	ck_assert_uint_eq(first(on_disk(m, 20, SDA, OP_FLUSH)->row.sum), 0);
}
END_TEST

/*
 * Process 10 in a group, 20 in one whose name only begins the same, 30 in one that nobody knows the
 * name of.
 */
static const struct model *in_groups(double when, uint64_t ios)
{
	static const uint64_t ids[] = { 7, 8, 9 };
	struct sample *s = sample_at(when, SRC_DISKS | SRC_BLOCK | SRC_HIST | SRC_TASKS);

	disk(s, SDA, "sda", NULL);
	for (uint32_t i = 0; i < ARRAY_SIZE(ids); i++) {
		uint32_t pid = (i + 1) * 10;

		io(s, (struct task_id){ pid, pid, 1000 * SEC }, SDA, OP_READ, ios);
		((struct sample_owner *)s->tables[TABLE_OWNER].rows)[i].cgroup = ids[i];
	}
	*sample_add_row(s, CGROUP, struct sample_cgroup) =
		(struct sample_cgroup){ .id = 7, .path = "/web/one" };
	*sample_add_row(s, CGROUP, struct sample_cgroup) =
		(struct sample_cgroup){ .id = 8, .path = "/webs" };
	return advance(s);
}

START_TEST(those_of_a_control_group)
{
	static const struct {
		const char *group;
		bool chosen[3];
	} cases[] = {
		{ NULL, { true, true, true } },
		{ "", { true, true, false } },
		{ "/web", { true, false, false } },
		{ "/web/one", { true, false, false } },
		{ "/web/one/below", { false, false, false } },
		{ "/webs", { false, true, false } },
	};

	in_groups(0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct model *m;

		select_only((struct selection){ .cgroup = cases[i].group });
		m = in_groups((double)i + 1, 10 * (i + 1));
		for (size_t k = 0; k < 3; k++)
			ck_assert_msg(!first(on_disk(m, 10 * (k + 1), SDA, OP_READ)->row.now) !=
					      cases[i].chosen[k],
				      "%s: process %zu", cases[i].group ? cases[i].group : "any",
				      10 * (k + 1));
	}
}
END_TEST

START_TEST(more_tasks_than_remembered)
{
	const struct disk_tick *t;
	const struct model *m = NULL;
	uint64_t least = UINT64_MAX;

	for (unsigned tick = 0; tick < 2; tick++) {
		struct sample *s = sample_at(tick, SRC_DISKS | SRC_BLOCK | SRC_HIST | SRC_TASKS);

		disk(s, SDA, "sda", NULL);
		diskop(s, SDA, OP_READ, tick * 1000, 1);
		for (uint32_t i = 1; i <= 3 * DISK_TICK_TASKS; i++)
			io(s, (struct task_id){ i, i, (900 + i) * SEC }, SDA, OP_READ, tick * i);
		m = advance(s);
	}
	t = disk_heat_tick(row_of(m, "sda")->heat, 0);
	ck_assert_uint_eq(t->ntasks, DISK_TICK_TASKS);
	ck_assert_uint_eq(t->others, 2 * DISK_TICK_TASKS);
	for (unsigned i = 0; i < t->ntasks; i++)
		least = MIN(least, t->tasks[i].ios);
	ck_assert_uint_eq(least, 2 * DISK_TICK_TASKS + 1);
}
END_TEST

UNIT_FIXTURE_MAIN("disk_stacking", samples_setup, samples_teardown, the_stack_of_devices,
		  amplification, a_stack_that_lies, a_share_without_ios, who_is_on_which_disk,
		  those_that_are_selected, those_of_a_control_group, more_tasks_than_remembered)
