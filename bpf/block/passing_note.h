/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is passed on is noted when it is queued at a stacked disk, and taken off below. */
#ifndef IOTOP_BPF_BLOCK_PASSING_NOTE_H
#define IOTOP_BPF_BLOCK_PASSING_NOTE_H

#include "bpf/abi.h"
#include "bpf/block/copied.h"
#include "bpf/block/count.h"
#include "bpf/block/inflight.h"
#include "bpf/common/cast.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/passing.h"

/* So many are kept, while others are added by other CPUs. */
#define PASSING_FULL (PASSING_ROOM - 64)
#define PASSING_STEP 8
#define PASSING_SHIFT 32

/* Leaves out the first one when it has ended, or all is in use. False: no other one then. */
__noinline int passing_shift_first(void)
{
	__u32 first = PASSING_FIRST, place = first & (PASSING_ROOM - 1);
	struct passing *p = bpf_map_lookup_elem(&passing, &place);
	struct abi_inflight *entry = p ? inflight_at(p->nr) : NULL;
	__u64 differs;

	/* Another CPU is about to fill it. */
	if (!p || !entry)
		return false;
	differs = (entry->bio ^ p->bio) | (entry->start_ns ^ p->start_ns);
	if (!differs && PASSING_NEXT - first < PASSING_FULL)
		return false;
	PASSING_FIRST = first + 1;
	if (!differs)
		lose(ABI_LOST_PASSING);
	return differs != 0;
}

/* Leaves out what has ended; makes room by force when all is in use. */
__noinline int passing_shift(void)
{
#pragma clang loop unroll(disable)
	for (int i = 0; i < PASSING_SHIFT && PASSING_FIRST != PASSING_NEXT; i++)
		if (!passing_shift_first())
			break;
	return 0;
}

/* The page with which a bio begins, by loads alone; NULL: it is read later. */
_always_ const struct page *passing_page_now(const struct bio *bio)
{
	__u64 vec = kernel_address(address(bio->bi_io_vec)) +
		    (__u64)bio->bi_iter.bi_idx * bpf_core_type_size(struct bio_vec);

	return has_cast ? UNTRUSTED(bio_vec, vec)->bv_page : NULL;
}

/*
 * A bio that was charged to an owner and has an inflight entry of this number at a stacked disk.
 * pos: where the disk begins in what lies below, bytes. Vector and page go through the map: a
 * pointer that was written there is a number when it is read again.
 */
_always_ void passing_add(const struct bio *bio, __u64 key_owner, __u32 bytes, __u64 pos,
			  __u32 nr, const struct page *page)
{
	struct abi_inflight *entry = inflight_at(nr);
	__u32 place = PASSING_NEXT, *at;
	volatile struct passing *p;

	if (!entry)
		return;
	if (!(place % PASSING_STEP) || place - PASSING_FIRST >= PASSING_FULL)
		passing_shift();
	place = PASSING_NEXT;
	add(PASSING_NEXT, 1);
	place &= PASSING_ROOM - 1;
	p = bpf_map_lookup_elem(&passing, &place);
	if (!p)
		return;
	p->bio = 0;
	p->vec = (__u64)bio->bi_io_vec;
	p->page = has_cast ? (__u64)page : passing_page(kernel_address(address(bio)), p->vec);
	p->pos = pos == PASSING_NOWHERE ? pos : (bio->bi_iter.bi_sector << 9) + pos;
	p->start_ns = entry->start_ns;
	p->owner = (__u32)key_owner;
	p->size = bytes;
	p->done[0] = p->done[1] = 0;
	p->key = key_owner >> 32;
	p->nr = nr;
	p->bio = entry->bio;
	at = passing_index_of(p->vec);
	if (at)
		*at = place;
	at = passing_index_of(p->page);
	if (at)
		*at = place;
	/* Another CPU took the same place. */
	if (p->nr != nr)
		lose(ABI_LOST_PASSING);
}

/* A bio (its address) was queued at a disk that lies below others: what it is for is done. */
__noinline int passing_below(__u64 bio, __u32 key, __u32 bytes, __u32 owner)
{
	__u32 above;

	/* What a thread of the kernel did was taken off when it was charged. */
	if (BPF_CORE_READ((const struct task_struct *)bpf_get_current_task(), flags) &
	    KERNEL_PF_KTHREAD)
		return 0;
	above = passing_lead(bio);
	if (above == PASSING_NONE) {
		above = passing_next_in_turn(key, owner, 0, 0);
		if (PASSING_OP(key) == ABI_READ && disk_copies(PASSING_QUEUE(key)))
			copied_note(bio, owner);
	}
	passing_done(above, key, bytes, true);
	return 0;
}

/*
 * A bio was queued at a disk that lies on others, or others on it; nr: of its inflight entry;
 * page: of passing_page_now(). Not inlined: the stack that it takes is not there for what charges.
 */
_rarely_ int passing_note(const struct bio *bio, __u32 charged, __u32 bytes, __u32 nr,
			  const struct page *page)
{
	__u32 of = ABI_COUNTER_DISK(charged), place = ABI_COUNTER_PLACE(charged), owner, what;
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &of);
	struct abi_counter *counter = bpf_map_lookup_elem(&counters, &place);
	bool meta = bio->bi_opf & KERNEL_REQ_META;

	if (!disk || !counter || !bytes)
		return 0;
	owner = counter->key.owner ? counter->key.owner : ABI_UNATTRIBUTED;
	what = place < ABI_COUNTER_FIRST ? place % ABI_OPS
					 : counter->key.op | counter->key.how << 8;
	if (disk->above)
		passing_below(kernel_address(address(bio)),
			      PASSING(disk->above, what & 0xff, meta), bytes, owner);
	if (disk->below) {
		__u32 mapped = disk->flags & ABI_DISK_MAPPED ? PASSING_MAPPED : 0;

		passing_add(bio,
			    (__u64)(PASSING(disk->below, what, meta) | mapped) << 32 | owner, bytes,
			    mapped || disk->dev >> 20 == KERNEL_LOOP_MAJOR ? disk->offset
									   : PASSING_NOWHERE,
			    nr, page);
	}
	return 0;
}

#endif
