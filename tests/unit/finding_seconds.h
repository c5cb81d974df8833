/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine by the second, and what is found there: a culprit and a victim at one disk. */
#ifndef IOTOP_TESTS_UNIT_FINDING_SECONDS_H
#define IOTOP_TESTS_UNIT_FINDING_SECONDS_H

#include <string.h>

#include "data/finding/finding.h"
#include "data/histogram.h"
#include "found.h"
#include "tasks.h"

#define SOURCES (SRC_TASKS | SRC_BLOCK | SRC_DISKS | SRC_SYSTEM | SRC_WAITS)
#define CULPRIT 20
#define VICTIM 30
#define OTHER 40
#define APART_DEV (8u << 20 | 16)

/* Of one interval, a second long. */
struct second {
	unsigned off, more;	/* sources, of those in SOURCES and beside them */
	const char *why;	/* the block programs are off */
	unsigned busy;		/* percent */
	unsigned depth;
	unsigned wait;		/* of the victim, percent */
	unsigned other;		/* of another one at the same disk, percent */
	bool hopeful;		/* what is off may come yet: there is no reason */
	bool held;		/* nothing that the victim asks for comes to an end */
	unsigned syncs;		/* flushes of the victim a second, each with 4 KiB written */
	unsigned load;		/* percent of the disk's that is the culprit's, 90 unless given */
	bool alone;		/* the culprit itself waits, nobody else */
	unsigned many;		/* the culprit is so many processes */
	uint64_t asleep_ns;	/* of the culprit; 0: it is not asleep */
	uint32_t frozen_dev;	/* that it waits for; 0: for none */
	const char *mounts;	/* of the disk; NULL: none */
	uint64_t errors, requeues, timeouts;
	unsigned pressure;	/* percent; 0: it is not known */
	unsigned refaults;	/* pages; the culprit and the victim read 100 each */
	enum disk_limits limits;	/* of the disk's provider */
	unsigned exceeded;	/* the volume's throughput, percent */
	unsigned limited;	/* with a limit holding back I/O of the victim, percent */
	unsigned unseen;	/* of the victim's 100 I/Os: held back for a time not known */
	bool apart;		/* the flushes are of another disk, on which nobody else is */
	unsigned calls;		/* of fsync() by the victim, in which it is all the time it waits */
	unsigned behind;	/* percent that it is in them besides, behind others */
	bool no_disk;		/* these are of a file system that is on no disk */
};

static struct totals {
	uint64_t busy, depth, wait, other, errors, requeues, timeouts, ios, pressure_us, refaults,
		exceeded, culprit, victim, syncs, limited, unseen, calls, called;
} totals;
static unsigned seconds;

static void begin(void)
{
	samples_setup();
	totals = (struct totals){ 0 };
	seconds = 0;
}

static struct sample_io *add_io(struct sample *s, const struct sample_task *t, uint64_t depth_ns)
{
	struct sample_io *i =
		io(s, t->id, t->id, DISK_DEV, OP_READ, (uint64_t)(seconds + 1) * 4096 * 100);

	i->lat_ns = depth_ns;
	return i;
}

/* Reads, or what it has flushed: as much of the load in either case. */
static void add_victim(struct sample *s, const struct sample_task *t, bool apart)
{
	uint32_t dev = apart ? APART_DEV : DISK_DEV;
	struct sample_io *flushes, *reads;

	if (!totals.syncs) {
		reads = add_io(s, t, totals.victim);
		reads->throttled_ns = totals.limited;
		reads->held_unseen = totals.unseen;
		return;
	}
	io(s, t->id, t->id, dev, OP_WRITE, totals.syncs * 4096)->lat_ns = totals.victim;
	flushes = io(s, t->id, t->id, dev, OP_FLUSH, 0);
	flushes->ios = flushes->done = totals.syncs;
	if (!apart)
		return;
	sample_disk(s, APART_DEV, "sdb")->flags = DISK_LOWEST;
	io(s, t->id, t->id, DISK_DEV, OP_READ, (uint64_t)(seconds + 1) * 4096 * 10);
}

/* Each makes as much of the load. */
static void add_many(struct sample *s, unsigned many, uint64_t depth_ns)
{
	for (unsigned n = 0; n < many; n++) {
		struct sample_task *t = task(s, 100 + n, 100 + n, -50);

		t->comm = "fio";
		t->have |= SRC_WAITS;
		t->wait_ns = totals.wait;
		add_io(s, t, depth_ns / many);
	}
}

/* What is told of the disk; of the time it told of a fifth as much, for the machine. */
static void describe_disk(struct sample *s, const struct second *step)
{
	struct sample_disk *d = (struct sample_disk *)s->tables[TABLE_DISK].rows;

	ck_assert_uint_eq(d->dev, DISK_DEV);
	d->mounts = step->mounts;
	d->limits = step->limits;
	if (step->limits != LIMITS_TOLD)
		return;
	d->limits_ns = (uint64_t)(seconds + 1) * SEC;
	d->volume_throughput_ns = totals.exceeded;
	d->instance_iops_ns = totals.exceeded / 5;
}

static void add_up(const struct second *step)
{
	uint64_t percent = (uint64_t)SEC / 100;

	totals.busy += step->busy * percent;
	totals.depth += step->depth * (uint64_t)SEC;
	totals.culprit += step->depth * percent * (step->load ? step->load : 90);
	totals.victim = totals.depth - totals.culprit;
	totals.syncs += step->syncs;
	totals.wait += step->wait * percent;
	totals.other += step->other * percent;
	totals.errors += step->errors;
	totals.requeues += step->requeues;
	totals.timeouts += step->timeouts;
	totals.exceeded += step->exceeded * percent;
	totals.limited += step->limited * percent;
	totals.unseen += step->unseen;
	totals.calls += step->calls;
	totals.called += (step->wait + step->behind) * percent;
}

static void add_calls(struct sample *s, const struct sample_task *t, bool no_disk)
{
	struct sample_layer *l = sample_add_row(s, LAYER, struct sample_layer);
	uint64_t *hist = arena_new(&s->arena, uint64_t, HIST_BUCKETS);
	uint32_t dev = no_disk ? 50 : DISK_DEV;

	hist[hist_bucket(totals.called / totals.calls)] = totals.calls;
	*l = (struct sample_layer){
		.dev = dev, .layer = LAYER_SYSCALL, .op = LAYER_FSYNC, .count = totals.calls,
		.total_ns = totals.called, .fs = no_disk ? "btrfs" : "ext4",
		.hist = { hist, HIST_BUCKETS * sizeof(*hist) },
	};
	*sample_add_row(s, CALLER, struct sample_caller) = (struct sample_caller){
		.id = t->id, .ino = 100, .sdev = dev, .dev = dev, .layer = LAYER_SYSCALL,
		.op = LAYER_FSYNC, .comm = "worker", .count = totals.calls,
		.total_ns = totals.called,
	};
}

/* One more second; its model. */
static const struct model *play(const struct second *step)
{
	struct sample *s = sample_at(seconds, (SOURCES & ~step->off) | step->more);
	struct sample_diskload *load;
	struct sample_diskop *op;
	struct sample_task *culprit, *victim, *other;

	if (step->off & SRC_WAITS && !step->hopeful) {
		sample_source(s, SRC_WAITS, SOURCE_OFF, "no BTF");
		sample_source(s, SRC_DELAYS, SOURCE_OFF, "delay accounting is off");
	}
	if (step->why)
		sample_source(s, SRC_BLOCK, SOURCE_OFF, step->why);
	add_up(step);
	disks(s);
	describe_disk(s, step);
	add_many(s, step->many, totals.culprit);
	culprit = task(s, CULPRIT, CULPRIT, -50);
	culprit->comm = "ba\"ckup";
	victim = task(s, VICTIM, VICTIM, -50);
	culprit->have |= SRC_WAITS & ~step->off;
	victim->have |= SRC_WAITS & ~step->off;
	*(step->alone ? &culprit->wait_ns : &victim->wait_ns) = totals.wait;
	if (totals.other) {
		other = task(s, OTHER, OTHER, -50);
		other->have |= SRC_WAITS & ~step->off;
		other->wait_ns = totals.other;
		add_io(s, other, 0);
	}
	culprit->state = step->asleep_ns ? 'D' : 'S';
	culprit->asleep_ns = step->asleep_ns;
	culprit->frozen_dev = step->frozen_dev;
	if (!(step->off & SRC_BLOCK)) {
		if (!step->many)
			add_io(s, culprit, totals.culprit);
		if (!step->held)
			add_victim(s, victim, step->apart);
		load = sample_add_row(s, DISKLOAD, struct sample_diskload);
		*load = (struct sample_diskload){ .dev = DISK_DEV, .busy_ns = totals.busy,
						  .depth_ns = totals.depth,
						  .timeouts = totals.timeouts };
		op = sample_add_row(s, DISKOP, struct sample_diskop);
		*op = (struct sample_diskop){ .dev = DISK_DEV, .errors = totals.errors,
					      .requeues = totals.requeues,
					      .ios = (seconds + 1) * 100 };
	}
	if (totals.calls)
		add_calls(s, victim, step->no_disk);
	totals.pressure_us += step->pressure * 10000;
	totals.refaults += step->refaults;
	*sample_add_row(s, SYSTEM, struct sample_system) = (struct sample_system){
		.psi = step->pressure != 0, .psi_some_us = totals.pressure_us,
		.vmstat = step->refaults != 0, .page_size = 4096,
		.refault_file = totals.refaults,
	};
	seconds++;
	return engine_advance(engine, s, SOURCES | step->more);
}

#endif
