/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files whose note (struct abi_inode) had to make room while they had dirty pages: who dirtied most
 * of each, in one number. Of a storm of small files that is all there is to know.
 */
#ifndef IOTOP_BPF_BLOCK_EVICTED_H
#define IOTOP_BPF_BLOCK_EVICTED_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/block/count.h"
#include "bpf/block/maps.h"

ARRAY(asides, 1, struct abi_aside_set);

const volatile __u32 aside_sets = 1;
volatile __u64 asides_taken;	/* places that were ever in use */

#define ASIDE_OWNER(entry) ((__u32)(entry))
#define ASIDE_PAGES(entry) ((__u32)((entry) >> 32) & ABI_ASIDE_PAGES)
#define ASIDE_SHARED (1ULL << 43)	/* others had dirtied it, too */
#define ASIDE_TAG(entry) ((entry) >> 44)

/*
 * What tells the file from others: its set by the upper half, the tag in the upper bits of the
 * lower one.
 */
_always_ __u64 aside_id(__u64 mapping, __u64 ino, __u32 gen, __u32 sdev)
{
	__u64 id = (mapping ^ ino << 32 ^ (__u64)gen << 12 ^ sdev) * 0x9e3779b97f4a7c15ULL;

	return (id ^ id >> 32) * 0xd6e8feb86659fd93ULL;
}

_always_ struct abi_aside_set *aside_set(__u64 id)
{
	__u32 place = (id >> 32) * aside_sets >> 32;

	return bpf_map_lookup_elem(&asides, &place);
}

_always_ __u64 aside_tag(__u64 id)
{
	return (__u32)id >> 12;
}

/*
 * In a set the oldest are in front. Takes the place of one that is free, else of one that was
 * written back, else of the oldest, which is lost. entry: without the tag.
 */
__noinline int aside_put(__u64 id, __u64 entry)
{
	struct abi_aside_set *set = aside_set(id);
	__u32 victim = ABI_ASIDE_WAYS;

	if (!set)
		return 0;
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_ASIDE_WAYS && victim == ABI_ASIDE_WAYS; i++)
		if (!set->way[i])
			victim = i;
	if (victim != ABI_ASIDE_WAYS)
		add(asides_taken, 1);
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_ASIDE_WAYS && victim == ABI_ASIDE_WAYS; i++)
		if (!ASIDE_PAGES(set->way[i]))
			victim = i;
	if (victim == ABI_ASIDE_WAYS) {
		victim = 0;
		lose(ABI_LOST_INODES);
	}
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_ASIDE_WAYS - 1; i++)
		if (i >= victim)
			set->way[i] = set->way[i + 1];
	set->way[ABI_ASIDE_WAYS - 1] = entry | aside_tag(id) << 44;
	return 0;
}

/*
 * The place of a file, and what is there, read once: others may write to it meanwhile. NULL: it has
 * none.
 */
_always_ __u64 *aside_find(__u64 id, __u64 *ret_is)
{
	struct abi_aside_set *set = aside_set(id);

	if (!set)
		return NULL;
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_ASIDE_WAYS; i++) {
		*ret_is = set->way[i];
		if (*ret_is && ASIDE_TAG(*ret_is) == aside_tag(id))
			return &set->way[i];
	}
	return NULL;
}

/* What is known of the file, 0: nothing. So many of its pages are written. */
__noinline __u64 aside_written(__u64 id, __u32 pages)
{
	__u64 is, *way = aside_find(id, &is);
	__u32 has;

	if (!way)
		return 0;
	has = ASIDE_PAGES(is);
	/* It may be more than fit in here: then it is never all. */
	if (has != ABI_ASIDE_PAGES && pages)
		*way = is - ((__u64)(pages < has ? pages : has) << 32);
	return is;
}

/* The same of a file that gets a note again. */
__noinline __u64 aside_take(__u64 id)
{
	__u64 is, *way = aside_find(id, &is);

	if (!way)
		return 0;
	*way = 0;
	add(asides_taken, -1);
	return is;
}

#endif
