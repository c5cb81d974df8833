/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bios of a request, one behind the other. */
#ifndef IOTOP_BPF_BLOCK_WALK_H
#define IOTOP_BPF_BLOCK_WALK_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/block/handed.h"
#include "bpf/block/inflight.h"
#include "bpf/common/kernel.h"

/* Most bios of one request that are looked at. */
#define WALK 512

/*
 * Ends the part of a bio (kernel address) that is among so many completed bytes (done: DONE() of
 * their disk and operation); returns how many bytes are left for the next bios.
 */
__noinline __u32 bio_done(__u64 at, __u32 bytes, __u32 done, __u64 begun, __u64 now)
{
	struct abi_inflight *entry;
	__u32 size = 0, nr, above = 0;

	bpf_core_read(&size, sizeof(size), &((const struct bio *)at)->bi_iter.bi_size);
	if (size > bytes)
		size = bytes;
	else
		done |= DONE_ALL;
	nr = inflight_find(at - anchor_address, true);
	entry = inflight_at(nr);
	if (!entry || ABI_COUNTER_DISK(entry->counter) != (done & 0xffff))
		above = handed_on(at, nr, done & 0xffff);
	if (above)
		handed_done(above, done, size, begun, now);
	else if (entry)
		inflight_part(entry, inflight_disk(entry), size, false, begun, now);
	else
		start_unseen(BPF_CORE_READ((const struct bio *)at, bi_flags), done, size, begun,
			     now);
	return bytes - size;
}

#define WALK_STEP 32

_always_ __u64 bio_next(__u64 at)
{
	bpf_core_read(&at, sizeof(at), &((const struct bio *)at)->bi_next);
	return at;
}

/* The bio so many places (WALK_STEP) behind another one; 0: there is none. */
__noinline __u64 bio_after(__u64 at)
{
	for (int i = 0; i < WALK_STEP && at; i++)
		at = bio_next(at);
	return at;
}

/* bio_done() for so many bios (WALK_STEP) that follow the one at a kernel address. */
__noinline __u32 bios_done_from(__u64 at, __u32 bytes, __u32 done, __u64 begun, __u64 now)
{
	for (int i = 0; i < WALK_STEP && bytes; i++) {
		at = bio_next(at);
		if (!at)
			break;
		bytes = bio_done(at, bytes, done, begun, now);
	}
	return bytes;
}

/*
 * The same for all that follow it. Two numbers cannot be returned: of a request with many bios each
 * step finds the place once more to go on from.
 */
__noinline int bios_done(__u64 at, __u32 bytes, __u32 done, __u64 begun, __u64 now)
{
	for (int i = 0; i < WALK / WALK_STEP && at; i++) {
		bytes = bios_done_from(at, bytes, done, begun, now);
		if (!bytes)
			return 0;
		at = bio_after(at);
	}
	if (at && bio_next(at))
		lose(ABI_LOST_WALK);
	return 0;
}

#endif
