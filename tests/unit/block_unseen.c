// SPDX-License-Identifier: GPL-2.0-or-later
/* I/O that ended unseen: which entries are dropped, by what the kernel says of the disk. */
#include "folder.h"

#include <sys/stat.h>

#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"
#include "collect/collector.h"

#define SETS 4
#define DISK 3
#define DEV (8u << 20 | 16)

static struct abi_inflight_set sets[SETS];
static struct abi_disk disks[ABI_DISKS];
static struct abi_diskstat stats[ABI_DISKS];
static struct block_bpf__rodata rodata;
static struct block_bpf__bss bss;
static struct block_bpf skel;
static struct collect_options opt;
static struct block b;

/* What the kernel has: completed reads, and requests in flight. */
static void kernel(unsigned ios, unsigned in_flight, bool counts)
{
	char text[128];

	snprintf(text, sizeof(text), "%8u 0 8 1 0 0 0 0 %u 1 1 0 0 0 0\n", ios, in_flight);
	write_file("dev/block/8:16/stat", text, strlen(text));
	write_file("dev/block/8:16/queue/iostats", counts ? "1\n" : "0\n", 2);
}

static void setup(void)
{
	folder_setup();
	mkdir(path_of("dev"), 0700);
	mkdir(path_of("dev/block"), 0700);
	mkdir(path_of("dev/block/8:16"), 0700);
	mkdir(path_of("dev/block/8:16/queue"), 0700);
	memset(sets, 0, sizeof(sets));
	memset(disks, 0, sizeof(disks));
	memset(stats, 0, sizeof(stats));
	rodata.inflight_sets = SETS;
	bss.epoch = 100;
	skel.rodata = &rodata;
	skel.bss = &bss;
	opt.sys = folder;
	b = (struct block){ .opt = &opt, .skel = &skel, .disks = disks, .diskstats = stats,
			    .stripes = 1 };
	b.inflight_window.memory = sets;
	disks[DISK].dev = DEV;
	kernel(1000, 0, true);
	block_drop_ended(&b, DISK + 1);
}

/* The programs note a bio that begins in this interval. */
static struct abi_inflight *bio_begins(unsigned interval)
{
	struct abi_inflight *entries = sets[0].way;

	for (unsigned i = 0;; i++) {
		if (entries[i].bio)
			continue;
		entries[i] = (struct abi_inflight){ .bio = 4096 + i,
						    .start_ns = ABI_INFLIGHT_START(interval, i),
						    .counter = DISK << ABI_COUNTER_BITS };
		disks[DISK].started++;
		return &entries[i];
	}
}

static uint64_t in_flight(void)
{
	return disks[DISK].started - disks[DISK].finished;
}

START_TEST(at_rest)
{
	struct abi_inflight *old = bio_begins(90), *young = bio_begins(99);

	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_eq(old->bio, 0);
	ck_assert_uint_ne(young->bio, 0);
	ck_assert_uint_eq(in_flight(), 1);
	ck_assert_uint_eq(b.dropped, 1);
}
END_TEST

/* What two CPUs counted wrong between them. */
START_TEST(without_an_entry)
{
	disks[DISK].started++;
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_eq(in_flight(), 1);
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_eq(in_flight(), 0);
}
END_TEST

/* Statistics that are off have nothing in flight, ever. */
START_TEST(no_statistics)
{
	struct abi_inflight *old = bio_begins(90);

	kernel(1000, 0, false);
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_ne(old->bio, 0);
}
END_TEST

/* The disk never rests: that the kernel counted more ends than we tells that there are such. */
START_TEST(busy)
{
	struct abi_inflight *lost = bio_begins(80), *slow = bio_begins(90), *young = bio_begins(99);

	kernel(1000, 2, true);
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_eq(in_flight(), 3);
	ck_assert_uint_eq(b.unseen_ends, 0);
	kernel(1001, 1, true);
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_eq(lost->bio, 0);
	ck_assert_uint_ne(slow->bio, 0);
	ck_assert_uint_ne(young->bio, 0);
	ck_assert_uint_eq(b.unseen_ends, 1);
	/* One was looked for, one was found. */
	slow->start_ns = ABI_INFLIGHT_START(70, 1);
	bio_begins(60);
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_eq(in_flight(), 3);
}
END_TEST

/*
 * Who waits for what is dropped has a doubtful wait, also when his next request begins while it is
 * looked at; and so has who made the ring of his.
 */
START_TEST(doubt)
{
	static struct abi_counter counters[8];
	static struct abi_asked asked[10];
	struct abi_inflight *lost = bio_begins(80);

	counters[5].key = (struct abi_counter_key){ .owner = 8, .submitter = 8 };
	lost->counter |= 5 | ABI_INFLIGHT_ASKED;
	ck_assert_uint_eq(ABI_COUNTER_PLACE(lost->counter), 5);
	asked[8].also = 9;
	asked[8].started = asked[9].started = 1;
	b.counters = counters;
	b.counter_pool.used = ARRAY_SIZE(counters);
	b.asked = asked;
	b.ref_pool.used = ARRAY_SIZE(asked);
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_eq(lost->bio, 0);
	/* His next one, which ends at once. */
	asked[8].finished = asked[9].finished = 1;
	block_settle_asked(&b, 77);
	ck_assert_uint_eq(asked[8].doubtful, ABI_DOUBT(77));
	ck_assert_uint_eq(asked[9].doubtful, ABI_DOUBT(77));
	block_settle_asked(&b, 99);
	ck_assert_uint_eq(asked[8].doubtful, ABI_DOUBT(77));
}
END_TEST

/* Nor is anything ended unseen any more that the programs found when its bio was queued again. */
START_TEST(again)
{
	static struct abi_counter counters[8];
	static struct abi_asked asked[10];
	struct abi_inflight *other = bio_begins(100);

	memset(asked, 0, sizeof(asked));
	other->counter |= 5 | ABI_INFLIGHT_ASKED;
	counters[5].key = (struct abi_counter_key){ .owner = 8, .submitter = 8 };
	asked[8].started = 1;
	b.counters = counters;
	b.counter_pool.used = ARRAY_SIZE(counters);
	b.asked = asked;
	b.ref_pool.used = ARRAY_SIZE(asked);
	kernel(1001, 1, true);
	block_drop_ended(&b, DISK + 1);
	block_settle_asked(&b, 77);
	ck_assert_uint_eq(b.unseen_ends, 1);
	ck_assert_uint_eq(asked[8].doubtful, ABI_DOUBT(77));
	bss.queued_again[DISK] = 1;
	block_drop_ended(&b, DISK + 1);
	block_settle_asked(&b, 99);
	ck_assert_uint_ne(other->bio, 0);
	ck_assert_uint_eq(asked[8].doubtful, ABI_DOUBT(77));
	ck_assert_uint_eq(b.unseen_ends, 1);
}
END_TEST

/* Those of other kinds are in the statistics as writes, or not at all. */
START_TEST(other_kinds)
{
	bio_begins(90);
	stats[DISK].op[ABI_OTHER].ios = 5;
	kernel(1005, 1, true);
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_eq(b.unseen_ends, 0);
	stats[DISK].op[ABI_OTHER].ios = 8;
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_eq(b.unseen_ends, 0);
	ck_assert_uint_eq(in_flight(), 1);
}
END_TEST

/* Some drivers without requests count what is in flight. */
START_TEST(no_requests)
{
	struct abi_inflight *old = bio_begins(80);

	disks[DISK].flags = ABI_DISK_BIO;
	kernel(1001, 0, true);
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_ne(old->bio, 0);
	kernel(1001, 1, true);
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_ne(old->bio, 0);
	kernel(1002, 0, true);
	block_drop_ended(&b, DISK + 1);
	ck_assert_uint_eq(old->bio, 0);
	ck_assert_uint_eq(b.unseen_ends, 0);
}
END_TEST

static uint16_t room_of(const char *requests, const char *left_to_writes)
{
	write_file("dev/block/8:16/queue/nr_requests", requests, strlen(requests));
	if (left_to_writes)
		write_file("dev/block/8:16/queue/iosched/async_depth", left_to_writes,
			   strlen(left_to_writes));
	bss.disk_places.taken = DISK;
	b.stacked = 0;
	block_refresh_lower(&b);
	return disks[DISK].room;
}

/* How many requests a disk has: as long as there are some nobody waits for one. */
START_TEST(room)
{
	mkdir(path_of("dev/block/8:16/queue/iosched"), 0700);
	ck_assert_uint_eq(room_of("128\n", NULL), 128);
	ck_assert_uint_eq(room_of("256\n", "192\n"), 192);
	ck_assert_uint_eq(room_of("64\n", "192\n"), 64);
	ck_assert_uint_eq(room_of("70000\n", "66000\n"), UINT16_MAX);
}
END_TEST

UNIT_FIXTURE_MAIN("block_unseen", setup, folder_teardown, room, at_rest, without_an_entry,
		  no_statistics, busy, doubt, again, other_kinds, no_requests)
