/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bios that a stacked disk hands on as they are to a disk below (RAID 0 and linear before 5.14):
 * they are queued once, at the stacked disk, and have their entry there. What was split off one has
 * none and leads to it. Below they are counted when their request ends. So does a disk with paths
 * (PLACE_OF_PATH), and nothing is counted below.
 */
#ifndef IOTOP_BPF_BLOCK_HANDED_H
#define IOTOP_BPF_BLOCK_HANDED_H

#include "bpf/abi.h"
#include "bpf/block/charge.h"
#include "bpf/block/count.h"
#include "bpf/block/inflight.h"

/*
 * The entry of a stacked disk that a bio (kernel address) has whose request ended at the disk at a
 * place; nr: of its own entry, 0: it has none, and may lead to one. 0: it was not handed on.
 */
__noinline __u32 handed_on(__u64 bio, __u32 nr, __u32 place)
{
	const struct abi_inflight *entry;
	const struct abi_disk *disk;
	__u64 whole;

	if (!nr && bio) {
		whole = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_private);
		nr = whole >> 63 ? inflight_find(whole - anchor_address, true) : 0;
	}
	entry = inflight_at(nr);
	disk = entry ? inflight_disk(entry) : NULL;
	return place && disk && disk->flags & ABI_DISK_BIO &&
			       ABI_COUNTER_DISK(entry->counter) != place
		       ? nr
		       : 0;
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

/* Charges what ended below to whom the bio is charged above; of several owners none is told. */
_always_ void handed_charge(__u32 counter_above, __u32 what, __u32 bytes, __u64 begun, __u64 now)
{
	__u32 lower = what & 0xffff, op = what >> 16 & 0xff, place = lower * ABI_OPS + op,
	      above = ABI_COUNTER_PLACE(counter_above);
	struct abi_counter *counter = bpf_map_lookup_elem(&counters, &above);
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &lower);

	if (!disk)
		return;
	if (counter && above >= ABI_COUNTER_FIRST && !(counter_above & ABI_SEVERAL))
		place = counter_find(counter->key.owner, counter->key.submitter, disk->dev, lower,
				     WHAT(op, counter->key.how));
	count_ended(place, what, bytes, begun, now);
	busy_until(disk, begun, now);
}

/*
 * Bytes ended below, of a bio with an entry of this number above: they are counted there and here,
 * and its last ones end it. what: DONE() of the disk below and the operation.
 */
__noinline int handed_done(__u32 nr, __u32 what, __u32 bytes, __u64 begun, __u64 now)
{
	struct abi_inflight *entry = inflight_at(nr);
	__u32 op = what >> 16 & 0xff, above;

	if (!entry)
		return 0;
	handed_charge(entry->counter, what, bytes, begun, now);
	above = DONE(ABI_COUNTER_DISK(entry->counter), op) | (what & DONE_ERROR);
	if (bytes >= entry->left)
		above |= DONE_ALL;
	disk_done(above, bytes, inflight_start(entry, begun), 0, now);
	inflight_part(entry, inflight_disk(entry), bytes, !bytes, begun, now);
	return 0;
}

#endif
