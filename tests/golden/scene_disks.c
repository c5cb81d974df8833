/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same machine with all that its disks are stacked from, and with histograms. */
#include <string.h>

#include "base/clock.h"
#include "base/macro.h"
#include "data/disk/disk.h"
#include "data/histogram.h"
#include "scene.h"

#define MB (1ULL << 20)
#define KB (1ULL << 10)
#define DEV(major, minor) ((uint32_t)(major) << 20 | (minor))
#define SECTOR 512
#define GONE 6	/* the tick from which on sde is not there any more */
#define TICKS 8	/* of a pattern */

struct device {
	uint32_t dev, whole;
	const char *name, *label, *type, *below, *mounts;
	uint64_t gigabytes;
	bool maps;			/* the block programs count it */
	struct {
		uint64_t bytes[TICKS];	/* of a tick, repeating */
		uint64_t size;		/* of a request */
		uint64_t latency;	/* ns, of a common one */
	} op[2];			/* OP_READ, OP_WRITE */
};

/* In the initialiser of a device. */
#define NONE { { 0 }, 1, 1 }
#define NVME_READS(latency)                                                                       \
	{                                                                                         \
		{ 20 * MB, 60 * MB, 180 * MB, 170 * MB, 150 * MB, 175 * MB, 170 * MB, 180 * MB }, \
			8 * KB, (latency)                                                         \
	}
#define NVME_WRITES(latency) \
	{ { 12 * MB, 12 * MB, 13 * MB, 13 * MB, 12 * MB, 13 * MB, 13 * MB, 13 * MB }, \
	  64 * KB, (latency) }
#define SDA_READS \
	{ { 1 * MB, 1 * MB, 1 * MB, 8 * MB, 12 * MB, 20 * MB, 31 * MB, 31 * MB }, \
	  256 * KB, 4100000 }
#define SDA_WRITES { { 3 * MB, 0, 3 * MB, 0, 3 * MB, 0, 3 * MB, 0 }, 64 * KB, 900000 }
#define EVEN(megabytes, latency)                                                    \
	{                                                                           \
		{ (megabytes)*MB, (megabytes)*MB, (megabytes)*MB, (megabytes)*MB,   \
		  (megabytes)*MB, (megabytes)*MB, (megabytes)*MB, (megabytes)*MB }, \
			128 * KB, (latency)                                         \
	}
#define MIRRORED(latency) { { 4 * MB, 0, 4 * MB, 4 * MB, 0, 0, 4 * MB, 0 }, 16 * KB, (latency) }

static const struct device devices[] = {
	{ DEV(259, 0), DEV(259, 0), "nvme0n1", NULL, "disk", "", "", 512, true,
	  { NVME_READS(180000), NVME_WRITES(410000) } },
	{ DEV(259, 1), DEV(259, 0), "nvme0n1p1", NULL, "part", "nvme0n1", "/boot/efi", 1, false,
	  { NONE, NONE } },
	{ DEV(259, 2), DEV(259, 0), "nvme0n1p2", NULL, "part", "nvme0n1", "", 511, false,
	  { NVME_READS(180000), NVME_WRITES(410000) } },
	{ DEV(253, 0), DEV(253, 0), "dm-0", "vg-root", "lvm", "nvme0n1p2", "/\n/var/lib/postgresql",
	  500, true,
	  { NVME_READS(190000), NVME_WRITES(430000) } },
	{ DEV(8, 0), DEV(8, 0), "sda", NULL, "disk", "", "", 4000, true,
	  { SDA_READS, SDA_WRITES } },
	{ DEV(8, 1), DEV(8, 0), "sda1", NULL, "part", "sda", "/srv", 4000, false,
	  { SDA_READS, SDA_WRITES } },
	{ DEV(8, 16), DEV(8, 16), "sdb", NULL, "disk", "", "", 2000, true,
	  { EVEN(2, 3000000), MIRRORED(1500000) } },
	{ DEV(8, 32), DEV(8, 32), "sdc", NULL, "disk", "", "", 2000, true,
	  { EVEN(2, 3000000), MIRRORED(1700000) } },
	{ DEV(9, 0), DEV(9, 0), "md0", NULL, "raid1", "sdb sdc", "", 2000, true,
	  { EVEN(4, 3100000), MIRRORED(1800000) } },
	{ DEV(253, 1), DEV(253, 1), "dm-1", "luks-home", "crypt", "md0", "/home", 2000, true,
	  { EVEN(4, 3200000), MIRRORED(1900000) } },
	{ DEV(8, 48), DEV(8, 48), "sdd", NULL, "disk", "", "", 1000, true, { NONE, NONE } },
	{ DEV(8, 64), DEV(8, 64), "sde", NULL, "disk", "", "", 64, true,
	  { EVEN(1, 9000000), NONE } },
	{ DEV(7, 0), DEV(7, 0), "loop0", NULL, "loop", "", "", 1, false, { NONE, NONE } },
	{ DEV(7, 1), DEV(7, 1), "loop1", NULL, "loop", "", "", 0, false, { NONE, NONE } },
};

/*
 * Every twentieth request is like this one, in tenths of the common latency; in a slow tick three
 * times that.
 */
static const unsigned tenths[] = { 5,  6,  7,  8,  8,  9,  9,  10, 10, 10,
				   10, 11, 11, 12, 13, 15, 18, 25, 60, 300 };

struct sums {
	uint64_t ios, bytes, lat_ns, max_ns;
	uint64_t hist[HIST_BUCKETS];
	uint64_t sizes[DISK_SIZES], places[DISK_PLACES];
};

static void sums_add(struct sums *to, const struct device *d, unsigned op, unsigned tick)
{
	uint64_t bytes = d->op[op].bytes[(tick - 1) % TICKS], ios = bytes / d->op[op].size;
	uint64_t kib = d->op[op].size / 1024;
	bool slow = tick % 5 == 0;

	to->ios += ios;
	to->bytes += bytes;
	to->max_ns = 0;
	to->sizes[kib ? 1 + (unsigned)__builtin_ctzll(kib) : 0] += ios;
	for (size_t i = 0; i < ARRAY_SIZE(tenths); i++) {
		uint64_t n = ios / ARRAY_SIZE(tenths) + (i < ios % ARRAY_SIZE(tenths));
		uint64_t ns = d->op[op].latency / 10 * tenths[i] * (slow ? 3 : 1);

		/* Reads go on from where they were, writes go here and there. */
		to->places[op ? (tick * 7 + i * 5) % DISK_PLACES : tick / 2 % DISK_PLACES] += n;
		to->lat_ns += n * ns;
		to->hist[hist_bucket(ns)] += n;
		if (n)
			to->max_ns = ns;
	}
}

static void add_maps(struct sample *s, const struct device *d, const struct sums sums[2])
{
	struct sample_diskload *load = sample_add_row(s, DISKLOAD, struct sample_diskload);

	load->dev = d->dev;
	load->depth_ns = sums[0].lat_ns + sums[1].lat_ns;
	load->busy_ns = load->depth_ns / 8;
	for (unsigned op = 0; op < 2; op++) {
		struct sample_diskop *o;
		uint64_t *hist, *more;

		if (!sums[op].ios)
			continue;
		o = sample_add_row(s, DISKOP, struct sample_diskop);
		hist = arena_new(&s->arena, uint64_t, HIST_BUCKETS);
		memcpy(hist, sums[op].hist, sizeof(sums[op].hist));
		more = arena_new(&s->arena, uint64_t, DISK_SIZES + DISK_PLACES);
		memcpy(more, sums[op].sizes, sizeof(sums[op].sizes));
		memcpy(more + DISK_SIZES, sums[op].places, sizeof(sums[op].places));
		*o = (struct sample_diskop){
			.dev = d->dev,
			.op = op,
			.ios = sums[op].ios,
			.bytes = sums[op].bytes,
			.lat_ns = sums[op].lat_ns,
			.queue_ns = sums[op].lat_ns / 10,
			.device_ns = sums[op].lat_ns - sums[op].lat_ns / 10,
			.max_ns = sums[op].max_ns,
			.errors = d->dev == DEV(8, 64) ? sums[op].ios / 40 : 0,
			.hist = { hist, HIST_BUCKETS * sizeof(*hist) },
			.sizes = { more, DISK_SIZES * sizeof(*more) },
			.places = { more + DISK_SIZES, DISK_PLACES * sizeof(*more) },
			.place_bytes = 16ull << 30,
		};
	}
}

static void add_device(const struct scene *scene, struct sample *s, const struct device *d,
		       unsigned tick)
{
	struct sums sums[2] = { 0 };
	bool gone = d->dev == DEV(8, 64) && tick >= GONE;

	for (unsigned i = 1; i <= tick && !(gone && i >= GONE); i++)
		for (unsigned op = 0; op < 2; op++)
			sums_add(&sums[op], d, op, i);
	if (d->maps && !(scene->off & SRC_BLOCK))
		add_maps(s, d, sums);
	if (gone || scene->off & SRC_DISKS)
		return;
	*sample_add_row(s, DISK, struct sample_disk) = (struct sample_disk){
		.dev = d->dev, .whole = d->whole, .name = d->name, .label = d->label,
		.type = d->type, .below = d->below,
		.mounts = d->mounts, .size = d->gigabytes << 30,
		.flags = (d->whole != d->dev ? DISK_PARTITION : 0) | (*d->below ? 0 :
			DISK_LOWEST) | (d->dev == DEV(8, 64) ? DISK_REMOVABLE : 0),
		.rd_ios = sums[0].ios, .rd_sectors = sums[0].bytes / SECTOR,
		.rd_ms = sums[0].lat_ns / 1000000,
		.wr_ios = sums[1].ios, .wr_sectors = sums[1].bytes / SECTOR,
		.wr_ms = sums[1].lat_ns / 1000000,
		.io_ms = (sums[0].lat_ns + sums[1].lat_ns) / 8000000,
		.weighted_ms = (sums[0].lat_ns + sums[1].lat_ns) / 1000000,
	};
}

void scene_disks(const struct scene *scene, struct sample *s, unsigned tick)
{
	bool off = scene->off & SRC_BLOCK;

	sample_source(s, SRC_HIST, off ? SOURCE_OFF : SOURCE_ON,
		      off ? "no CAP_BPF: run as root" : NULL);
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++)
		add_device(scene, s, &devices[i], tick);
}
