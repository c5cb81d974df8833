/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * I/O at stacked disks (loop, dm, md), in the order in which it came: whose is what their drivers'
 * threads do at the disks below. A bio below that has the pages of one above is for its owner. What
 * has pages of the driver's own (encrypted data, parity, copies) is for the first one above of
 * which least was done below, by bytes: where the driver does each byte once all have what is
 * theirs, where it does more they share that. Only what is in flight above counts.
 */
#ifndef IOTOP_BPF_BLOCK_PASSING_H
#define IOTOP_BPF_BLOCK_PASSING_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/block/inflight.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

/* What a bio is compared by: packed, as five registers pass it. */
#define PASSING(queue, what, meta) ((__u32)(queue) | (what) << 16 | (__u32)!!(meta) << 31)
#define PASSING_QUEUE(key) ((key) & 0xffff)
#define PASSING_OP(key) ((key) >> 16 & 0xff)
#define PASSING_HOW(key) ((key) >> 24 & 0x7f)

/* The owner, and above it how sure that is and whether the pages are the same; 0: nobody's. */
#define PASSED(owner, how, same) ((__u64)(owner) | (__u64)(how) << 32 | (__u64)(same) << 40)
#define PASSED_OWNER(is) ((__u32)(is))
#define PASSED_HOW(is) ((__u32)((is) >> 32) & 0xff)
#define PASSED_SAME(is) ((is) >> 40)

/* Scores below it: the same pages, or the same place. */
#define PASSING_LEADS 4
#define PASSING_NONE ~0u

/* The vector of a bio (kernel address), which its clones share; 0: none. */
_always_ __u64 passing_vec(__u64 bio)
{
	return (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec);
}

/* The page with which a bio begins, 0: none. */
_always_ __u64 passing_page(__u64 bio)
{
	__u64 vec = passing_vec(bio);
	__u32 at = BPF_CORE_READ((const struct bio *)bio, bi_iter.bi_idx);

	vec += (__u64)at * bpf_core_type_size(struct bio_vec);
	return (__u64)BPF_CORE_READ((const struct bio_vec *)vec, bv_page);
}

/* What of it was done below, in units of what it was above. */
_always_ __u32 passing_rounds(const struct passing *p, bool write)
{
	__u32 rounds = p->size ? p->done[write] / p->size : 0;

	return rounds < 0xffff ? rounds : 0xffff;
}

/*
 * Lower is better. A driver reads for writers, too: to compute parity, to copy a block. vec: the
 * address of a vector, page: that of a page. A vec below 4 GiB: so many bytes from page on, a place
 * on the disk.
 */
_always_ __u32 passing_score(const struct passing *p, __u32 key, __u64 vec, __u64 page,
			     __u32 owner)
{
	__u32 op = PASSING_OP(key), of = PASSING_OP(p->key), rounds, score;
	bool here = PASSING_QUEUE(key) == PASSING_QUEUE(p->key);

	if (vec >> 32) {
		if (vec == p->vec)
			return !here;
		if (op == of && page && page == p->page)
			return 2 + !here;
	}
	if (!here || !PASSING_QUEUE(key) || (owner && p->owner != owner))
		return PASSING_NONE;
	if (op == of && vec && !(vec >> 32) && page < p->pos + p->size && p->pos < page + vec)
		return 0;
	rounds = passing_rounds(p, op != ABI_READ);
	if (op == of)
		score = op == ABI_READ && rounds ? 2 << 16 | rounds : rounds;
	else if (op == ABI_READ ? of == ABI_WRITE : of != ABI_READ)
		score = 1 << 16 | rounds;
	else
		return PASSING_NONE;
	if ((key ^ p->key) >> 31)
		score |= 1 << 20;
	return score + PASSING_LEADS;
}

_always_ bool passing_is_in_flight(const struct passing *p)
{
	struct abi_inflight *entry = inflight_at(inflight_find(p->bio, false));

	return entry && entry->start_ns == p->start_ns;
}

/*
 * The better one of a place, above it its score, and another place; as a global function, so that
 * the loop below is one path.
 */
__noinline __u64 passing_better(__u64 best, __u32 place, __u64 vec, __u64 page, __u64 key_owner)
{
	struct passing *p = bpf_map_lookup_elem(&passing, &place);
	__u32 score;

	if (!p)
		return best;
	score = passing_score(p, key_owner >> 32, vec, page, (__u32)key_owner);
	if (score >= best >> 32 || !passing_is_in_flight(p))
		return best;
	return (__u64)score << 32 | place;
}

/* The place that fits best, and above it its score. */
__noinline __u64 passing_find(__u64 vec, __u64 page, __u64 key_owner)
{
	__u64 best = (__u64)PASSING_NONE << 32 | PASSING_NONE;
	__u32 at = passing_first, next = passing_next;

	for (__u32 i = 0; i < PASSING_ROOM && at != next && best >> 32; i++, at++)
		best = passing_better(best, at & (PASSING_ROOM - 1), vec, page, key_owner);
	return best;
}

#define PASSING_WORDS 8

/*
 * The same for a bio with pages of the driver's own. It leads to what the driver knows of it, and
 * there, among the first words, is often the bio that it is for (dm-crypt, RAID 1 and 10).
 */
__noinline __u64 passing_find_behind(__u64 bio, __u64 key_owner)
{
	__u64 at = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_private), behind = 0;

	for (int i = 0; at && i < PASSING_WORDS; i++, at += 8) {
		__u64 vec, found;

		bpf_probe_read_kernel(&behind, sizeof(behind), (const void *)at);
		vec = behind >> 63 ? passing_vec(behind) : 0;
		found = vec >> 63 ? passing_find(vec, 0, key_owner) : ~0ULL;
		if (found >> 32 < PASSING_LEADS)
			return found;
	}
	return ~0ULL;
}

/* Takes bytes of I/O below off what is above at a place that was found, as PASSED(). */
__noinline __u64 passing_done(__u64 found, __u32 key, __u32 bytes)
{
	__u32 place = (__u32)found, score = found >> 32;
	struct passing *p = bpf_map_lookup_elem(&passing, &place);

	if (!p || score == PASSING_NONE)
		return 0;
	add(p->done[PASSING_OP(key) != ABI_READ], bytes);
	return score < PASSING_LEADS ? PASSED(p->owner, PASSING_HOW(p->key), true)
				     : PASSED(p->owner, ABI_DEVICE, false);
}

/*
 * Who a bio below is for; owner: one who is known already, PASSING_NONE: only if it has the pages
 * of one above.
 */
_always_ __u64 passing_take(__u64 bio, __u32 key, __u32 bytes, __u32 owner)
{
	__u64 key_owner = (__u64)key << 32 | owner,
	      found = passing_find(passing_vec(bio), passing_page(bio), key_owner);

	if (found >> 32 >= PASSING_LEADS && PASSING_QUEUE(key) && owner == PASSING_NONE) {
		__u64 behind = passing_find_behind(bio, key_owner);

		found = behind >> 32 < PASSING_LEADS ? behind : found;
	}
	return passing_done(found, key, bytes);
}

/* Who does I/O at this place of a disk: so many bytes, by the thread of its driver. */
__noinline __u64 passing_at(__u64 pos, __u32 key, __u32 bytes)
{
	return passing_done(passing_find(bytes, pos, (__u64)key << 32), key, bytes);
}

_always_ bool passing_any(void)
{
	return passing_first != passing_next;
}

/* Leaves out what has ended; makes room by force when all is in use. */
_always_ void passing_shift(void)
{
#pragma clang loop unroll(disable)
	for (int i = 0; i < 8 && passing_first != passing_next; i++) {
		__u32 first = passing_first, place = first & (PASSING_ROOM - 1);
		struct passing *p = bpf_map_lookup_elem(&passing, &place);

		if (!p)
			return;
		if (passing_is_in_flight(p)) {
			if (passing_next - first < PASSING_ROOM)
				return;
			lose(ABI_LOST_PASSING);
		}
		passing_first = first + 1;
	}
}

/* A bio (as a distance) that was charged to an owner and noted as in flight at a stacked disk. */
_always_ void passing_add(__u64 bio, __u32 key, __u32 bytes, __u32 owner, __u64 start,
			  __u64 offset)
{
	__u32 place;
	struct passing *p;
	__u64 vec, page, pos;

	passing_shift();
	vec = passing_vec(kernel_address(bio));
	page = passing_page(kernel_address(bio));
	pos = BPF_CORE_READ((const struct bio *)kernel_address(bio), bi_iter.bi_sector) << 9;
	place = passing_next;
	add(passing_next, 1);
	place &= PASSING_ROOM - 1;
	p = bpf_map_lookup_elem(&passing, &place);
	if (!p)
		return;
	p->bio = 0;
	p->vec = vec;
	p->page = page;
	p->pos = pos + offset;
	p->start_ns = start;
	p->owner = owner;
	p->size = bytes;
	p->done[0] = p->done[1] = 0;
	p->key = key;
	p->bio = bio;
	/* Another CPU took the same place. */
	if (((volatile struct passing *)p)->bio != bio)
		lose(ABI_LOST_PASSING);
}

/*
 * A bio (as a distance) that is in flight now at a disk that others lie on, or that lies on others,
 * by its counter.
 */
__noinline int passing_note(__u64 bio, __u32 counter_and_disk, __u32 bytes, __u64 start)
{
	__u32 of = ABI_COUNTER_DISK(counter_and_disk), place = ABI_COUNTER_PLACE(counter_and_disk), owner,
	      what;
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &of);
	struct abi_counter *counter = bpf_map_lookup_elem(&counters, &place);
	bool meta = BPF_CORE_READ((const struct bio *)kernel_address(bio), bi_opf) &
		    KERNEL_REQ_META;

	if (!disk || !counter || !bytes)
		return 0;
	owner = counter->key.owner ? counter->key.owner : ABI_UNATTRIBUTED;
	what = place < ABI_COUNTER_FIRST ? place % ABI_OPS
					 : counter->key.op | counter->key.how << 8;
	/* What a thread of the kernel did was taken off when it was charged. */
	if (disk->above && !(BPF_CORE_READ((const struct task_struct *)bpf_get_current_task(),
					   flags) &
			     KERNEL_PF_KTHREAD))
		passing_take(kernel_address(bio), PASSING(disk->above, what & 0xff, meta), bytes,
			     owner);
	if (disk->below)
		passing_add(bio, PASSING(disk->below, what, meta), bytes, owner, start,
			    disk->offset);
	return 0;
}

#endif
