// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a store costs: an hour (or so many seconds) of a machine with 1,000 tasks, of which 100 do
 * I/O in each second, is written into a folder, packed and thinned out. The numbers are made up and
 * always the same. Prints bytes, processor time and memory, and how long it takes to open the store
 * and to read samples anywhere in it, in time of a processor. 86400 seconds are a day.
 *
 *	tests/bench/store FOLDER [SECONDS [ACTIVE]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/collect.h"
#include "record/compact.h"
#include "record/store.h"
#include "record/store_folder.h"

#define TASKS		  1000
#define DISKS		  6
#define GROUPS		  20
#define HOUR		  (3600 * NSEC_PER_SEC)
#define NOON		  (480000 * HOUR) /* CLOCK_REALTIME ns */
#define PER_DAY(bytes, n) ((double)(bytes) / (n)*86400 / 1e6)

struct made_task {
	struct sample_task t;
	struct sample_io io[2];
	struct sample_file file;
	uint32_t used; /* it did I/O */
	char comm[16], path[64], args[96];
};

static struct made_task made[TASKS];
static struct sample_disk disks[DISKS];
static struct sample_diskop ops[DISKS][2];
static struct sample_diskload loads[DISKS];
static struct sample_memory groups[GROUPS];
static struct sample_system machine;
static uint64_t hists[DISKS][2][64];
static uint64_t seed = 1;

static uint64_t dice(uint64_t sides)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 20) % sides;
}

static void make_task(struct made_task *m, uint32_t pid, uint64_t boot)
{
	memset(m, 0, sizeof(*m));
	snprintf(m->comm, sizeof(m->comm), "worker-%u", pid % 60);
	snprintf(m->path, sizeof(m->path), "/srv/data/%u/table-%u.dat", pid % 17, pid);
	snprintf(m->args, sizeof(m->args),
		 "/usr/lib/worker/run --config /etc/worker/%u.conf --table %u", pid % 60, pid);
	m->t = (struct sample_task){
		.id = { pid, pid, boot },
		.process = boot,
		.ppid = 1,
		.uid = 1000 + pid % 7,
		.state = 'S',
		.flags = TASK_LISTED,
		.cgroup = 4000 + pid % GROUPS,
		.comm = m->comm,
		.have = SRC_TASKS | SRC_TASKIO | SRC_WAITS,
	};
	for (uint32_t op = 0; op < 2; op++)
		m->io[op] = (struct sample_io){
			.cause = m->t.id,
			.submitter = m->t.id,
			.dev = 8u << 20 | pid % DISKS,
			.op = op,
		};
	m->file = (struct sample_file){
		.cause = m->t.id,
		.dev = m->io[0].dev,
		.sdev = m->io[0].dev,
		.ino = 100000 + pid,
		.path = m->path,
	};
}

static void make_machine(uint64_t boot)
{
	for (uint32_t i = 0; i < TASKS; i++)
		make_task(&made[i], 1000 + i, boot + i * 1000003);
	for (uint32_t i = 0; i < DISKS; i++) {
		static const char *const names[DISKS] = { "sda",  "sda1", "sda2",
							  "dm-0", "dm-1", "sdb" };

		disks[i] = (struct sample_disk){
			.dev = 8u << 20 | i,
			.whole = 8u << 20,
			.flags = DISK_LOWEST,
			.name = names[i],
			.type = "disk",
			.below = "",
			.mounts = "/srv",
			.kinds = "ext4",
			.sched = "mq-deadline 256",
			.size = 1ull << 40,
		};
		loads[i].dev = disks[i].dev;
		for (uint32_t op = 0; op < 2; op++) {
			ops[i][op] = (struct sample_diskop){ .dev = disks[i].dev, .op = op };
			ops[i][op].hist = (struct blob){ hists[i][op], sizeof(hists[i][op]) };
		}
	}
	for (uint32_t i = 0; i < GROUPS; i++)
		groups[i] = (struct sample_memory){ .cgroup = 4000 + i, .have = MEMORY_REFAULTS };
	machine = (struct sample_system){
		.host = "bench",
		.release = "6.12",
		.machine = "x86_64",
		.ncpu = 8,
		.tasks = TASKS,
		.page_size = 4096,
		.psi = 1,
		.vmstat = 1,
		.psi_memory = 1,
	};
}

static void count_disk(uint32_t i, uint32_t op, uint64_t ios, uint64_t bytes, uint64_t ns)
{
	struct sample_disk *d = &disks[i];
	struct sample_diskop *o = &ops[i][op];

	*(op ? &d->wr_ios : &d->rd_ios) += ios;
	*(op ? &d->wr_sectors : &d->rd_sectors) += bytes / 512;
	*(op ? &d->wr_ms : &d->rd_ms) += ns / 1000000;
	d->io_ms += dice(1000) / 20;
	d->weighted_ms += ns / 1000000;
	o->ios += ios;
	o->bytes += bytes;
	o->lat_ns += ns;
	o->queue_ns += ns / 3;
	o->device_ns += ns - ns / 3;
	o->timed += ios;
	o->max_ns = dice(100000000);
	for (uint64_t k = 0; k < ios; k++)
		hists[i][op][14 + dice(4) + dice(4) + dice(8)]++;
	loads[i].busy_ns += dice(20000000);
	loads[i].depth_ns += ns;
}

/* What one task does in a second. */
static void act(struct made_task *m)
{
	m->used = 1;
	m->t.state = dice(3) ? 'S' : 'D';
	m->t.asleep_ns = m->t.state == 'D' ? 1 + dice(20000000) : 0;
	/* Most read, some write, a few do both. */
	for (uint32_t op = 0; op < 2; op++) {
		uint64_t ios = 1 + dice(64), bytes = ios * 4096 * (1 + dice(32)),
			 ns = ios * (50000 + dice(8000000)), waited = dice(ns + 1);

		if (dice(10) && op != m->t.id.tgid % 4 / 3)
			continue;
		*(op ? &m->t.write_bytes : &m->t.read_bytes) += bytes;
		*(op ? &m->file.write : &m->file.read) += bytes;
		m->io[op].ios += ios;
		m->io[op].bytes += bytes;
		m->io[op].done += ios;
		m->io[op].lat_ns += ns;
		m->io[op].max_ns = 1000000 + dice(50000000);
		m->t.wait_ns += waited;
		m->t.iowait_ns += waited;
		count_disk(m->t.id.tgid % DISKS, op, ios, bytes, ns);
	}
}

static void put_task(struct sample *s, const struct made_task *m)
{
	*(struct sample_task *)sample_add(s, TABLE_TASK) = m->t;
	for (unsigned op = 0; op < 2; op++)
		if (m->io[op].ios)
			*(struct sample_io *)sample_add(s, TABLE_IO) = m->io[op];
	if (!m->used)
		return;
	*(struct sample_file *)sample_add(s, TABLE_FILE) = m->file;
	*(struct sample_cmdline *)sample_add(s, TABLE_CMDLINE) =
		(struct sample_cmdline){ .id = m->t.id, .args = m->args };
}

static void put_sources(struct sample *s, uint64_t since)
{
	for (unsigned i = 0; i < SRC_COUNT; i++)
		*(struct sample_source *)sample_add(s, TABLE_SOURCE) = (struct sample_source){
			.source = 1u << i,
			.state = SOURCE_ON,
			.since = since,
		};
}

/* The i-th second: most of those that are active stay so, some processes are there for once. */
static void make_sample(struct sample *s, unsigned i, unsigned active)
{
	static struct made_task brief[3];

	s->mono = s->boot = 1000 * NSEC_PER_SEC + i * NSEC_PER_SEC + dice(300000);
	s->real = NOON + (i + 1) * NSEC_PER_SEC + dice(300000);
	for (unsigned k = 0; k < active; k++)
		act(&made[dice(10) ? k * 7 % TASKS : dice(TASKS)]);
	machine.dirty = dice(100000);
	machine.writeback = dice(1000);
	machine.psi_some_us += dice(300000);
	machine.psi_full_us += dice(200000);
	machine.load1 = 100 + dice(50);
	for (unsigned g = 0; g < GROUPS; g++)
		groups[g].refault_file += dice(3) ? 0 : dice(100) * 4096;
	*(struct sample_system *)sample_add(s, TABLE_SYSTEM) = machine;
	put_sources(s, 1000 * NSEC_PER_SEC);
	for (unsigned k = 0; k < 3; k++) {
		make_task(&brief[k], 100000 + i * 3 + k, s->boot - dice(NSEC_PER_SEC));
		act(&brief[k]);
		brief[k].t.flags = TASK_ENDED;
		brief[k].t.exit = s->boot;
		put_task(s, &brief[k]);
	}
	for (unsigned k = 0; k < TASKS; k++)
		put_task(s, &made[k]);
	for (unsigned k = 0; k < DISKS; k++) {
		*(struct sample_disk *)sample_add(s, TABLE_DISK) = disks[k];
		*(struct sample_diskload *)sample_add(s, TABLE_DISKLOAD) = loads[k];
		for (unsigned op = 0; op < 2; op++)
			*(struct sample_diskop *)sample_add(s, TABLE_DISKOP) = ops[k][op];
	}
	for (unsigned g = 0; g < GROUPS; g++)
		*(struct sample_memory *)sample_add(s, TABLE_MEMORY) = groups[g];
}

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double processor(void)
{
	return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static double rss(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss / 1024;
}

static _Noreturn void fail(const struct err *err)
{
	fprintf(stderr, "store: %s\n", err->text);
	exit(1);
}

static uint64_t bytes_of(const struct store_folder *f)
{
	struct store_list l;
	struct err err = { "" };
	uint64_t n = 0;

	if (store_folder_list(f, &l, &err) < 0)
		fail(&err);
	while (l.n)
		n += l.files[--l.n].bytes;
	store_list_release(&l);
	return n;
}

/* At once, not in slices. */
static void compact_all(const struct store_folder *f, uint64_t interval, unsigned n,
			const char *what)
{
	double before = processor();
	struct store_list l;
	struct err err = { "" };
	int r = 0;

	if (store_folder_list(f, &l, &err) < 0)
		fail(&err);
	for (size_t i = 0; i < l.n; i++) {
		struct compact *c;

		if (compact_begin(f, l.files[i].name, interval, &c, &err) <= 0)
			continue;
		while ((r = compact_step(c, 0, &err)) > 0)
			;
		if (r < 0)
			fail(&err);
		compact_free(c);
	}
	store_list_release(&l);
	printf("%-26s %6.1f MB a day, %.2f ms a sample\n", what, PER_DAY(bytes_of(f), n),
	       (processor() - before) / n * 1000);
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* One sample, and those before it; a screen begins with a minute of them. */
static double read_one(struct replay *r, unsigned before, struct sample *s)
{
	size_t at = dice(replay_count(r)), from = at > before ? at - before : 0;
	double began = processor();
	struct err err = { "" };

	for (; from <= at; from++) {
		sample_reset(s);
		if (replay_read(r, from, s, s, &err) < 0)
			fail(&err);
	}
	return (processor() - began) * 1000;
}

static void read_anywhere(const char *path, unsigned before, const char *what)
{
	static double took[200];
	const unsigned n = sizeof(took) / sizeof(took[0]);
	struct sample *s = sample_new();
	struct err err = { "" };
	struct replay *r;
	double opened = processor();

	if (replay_open_folder(path, &r, &err) < 0)
		fail(&err);
	opened = (processor() - opened) * 1000;
	for (unsigned i = 0; i < n; i++)
		took[i] = read_one(r, before, s);
	qsort(took, n, sizeof(took[0]), by_size);
	printf("%-26s %6.1f ms to open it, %.1f to read (median), %.1f (longest of %u)\n", what,
	       opened, took[n / 2], took[n - 1], n);
	replay_close(r);
	sample_free(s);
}

int main(int argc, char **argv)
{
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 3600,
		 active = argc > 3 ? (unsigned)atoi(argv[3]) : 100;
	struct sample *s[2] = { sample_new(), sample_new() };
	struct store_options opt = { .path = argc > 1 ? argv[1] : NULL };
	struct store_folder folder;
	struct store *st;
	struct err err = { "" };
	double spent = 0, longest = 0, began, alone;

	if (!opt.path || !n) {
		fprintf(stderr, "usage: store FOLDER [SECONDS [ACTIVE]]\n");
		return 2;
	}
	make_machine(900 * NSEC_PER_SEC);
	if (store_open(&opt, &st, &err) < 0)
		fail(&err);
	for (unsigned i = 0; i < n; i++) {
		sample_reset(s[i % 2]);
		make_sample(s[i % 2], i, active);
		began = processor();
		alone = seconds_of(CLOCK_THREAD_CPUTIME_ID);
		if (store_write(st, s[i % 2], s[i % 2], 0, &err) < 0)
			fail(&err);
		longest = MAX(longest, seconds_of(CLOCK_THREAD_CPUTIME_ID) - alone);
		spent += processor() - began;
	}
	began = processor();
	store_close(st);
	spent += processor() - began;
	if (store_folder_open(opt.path, true, &folder, &err) < 0)
		fail(&err);
	printf("%-26s %6.1f MB a day, %.2f ms a sample (%.1f at most for who writes), %.0f MB of"
	       " memory\n",
	       "as it is written", PER_DAY(bytes_of(&folder), n), spent / n * 1000,
	       longest * 1000, rss());
	read_anywhere(opt.path, 0, "a sample anywhere");
	read_anywhere(opt.path, 60, "and the minute before");
	compact_all(&folder, 10 * NSEC_PER_SEC, n, "one sample in 10 s");
	compact_all(&folder, 60 * NSEC_PER_SEC, n, "one sample in 60 s");
	printf("%-26s %6.0f MB\n", "memory", rss());
	store_folder_close(&folder);
	return 0;
}
