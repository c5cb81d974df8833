// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks of a frozen /proc, and the set of collectors around them. */
#include "unit.h"

#include <dirent.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/collect.h"
#include "collect/helper/helper.h"
#include "collect/proc/proc.h"

static char dir[64];
static struct collect_options opt;
static struct collect_set *set;
static struct sample *s;

static void _printf_(2, 3) put(const char *name, const char *fmt, ...)
{
	char path[512];
	va_list args;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	for (char *p = path + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	va_start(args, fmt);
	vfprintf(f, fmt, args);
	va_end(args);
	fclose(f);
}

/* A thread: its stat and its io. */
static void put_task(unsigned tgid, unsigned tid, const char *comm, char state, unsigned start,
		     unsigned written)
{
	char name[64];

	snprintf(name, sizeof(name), "%u/task/%u/stat", tgid, tid);
	put(name, "%u (%s) %c 1 1 1 0 -1 64 0 0 0 0 0 0 0 0 20 3 1 0 %u\n", tid, comm, state,
	    start);
	snprintf(name, sizeof(name), "%u/task/%u/io", tgid, tid);
	put(name, "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 4096\nwrite_bytes: "
		  "%u\ncancelled_write_bytes: 512\n", written);
}

static void put_process(unsigned tgid, unsigned uid, unsigned written)
{
	char name[64];

	snprintf(name, sizeof(name), "%u/stat", tgid);
	put(name, "%u (x) S 1 1 1 0 -1 64 0 0 0 0 0 0 0 0 20 3 1 0 %u\n", tgid, 100u);
	snprintf(name, sizeof(name), "%u/status", tgid);
	put(name, "Name:\tx\nUid:\t%u\t0\t0\t0\n", uid);
	snprintf(name, sizeof(name), "%u/cgroup", tgid);
	put(name, "0::/slice/%u\n", tgid);
	snprintf(name, sizeof(name), "%u/io", tgid);
	put(name, "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 4096\nwrite_bytes: "
		  "%u\ncancelled_write_bytes: 512\n", written);
	snprintf(name, sizeof(name), "%u/cmdline", tgid);
	put(name, "prog-%u%c-x%c%c", tgid, 0, 0, 0);
}

static void setup(void)
{
	unit_mkdtemp(dir, sizeof(dir));
	put_process(1, 0, 0);
	put_task(1, 1, "init", 'S', 1, 0);
	put_process(200, 1000, 3000);
	put_task(200, 200, "two) (", 'S', 100, 1000);
	put_task(200, 201, "worker", 'D', 150, 2000);
	opt = (struct collect_options){
		.no_bpf = true, .proc = dir, .sys = dir, .helper = helper_start(dir, NULL)
	};
	ck_assert_ptr_nonnull(opt.helper);
	set = collect_open(&opt);
	s = sample_new();
}

static int drop(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	return remove(path);
}

static void teardown(void)
{
	sample_free(s);
	collect_close(set);
	helper_stop(opt.helper);
	ck_assert_int_eq(nftw(dir, drop, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void take(void)
{
	struct err err = { "" };

	sample_reset(s);
	ck_assert_msg(collect_sample(set, s, &err) == 0, "%s", err.text);
}

static const struct sample_task *task(uint32_t tid)
{
	sample_each(s, TASK, const struct sample_task, t) {
		if (t->id.tid == tid)
			return t;
	}
	return NULL;
}

static const struct sample_source *source(enum source bit)
{
	sample_each(s, SOURCE, const struct sample_source, row) {
		if (row->source == bit)
			return row;
	}
	return NULL;
}

START_TEST(listing)
{
	const struct sample_task *t;

	collect_enable(set, SRC_TASKS | SRC_TASKIO | SRC_NAMES);
	take();
	ck_assert_uint_eq(s->tables[TABLE_TASK].n, 3);
	t = task(200);
	ck_assert_uint_eq(t->id.tgid, 200);
	ck_assert_uint_eq(t->id.start, 100 * proc_tick_ns());
	ck_assert_str_eq(t->comm, "two) (");
	ck_assert_uint_eq(t->uid, 1000);
	ck_assert_int_eq(t->nice, 3);
	ck_assert_uint_eq(t->flags, TASK_LISTED);
	ck_assert_uint_eq(t->have, SRC_TASKS | SRC_TASKIO);
	ck_assert_uint_eq(t->read_bytes, 4096);
	ck_assert_uint_eq(t->write_bytes, 1000);
	ck_assert_uint_eq(t->cancelled_bytes, 512);
	t = task(201);
	ck_assert_uint_eq(t->id.tgid, 200);
	ck_assert_uint_eq(t->uid, 1000);
	ck_assert_uint_eq(t->state, 'D');
	ck_assert_uint_eq(t->cgroup, task(200)->cgroup);
	ck_assert_uint_ne(t->cgroup, task(1)->cgroup);
	ck_assert_uint_eq(source(SRC_TASKS)->state, SOURCE_ON);
	ck_assert_uint_eq(source(SRC_TASKIO)->state, SOURCE_ON);
	sample_each(s, CGROUP, struct sample_cgroup, c) {
		if (c->id == t->cgroup)
			ck_assert_str_eq(c->path, "/slice/200");
	}
	ck_assert_uint_eq(s->tables[TABLE_CGROUP].n, 2);
}
END_TEST

START_TEST(changes)
{
	collect_enable(set, SRC_TASKS | SRC_TASKIO);
	take();
	/* A thread writes: the process' sum tells that it is worth a look. */
	put_process(200, 1000, 9000);
	put_task(200, 201, "worker", 'S', 150, 8000);
	take();
	ck_assert_uint_eq(task(201)->write_bytes, 8000);
	ck_assert_uint_eq(task(201)->state, 'S');
	/* Another task has the tid. */
	put_process(200, 1000, 10000);
	put_task(200, 201, "other", 'S', 170, 10);
	take();
	ck_assert_uint_eq(task(201)->id.start, 170 * proc_tick_ns());
	ck_assert_str_eq(task(201)->comm, "other");
	ck_assert_uint_eq(task(201)->write_bytes, 10);
	/* One ends, one comes. */
	put_process(300, 0, 5);
	put_task(300, 300, "new", 'R', 500, 5);
	ck_assert_int_eq(nftw(strcat(strcpy((char[128]){ 0 }, dir), "/200/task/201"), drop, 4,
			      FTW_DEPTH | FTW_PHYS),
			 0);
	take();
	ck_assert_uint_eq(s->tables[TABLE_TASK].n, 3);
	ck_assert_ptr_null(task(201));
	ck_assert_uint_eq(task(300)->write_bytes, 5);
}
END_TEST

/*
 * Waits are in stat when the kernel keeps them; of tasks that started before it did, nothing is
 * known.
 */
START_TEST(waits)
{
	put("sys/kernel/task_delayacct", "0\n");
	collect_enable(set, SRC_TASKS | SRC_WAITS);
	take();
	ck_assert_uint_eq(source(SRC_WAITS)->state, SOURCE_OFF);
	ck_assert_uint_eq(task(200)->have, SRC_TASKS);
	put("sys/kernel/task_delayacct", "1\n");
	take();
	put("300/task/300/stat",
		"300 (late) D 1 1 1 0 -1 64 0 0 0 0 0 0 0 0 20 3 1 0 %llu 0 0 0 0 0 0 0 0 0 0 0 0 "
		"0 0 0 0 0 0 0 42\n",
	    (unsigned long long)(s->boot / proc_tick_ns() + 1));
	take();
	ck_assert_uint_eq(source(SRC_WAITS)->state, SOURCE_PART);
	ck_assert_uint_eq(task(200)->have, SRC_TASKS);
	ck_assert_uint_eq(task(300)->have, SRC_TASKS | SRC_WAITS);
	ck_assert_uint_eq(task(300)->iowait_ns, 42 * proc_tick_ns());
}
END_TEST

START_TEST(only_some)
{
	static uint32_t numbers[] = { 200, 999 };
	static const struct number_set pids = { numbers, ARRAY_SIZE(numbers) };

	opt.tgids = &pids;
	collect_enable(set, SRC_TASKS);
	take();
	ck_assert_uint_eq(s->tables[TABLE_TASK].n, 2);
	ck_assert_ptr_null(source(SRC_TASKIO));
	ck_assert_uint_eq(task(200)->have, SRC_TASKS);
}
END_TEST

START_TEST(unreadable)
{
	char path[128];

	for (unsigned tid = 200; tid < 202; tid++) {
		snprintf(path, sizeof(path), "%s/200/task/%u/io", dir, tid);
		unlink(path);
	}
	collect_enable(set, SRC_TASKS | SRC_TASKIO);
	take();
	ck_assert_uint_eq(task(200)->have, SRC_TASKS);
	ck_assert_uint_eq(task(1)->have, SRC_TASKS | SRC_TASKIO);
	ck_assert_uint_eq(source(SRC_TASKIO)->state, SOURCE_PART);
	ck_assert_ptr_nonnull(source(SRC_TASKIO)->reason);
	ck_assert_uint_eq(source(SRC_TASKS)->state, SOURCE_ON);
}
END_TEST

/* A process becomes another user's, and ours again: its io is tried in its turn. */
START_TEST(readable_again)
{
	int rounds = 0;

	put_process(300, 0, 5);
	put_task(300, 300, "su", 'S', 500, 5);
	unlink(strcat(strcpy((char[128]){ 0 }, dir), "/300/task/300/io"));
	collect_enable(set, SRC_TASKS | SRC_TASKIO);
	for (int i = 0; i < 4; i++)
		take();
	ck_assert_uint_eq(task(300)->have, SRC_TASKS);
	ck_assert_uint_eq(task(300)->uid, 0);
	put_process(300, 1000, 77);
	put_task(300, 300, "su", 'S', 500, 77);
	do
		take();
	while (!(task(300)->have & SRC_TASKIO) && ++rounds < 8);
	ck_assert_int_lt(rounds, 8);
	ck_assert_uint_eq(task(300)->write_bytes, 77);
	ck_assert_uint_eq(task(300)->uid, 1000);
	ck_assert_uint_eq(source(SRC_TASKIO)->state, SOURCE_ON);
}
END_TEST

START_TEST(hidden)
{
	ck_assert_int_eq(
		nftw(strcat(strcpy((char[128]){ 0 }, dir), "/1"), drop, 8, FTW_DEPTH | FTW_PHYS),
		0);
	collect_enable(set, SRC_TASKS | SRC_TASKIO);
	take();
	ck_assert_uint_eq(source(SRC_TASKS)->state, SOURCE_PART);
	ck_assert_ptr_nonnull(strstr(source(SRC_TASKS)->reason, "hidepid"));
}
END_TEST

/* Every source that is asked for says how it is. */
START_TEST(sources)
{
	collect_enable(set, ~0u);
	take();
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const struct sample_source *row = source(1u << i);

		ck_assert_msg(row != NULL, "%s", source_name(1u << i));
		ck_assert_msg(row->state == SOURCE_ON || (row->reason && row->reason[0]), "%s",
			      source_name(1u << i));
	}
	ck_assert_uint_eq(source(SRC_BLOCK)->state, SOURCE_OFF);
	ck_assert_ptr_nonnull(strstr(source(SRC_BLOCK)->reason, "--no-bpf"));
	ck_assert_uint_eq(source(SRC_DELAYS)->state, SOURCE_OFF);
	ck_assert_uint_eq(source(SRC_EXITS)->state, SOURCE_OFF);
	collect_enable(set, SRC_TASKS);
	take();
	ck_assert_uint_eq(s->tables[TABLE_SOURCE].n, 1);
	collect_enable(set, 0);
	take();
	ck_assert_uint_eq(s->tables[TABLE_SOURCE].n, 0);
	ck_assert_uint_eq(s->tables[TABLE_TASK].n, 0);
}
END_TEST

START_TEST(command_lines)
{
	struct task_id ids[] = { { 200, 200, 100 * proc_tick_ns() },
				 { 200, 200, 100 * proc_tick_ns() },
				 { 1, 1, 77 },
				 { 999, 999, 1 } };
	const struct sample_cmdline *c;

	collect_enable(set, SRC_TASKS);
	take();
	collect_cmdlines(set, s, ids, ARRAY_SIZE(ids));
	collect_cmdlines(set, s, ids, ARRAY_SIZE(ids));
	/* One of them once; a reused pid and one that is gone add nothing. */
	ck_assert_uint_eq(s->tables[TABLE_CMDLINE].n, 1);
	c = s->tables[TABLE_CMDLINE].rows;
	ck_assert_uint_eq(c->id.tgid, 200);
	ck_assert_str_eq(c->args, "prog-200 -x");
}
END_TEST

static int count_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

#define SAMPLES 10

/*
 * Whatever is opened is closed: with all sources wanted, none, and after each sample. What stays
 * open for disks and groups is more when some come, but not one more with each sample.
 */
START_TEST(descriptors)
{
	struct collect_options live = { .no_bpf = true, .proc = "/proc", .sys = "/sys" };
	int before = count_fds(), first = 0;

	for (int round = 0; round < 3; round++) {
		struct collect_set *other;
		struct err err = { "" };
		struct buf b = { 0 };

		live.helper = helper_start("/proc", NULL);
		other = collect_open(&live);
		collect_enable(other, ~0u);
		for (int i = 0; i < SAMPLES; i++) {
			sample_reset(s);
			ck_assert_msg(collect_sample(other, s, &err) == 0, "%s", err.text);
			if (!i)
				first = count_fds();
		}
		ck_assert_int_lt(count_fds(), first + SAMPLES - 1);
		collect_probes(other, &b, true);
		buf_release(&b);
		collect_enable(other, SRC_DISKS);
		collect_enable(other, ~0u);
		collect_close(other);
		helper_stop(live.helper);
		ck_assert_int_eq(count_fds(), before);
	}
}
END_TEST

START_TEST(probes)
{
	struct buf b = { 0 };

	collect_enable(set, SRC_TASKS | SRC_BLOCK);
	collect_probes(set, &b, false);
	ck_assert_ptr_nonnull(strstr(b.data, "+  procfs"));
	ck_assert_ptr_nonnull(strstr(b.data, "--no-bpf"));
	buf_reset(&b);
	collect_probes(set, &b, true);
	ck_assert_mem_eq(b.data, "{\"probes\":[{\"what\":\"iotop\",\"ok\":true,", 37);
	ck_assert_str_eq(b.data + b.len - 4, "}]}\n");
	buf_release(&b);
}
END_TEST

UNIT_FIXTURE_MAIN("tasklist", setup, teardown, listing, changes, waits, only_some, unreadable,
		  readable_again, hidden, sources, command_lines, probes, descriptors)
