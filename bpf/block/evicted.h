/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files whose entry (struct abi_inode) was evicted while they had dirty pages: of each the owner,
 * in one number. For a storm of small files this is all that is known.
 */
#ifndef IOTOP_BPF_BLOCK_EVICTED_H
#define IOTOP_BPF_BLOCK_EVICTED_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/block/count.h"
#include "bpf/block/maps.h"

ARRAY(evicted, 1, struct abi_evicted_set);

const volatile __u32 evicted_sets = 1;
volatile __u64 evicted_taken;	/* entries in use */

#define EVICTED_REF(entry) ((__u32)(entry))
#define EVICTED_PAGES(entry) ((__u32)((entry) >> 32) & ABI_EVICTED_PAGES)
#define EVICTED_TAG(entry) ((entry) >> 44)

/* A hash of the file: the upper half selects the set, upper bits of the lower half are the tag. */
_always_ __u64 evicted_id(__u64 mapping, __u64 ino, __u32 gen, __u32 sdev)
{
	__u64 id = (mapping ^ ino << 32 ^ (__u64)gen << 12 ^ sdev) * 0x9e3779b97f4a7c15ULL;

	return (id ^ id >> 32) * 0xd6e8feb86659fd93ULL;
}

_always_ struct abi_evicted_set *evicted_set(__u64 id)
{
	__u32 place = (id >> 32) * evicted_sets >> 32;

	return bpf_map_lookup_elem(&evicted, &place);
}

_always_ __u64 evicted_tag(__u64 id)
{
	return (__u32)id >> 12;
}

/*
 * Adds an entry (without tag) to its set, where the oldest is first. It replaces a free one, else
 * one that was written back, else the oldest, whose owner is lost.
 */
__noinline int evicted_put(__u64 id, __u64 entry)
{
	struct abi_evicted_set *set = evicted_set(id);
	__u64 best = 0;
	__u32 victim;

	if (!set)
		return 0;
	/* The free ones, then those without pages, then all; of each the first. */
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_EVICTED_WAYS; i++)
		best = larger_of(best, is_zero(set->way[i]) << 17 |
					       is_zero(EVICTED_PAGES(set->way[i])) << 16 |
					       (ABI_EVICTED_WAYS - i));
	victim = ABI_EVICTED_WAYS - (__u32)(best & 0xff);
	if (best >> 17)
		add(evicted_taken, 1);
	else if (!(best >> 16))
		lose(ABI_LOST_INODES);
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_EVICTED_WAYS - 1; i++)
		if (i >= victim)
			set->way[i] = set->way[i + 1];
	set->way[ABI_EVICTED_WAYS - 1] = entry | evicted_tag(id) << 44;
	return 0;
}

/* The entry of a file, and its value read once, since other CPUs write to it. NULL: it has none. */
_always_ __u64 *evicted_find(__u64 id, __u64 *ret_is)
{
	struct abi_evicted_set *set = evicted_set(id);

	if (!set)
		return NULL;
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_EVICTED_WAYS; i++) {
		*ret_is = set->way[i];
		if (*ret_is && EVICTED_TAG(*ret_is) == evicted_tag(id))
			return &set->way[i];
	}
	return NULL;
}

/* The entry of a file of which so many pages are written now; 0: none. */
__noinline __u64 evicted_written(__u64 id, __u32 pages)
{
	__u64 is, *way = evicted_find(id, &is);
	__u32 has;

	if (!way)
		return 0;
	has = EVICTED_PAGES(is);
	/* A saturated count may stand for more pages: it is not decremented. */
	if (has != ABI_EVICTED_PAGES && pages)
		*way = is - ((__u64)(pages < has ? pages : has) << 32);
	return is;
}

/* Removes and returns the entry of a file that gets an inode entry again; 0: none. */
__noinline __u64 evicted_take(__u64 id)
{
	__u64 is, *way = evicted_find(id, &is);

	if (!way)
		return 0;
	*way = 0;
	add(evicted_taken, -1);
	return is;
}

#endif
