/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bios that a stacked disk hands on as they are to a disk below (RAID 0 and linear before 5.14, and
 * later where statistics of the disk are off): they are queued once, at the stacked disk, and have
 * their entry there. Below they are counted when their request ends.
 */
#ifndef IOTOP_BPF_BLOCK_HANDED_H
#define IOTOP_BPF_BLOCK_HANDED_H

#include "bpf/abi.h"
#include "bpf/block/charge.h"
#include "bpf/block/count.h"
#include "bpf/block/inflight.h"

/* Whether a request of the disk at a place ends a bio with this entry of a stacked disk. */
_always_ bool was_handed_on(const struct abi_inflight *entry, __u32 place)
{
	__u32 above = ABI_COUNTER_DISK(entry->counter);
	const struct abi_disk *disk = bpf_map_lookup_elem(&disks, &above);

	return disk && above != place && disk->flags & ABI_DISK_BIO;
}

/*
 * A disk was busy while a request was at work: since it began, or since another one ended. Where
 * one ends before another that began earlier it was busy for longer.
 */
_always_ void busy_until(struct abi_disk *disk, __u64 begun, __u64 now)
{
	__u64 since = larger_of(begun, disk->last_ns);

	if (!begun || now <= since)
		return;
	add(disk->busy_ns, now - since);
	disk->last_ns = now;
}

/*
 * Charges bytes that ended below to whom the bio is charged above, of several owners to none, and
 * counts them at the disk above, where the caller ends them. what: DONE() of the disk below and the
 * operation.
 */
__noinline int handed_done(__u32 nr, __u32 what, __u32 bytes, __u64 begun, __u64 now)
{
	struct abi_inflight *entry = inflight_at(nr);
	__u32 lower = what & 0xffff, op = what >> 16 & 0xff, place = lower * ABI_OPS + op, above;
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &lower);
	struct abi_counter *counter;

	if (!entry || !disk)
		return 0;
	above = ABI_COUNTER_PLACE(entry->counter);
	counter = bpf_map_lookup_elem(&counters, &above);
	if (counter && above >= ABI_COUNTER_FIRST && !(entry->counter & ABI_SEVERAL))
		place = counter_find(counter->key.owner, counter->key.submitter, disk->dev, lower,
				     WHAT(op, counter->key.how));
	count_ended(place, what, bytes, begun, now);
	busy_until(disk, begun, now);
	disk_done(DONE(ABI_COUNTER_DISK(entry->counter), op) | (what & (DONE_ERROR | DONE_ALL)),
		  bytes, inflight_start(entry, begun), 0, now);
	return 0;
}

#endif
