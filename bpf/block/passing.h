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
#include "bpf/block/lower.h"
#include "bpf/common/cast.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

/* What a bio is compared by: packed, as five registers pass it. */
#define PASSING(queue, what, meta) ((__u32)(queue) | (what) << 16 | (__u32)!!(meta) << 31)
#define PASSING_QUEUE(key) ((key) & 0xffff)
#define PASSING_OP(key) ((key) >> 16 & 0x7f)
#define PASSING_MAPPED (1u << 23)	/* of device mapper: a bio for a reader leads to his */
#define PASSING_HOW(key) ((key) >> 24 & 0x7f)

/* The owner, and above it how sure that is; 0: nobody's. */
#define PASSED(owner, how) ((__u64)(owner) | (__u64)(how) << 32)
#define PASSED_OWNER(is) ((__u32)(is))
#define PASSED_HOW(is) ((__u32)((is) >> 32))

/* Where there is nothing. */
#define PASSING_NONE ~0u
/* The place of what does not lie on the disk below where it lies on the one above: none. */
#define PASSING_NOWHERE (1ull << 62)

/* The vector of a bio (kernel address), which its clones share; 0: none. */
_always_ __u64 passing_vec(__u64 bio)
{
	return (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec);
}

/* Where on the disk a bio begins, bytes. */
_always_ __u64 bio_pos(__u64 bio)
{
	return BPF_CORE_READ((const struct bio *)bio, bi_iter.bi_sector) << 9;
}

/* The page with which a bio of this vector begins, 0: none. */
_always_ __u64 passing_page(__u64 bio, __u64 vec)
{
	__u32 at = BPF_CORE_READ((const struct bio *)bio, bi_iter.bi_idx);

	vec += (__u64)at * bpf_core_type_size(struct bio_vec);
	return (__u64)BPF_CORE_READ((const struct bio_vec *)vec, bv_page);
}

_always_ bool passing_is_in_flight(const struct passing *p)
{
	struct abi_inflight *entry = inflight_at(p->nr);

	return entry && p->bio && entry->bio == p->bio && entry->start_ns == p->start_ns;
}

_always_ __u32 *passing_index_of(__u64 address)
{
	__u32 at = ABI_INFLIGHT_SET(address) & (PASSING_INDEX - 1);

	return bpf_map_lookup_elem(&passing_index, &at);
}

/* The place of what is in flight with this vector or page, or PASSING_NONE. */
__noinline __u32 passing_with(__u64 address)
{
	__u32 *place = address >> 63 ? passing_index_of(address) : NULL;
	struct passing *p = place ? bpf_map_lookup_elem(&passing, place) : NULL;

	return p && (p->vec == address || p->page == address) && passing_is_in_flight(p)
		       ? *place & (PASSING_ROOM - 1)
		       : PASSING_NONE;
}

/* The same, of what is kept under this number (`above' of the disk below); 0: it is not known. */
__noinline __u32 passing_above(__u64 address, __u32 above)
{
	__u32 place = passing_with(address);
	struct passing *p = bpf_map_lookup_elem(&passing, &place);

	return p && (!above || above == PASSING_QUEUE(p->key)) ? place : PASSING_NONE;
}

#define PASSING_WORDS 8

/*
 * The place of what one of the bios is for that these words are the addresses of. They may be
 * anything: what is not above is none of them.
 */
__noinline __u32 passing_among(__u64 words, __u32 above)
{
	__u32 place = PASSING_NONE;
	__u64 bio = 0;

	for (int i = 0; i < PASSING_WORDS && words >> 63 && place == PASSING_NONE; i++) {
		bpf_probe_read_kernel(&bio, sizeof(bio), (const void *)words);
		if (bio >> 63)
			place = passing_above(passing_vec(bio), above);
		words += 8;
	}
	return place;
}

/* Bytes of a struct stripe_head (drivers/md/raid5.h) with all the disks that it can have. */
#define STRIPE_HEAD_MOST (128u << 10)

/*
 * The place of what a bio below is for, or PASSING_NONE. A bio with pages of the driver's own leads
 * to what the driver knows of it, and there, among the first words, is often the bio that it is for
 * (dm-crypt, RAID 1 and 10). RAID 5 has it behind two bios and their vectors, all of them inside of
 * what it knows.
 */
__noinline __u32 passing_lead(__u64 bio)
{
	__u64 vec = passing_vec(bio), private;
	__u32 place = passing_with(vec), above;
	struct abi_disk *disk;

	if (place == PASSING_NONE)
		place = passing_with(passing_page(bio, vec));
	if (place != PASSING_NONE)
		return place;
	place = disk_find((__u64)bio_gendisk((const struct bio *)bio));
	disk = bpf_map_lookup_elem(&disks, &place);
	above = disk ? disk->above : 0;
	if (!above && slaves_are_known() && !slaves_left)
		return PASSING_NONE;
	private = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_private);
	place = passing_among(private, above);
	if (place == PASSING_NONE && bio - private < STRIPE_HEAD_MOST)
		place = passing_among(bio + 2 * bpf_core_type_size(struct bio) +
					      2 * bpf_core_type_size(struct bio_vec),
				      above);
	return place;
}

/* What of it was done below, in units of what it was above. */
_always_ __u32 passing_rounds(const struct passing *p, bool write)
{
	__u32 rounds = p->size ? p->done[write] / p->size : 0;

	return rounds < 0xffff ? rounds : 0xffff;
}

/* What is at the same place of the disk as what is looked for, and what it may be copied for. */
enum { PASSING_SAME, PASSING_COPIED, PASSING_ELSEWHERE };

/* A score, with the number of rounds below: these come after all without, the last ones last. */
enum {
	PASSING_OF_OTHER_KIND = 1 << 16,
	PASSING_READ_ALREADY = 2 << 16,
	PASSING_WRITTEN = 4 << 16,
	PASSING_META = 1 << 20,
};

/*
 * Lower is better. A driver reads for writers, too: to compute parity, to copy a block; then what
 * they write is not written yet. bytes from pos on: where on the disk it does so.
 */
_always_ __u32 passing_score(const struct passing *p, __u32 key, __u32 owner, __u64 pos,
			     __u32 bytes)
{
	__u32 op = PASSING_OP(key), of = PASSING_OP(p->key), rounds, score;
	bool same = pos < p->pos + p->size && p->pos < pos + bytes;

	if (PASSING_QUEUE(key) != PASSING_QUEUE(p->key) || (owner && p->owner != owner))
		return PASSING_NONE;
	if (same && op == of)
		return PASSING_SAME;
	if (same && op == ABI_READ && of == ABI_WRITE)
		return PASSING_COPIED;
	rounds = passing_rounds(p, op != ABI_READ);
	if (op == of)
		score = op == ABI_READ && (rounds || p->key & PASSING_MAPPED)
				? PASSING_READ_ALREADY | rounds
				: rounds;
	else if (op == ABI_READ ? of == ABI_WRITE : of != ABI_READ)
		score = PASSING_OF_OTHER_KIND | rounds;
	else
		return PASSING_NONE;
	if (op == ABI_READ && of == ABI_WRITE && passing_rounds(p, true))
		score |= PASSING_WRITTEN;
	if ((key ^ p->key) >> 31)
		score |= PASSING_META;
	return score + PASSING_ELSEWHERE;
}

/*
 * The better one of a place, above it its score, and another place; as a global function, so that
 * the loop below is one path.
 */
__noinline __u64 passing_better(__u64 best, __u32 place, __u64 key_owner, __u64 pos, __u32 bytes)
{
	struct passing *p = bpf_map_lookup_elem(&passing, &place);
	__u32 score;

	if (!p)
		return best;
	score = passing_score(p, key_owner >> 32, (__u32)key_owner, pos, bytes);
	if (score >= best >> 32 || !passing_is_in_flight(p))
		return best;
	return (__u64)score << 32 | place;
}

/* Whether a better one can be found. bytes 0: the place on the disk is not known. */
_always_ bool passing_better_may_be(__u64 best, __u32 bytes)
{
	return best >> 32 > (bytes ? PASSING_SAME : PASSING_ELSEWHERE);
}

#define SEARCH_STEP 16

/* The same for the places from one on, as far as they are in use (SEARCH_STEP). */
__noinline __u64 passing_best_from(__u64 best, __u32 at, __u64 key_owner, __u64 pos, __u32 bytes)
{
	__u32 next = PASSING_NEXT;

	for (__u32 i = 0; i < SEARCH_STEP && at != next && passing_better_may_be(best, bytes);
	     i++, at++)
		best = passing_better(best, at & (PASSING_ROOM - 1), key_owner, pos, bytes);
	return best;
}

/* The same for some times as many. */
__noinline __u64 passing_best_of(__u64 best, __u32 at, __u64 key_owner, __u64 pos, __u32 bytes)
{
	__u32 next = PASSING_NEXT;

	for (__u32 i = 0; i < SEARCH_STEP && (__s32)(next - at) > 0 &&
			  passing_better_may_be(best, bytes);
	     i++, at += SEARCH_STEP)
		best = passing_best_from(best, at, key_owner, pos, bytes);
	return best;
}

/*
 * The place that fits best, or PASSING_NONE. owner: of nobody else, 0: of anybody. bytes 0: pos is
 * not known.
 */
__noinline __u32 passing_next_in_turn(__u32 key, __u32 owner, __u64 pos, __u32 bytes)
{
	__u64 best = (__u64)PASSING_NONE << 32 | PASSING_NONE;
	__u32 at = PASSING_FIRST, next = PASSING_NEXT;

	for (__u32 i = 0; i < PASSING_ROOM / (SEARCH_STEP * SEARCH_STEP) &&
			  (__s32)(next - at) > 0 && passing_better_may_be(best, bytes);
	     i++, at += SEARCH_STEP * SEARCH_STEP)
		best = passing_best_of(best, at, (__u64)key << 32 | owner, pos, bytes);
	return best;
}

/* Takes bytes of I/O below off what is above at a place; whose it is, as PASSED(). */
__noinline __u64 passing_done(__u32 place, __u32 key, __u32 bytes, bool same)
{
	struct passing *p = bpf_map_lookup_elem(&passing, &place);

	if (!p)
		return 0;
	add(p->done[PASSING_OP(key) != ABI_READ], bytes);
	return PASSED(p->owner, same ? PASSING_HOW(p->key) : ABI_DEVICE);
}

_always_ __u32 passing_loop_key(__u32 place, __u32 op)
{
	struct abi_disk *loop = bpf_map_lookup_elem(&disks, &place);

	return PASSING(loop ? loop->below : 0, op, 0);
}

/*
 * Whose is what the thread of a loop device does with the pages of the device's file;
 * ABI_UNATTRIBUTED: not known.
 */
_always_ __u32 passing_loop_owner(__u32 place, __u32 op, __u64 page, __u32 bytes)
{
	__u64 pos = page_index(page_head(page)) << page_shift;
	__u32 key = passing_loop_key(place, op),
	      owner = PASSED_OWNER(passing_done(passing_next_in_turn(key, 0, pos, bytes), key,
						bytes, false));

	return owner ? owner : ABI_UNATTRIBUTED;
}

/* The same of what it writes to bytes of the file of which it was told already. */
_always_ __u32 passing_loop_writer(__u32 place, __u64 pos, __u32 bytes)
{
	__u32 key = passing_loop_key(place, ABI_WRITE),
	      at = passing_next_in_turn(key, 0, pos, bytes);
	struct passing *p = bpf_map_lookup_elem(&passing, &at);

	return p ? p->owner : ABI_UNATTRIBUTED;
}

_always_ bool passing_any(void)
{
	return PASSING_FIRST != PASSING_NEXT;
}

#endif
