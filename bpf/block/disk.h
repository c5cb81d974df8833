/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disks and what is counted at them. */
#ifndef IOTOP_BPF_BLOCK_DISK_H
#define IOTOP_BPF_BLOCK_DISK_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/common/hist.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

#define POLICIES 4

/* Whether a policy of a queue, iocost or iolatency, is at work. */
_always_ bool policy_limits(const struct rq_qos *qos)
{
	__u32 id = BPF_CORE_READ(qos, id);

	if (id == bpf_core_enum_value(enum rq_qos_id, RQ_QOS_COST))
		return BPF_CORE_READ((const struct ioc *)qos, enabled);
	if (id != bpf_core_enum_value(enum rq_qos_id, RQ_QOS_LATENCY))
		return false;
	if (bpf_core_field_exists(((struct blk_iolatency *)0)->enabled))
		return BPF_CORE_READ((const struct blk_iolatency *)qos, enabled);
	if (bpf_core_field_exists(((struct blk_iolatency___count *)0)->enabled.counter))
		return BPF_CORE_READ((const struct blk_iolatency___count *)qos, enabled.counter);
	return false;
}

/* Whether iocost or iolatency is at work at a queue (its address). */
__noinline bool queue_limits_bios(__u64 queue)
{
	const struct rq_qos *qos;

	if (!bpf_core_enum_value_exists(enum rq_qos_id, RQ_QOS_COST))
		return false;
	qos = BPF_CORE_READ((const struct request_queue *)queue, rq_qos);
	for (int i = 0; i < POLICIES && qos; i++) {
		if (policy_limits(qos))
			return true;
		qos = BPF_CORE_READ(qos, next);
	}
	return false;
}

/* What a disk is from its begin on: flags of struct abi_disk. */
__noinline __u32 disk_kind(__u64 address_of_gendisk)
{
	const struct gendisk *gendisk = (const struct gendisk *)address_of_gendisk;
	char name[3] = {};

	BPF_CORE_READ_INTO(&name, gendisk, disk_name);
	return (gendisk_bio_based(gendisk) ? ABI_DISK_BIO : 0) |
	       (name[0] == 'd' && name[1] == 'm' && name[2] == '-' ? ABI_DISK_MAPPED : 0);
}

_always_ void disk_describe(struct abi_disk *disk, __u32 dev, __u64 address_of_gendisk)
{
	disk->flags = disk_kind(address_of_gendisk);
	disk->dev = dev;
	disk->queue = (__u64)BPF_CORE_READ((const struct gendisk *)address_of_gendisk, queue);
}

/* A place for a disk that has none: who finds it in the index finds what it is. 0: none is free. */
_always_ __u32 disk_enter(__u32 dev, __u64 address_of_gendisk)
{
	__u32 place, *have;
	struct abi_disk *disk;

	if (!place_take(&disks_free, &disk_places, &place)) {
		lose(ABI_LOST_DISKS);
		return 0;
	}
	disk = bpf_map_lookup_elem(&disks, &place);
	if (!disk)
		return 0;
	disk_describe(disk, dev, address_of_gendisk);
	if (!bpf_map_update_elem(&disk_index, &dev, &place, BPF_NOEXIST))
		return place;
	disk->dev = 0;
	place_return(&disks_free, &disk_places, &place);
	have = bpf_map_lookup_elem(&disk_index, &dev);
	return have ? *have : 0;
}

/* The index of a disk, by the address of its gendisk; 0: it has none. */
__noinline __u32 disk_find(__u64 address_of_gendisk)
{
	const struct gendisk *gendisk = (const struct gendisk *)address_of_gendisk;
	__u32 dev, place, *have, limited, flags, now;
	struct abi_disk *disk;
	__u64 queue;

	if (!gendisk)
		return 0;
	dev = gendisk_dev(gendisk);
	queue = (__u64)BPF_CORE_READ(gendisk, queue);
	if (!dev || gendisk_hidden(gendisk))
		return 0;
	have = bpf_map_lookup_elem(&disk_index, &dev);
	place = have ? *have : disk_enter(dev, address_of_gendisk);
	disk = place ? bpf_map_lookup_elem(&disks, &place) : NULL;
	if (!disk)
		return 0;
	/* Another one under the same number. */
	if (disk->queue != queue)
		disk_describe(disk, dev, address_of_gendisk);
	/* A policy may come while the disk is in use: it is noticed when the next task comes. */
	limited = queue_limits_bios(queue) ? ABI_DISK_LIMITED : 0;
	flags = disk->flags;
	now = (flags & ~(ABI_DISK_SCARCE | ABI_DISK_LIMITED)) | limited;
	if (now != flags)
		disk->flags = now;
	return place;
}

/*
 * The place of a path of an NVMe disk with several: beyond all disks, so that nothing is counted
 * there. The driver tells of the disk's bio before its request at the path ends, but only of the
 * request's first one (nvme_trace_bio_complete()): the others end with the request.
 */
#define PLACE_OF_PATH ABI_DISKS

/* This place; where it is none, that of a disk (the address of its gendisk) if it is a path. */
__noinline __u32 place_or_path(__u32 place, __u64 address_of_gendisk)
{
	const struct gendisk *gendisk = (const struct gendisk *)address_of_gendisk;

	return !place && gendisk && gendisk_hidden(gendisk) ? PLACE_OF_PATH : place;
}

/* Adds the time since the last event to the busy time, if a bio was in flight since then. */
_always_ void disk_event(struct abi_disk *disk, __u64 now)
{
	__u64 last = disk->last_ns;

	if (disk->started > disk->finished && now > last)
		add(disk->busy_ns, now - last);
	if (now > last)
		disk->last_ns = now;
}

/* Notes which times the requests of a disk carry, from one that completed (0: not this time). */
_always_ void disk_learn(struct abi_disk *disk, __u64 start, __u64 issue)
{
	const __u32 all = ABI_DISK_TIMED | ABI_DISK_SPLIT;
	__u32 carries;

	if (start && issue && (disk->flags & all) == all)
		return;
	carries = (start ? ABI_DISK_TIMED : 0) | (issue ? ABI_DISK_SPLIT : 0);
	if ((disk->flags & all) != carries)
		disk->flags = (disk->flags & ~all) | carries;
}

_always_ __u32 stripe_here(void)
{
	return bpf_get_smp_processor_id() & (stripes - 1);
}

_always_ struct abi_diskop *diskop_in(__u32 disk, __u32 op, __u32 stripe)
{
	__u32 place = disk * stripes + stripe;
	struct abi_diskstat *stat = bpf_map_lookup_elem(&diskstats, &place);

	barrier_var(op);
	if (!stat || op >= ABI_OPS)
		return NULL;
	return &stat->op[op];
}

_always_ struct abi_diskop *diskop(__u32 disk, __u32 op)
{
	return diskop_in(disk, op, stripe_here());
}

_always_ __u32 size_bucket(__u32 bytes)
{
	__u64 kib = bytes >> 10;
	__u32 bucket = abi_log2(kib) + ABI_MORE(kib, 0);

	return bucket < ABI_SIZES ? bucket : ABI_SIZES - 1;
}

_always_ void count_latency(struct abi_diskop *stat, __u32 disk, __u32 op, __u32 stripe, __u64 ns,
			    __u32 bytes)
{
	__u32 place = ABI_HIST_INDEX(disk, op, stripe, stripes), bucket;
	struct abi_disk_hist *hist;

	add(stat->lat_ns, ns);
	count_longest(stat->max, ns);
	if (!want_hist)
		return;
	hist = bpf_map_lookup_elem(&hists, &place);
	bucket = abi_hist_bucket(ns);
	if (hist && bucket < ABI_HIST_BUCKETS)
		add(hist->time.count[bucket], 1);
	bucket = size_bucket(bytes);
	if (hist && bytes && bucket < ABI_SIZES)
		add(hist->size[bucket], 1);
}

/* Packed argument of disk_done(). */
#define DONE(disk, op) ((disk) | (op) << 16)
#define DONE_ERROR (1u << 30)
#define DONE_ALL (1u << 31)

/*
 * Counts completed bytes of an I/O. With DONE_ALL it has ended: started at start, issued to the
 * device at issue (ns, 0: unknown).
 */
_always_ int disk_done(__u32 what, __u32 bytes, __u64 start, __u64 issue, __u64 now)
{
	__u32 disk = what & 0xffff, op = what >> 16 & 0xff, stripe = stripe_here();
	struct abi_diskop *stat = diskop_in(disk, op, stripe);

	if (!stat)
		return 0;
	if (bytes)
		add(stat->bytes, bytes);
	if (what & DONE_ERROR)
		add(stat->errors, 1);
	if (!(what & DONE_ALL))
		return 0;
	add(stat->ios, 1);
	if (!start || now < start)
		return 0;
	count_latency(stat, disk, op, stripe, now - start, bytes);
	if (!issue) {
		add(stat->unsplit, 1);
		add(stat->unsplit_ns, now - start);
		return 0;
	}
	if (issue > now)
		issue = now;
	/* Since 6.9 the start may be a little after the issue: the clock is read once per plug. */
	if (issue > start)
		add(stat->queue_ns, issue - start);
	return 0;
}

/* A bio waited so long until it had a request. */
__noinline int request_waited(__u32 disk, __u32 op, __u64 ns)
{
	struct abi_diskop *stat = diskop(disk, op);

	if (stat)
		add(stat->tag_ns, ns);
	return 0;
}

#endif
