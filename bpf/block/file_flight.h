/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bios in flight, for the latency of files: which file each is of. A set-associative cache by the
 * address of the bio, as that of the block programs; what makes room has no latency.
 */
#ifndef IOTOP_BPF_BLOCK_FILE_FLIGHT_H
#define IOTOP_BPF_BLOCK_FILE_FLIGHT_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/block_anchor.h"
#include "bpf/common/block_times.h"
#include "bpf/common/kernel.h"

/* A bio in flight: where its latency is counted. */
struct file_flight {
	__u64 bio;	/* address, 0: free */
	__u64 start;	/* of bio_started() */
	struct abi_file_key key;
	__u32 left;	/* bytes */
	__u32 spare;
};

struct file_flight_set {
	struct file_flight way[ABI_WAYS];
};

ARRAY(file_flights, 1, struct file_flight_set);	/* block_inflight_sets of them */

_always_ __u32 flight_oldest(const struct file_flight_set *set)
{
	__u32 oldest = 0;

	/* Those that begin with their request are taken as older than all others. */
	for (__u32 i = 1; i < ABI_WAYS; i++)
		if ((set->way[i].start ^ ABI_INFLIGHT_UNTIMED) <
		    (set->way[oldest % ABI_WAYS].start ^ ABI_INFLIGHT_UNTIMED))
			oldest = i;
	return oldest;
}

/* The way for a bio: that of the same bio before, a free one, the oldest. */
_always_ __u32 flight_way(const struct file_flight_set *set, __u64 bio)
{
	for (__u32 i = 0; i < ABI_WAYS; i++)
		if (set->way[i].bio == bio)
			return i;
	for (__u32 i = 0; i < ABI_WAYS; i++)
		if (!set->way[i].bio)
			return i;
	return flight_oldest(set);
}

_always_ struct file_flight_set *flight_set(__u64 bio)
{
	__u32 place = ABI_INFLIGHT_SET(bio) & (block_inflight_sets - 1);

	return bpf_map_lookup_elem(&file_flights, &place);
}

_always_ void flight_begin(__u64 bio, const struct abi_file_key *key)
{
	struct file_flight_set *set = flight_set(bio);
	struct file_flight *f;

	if (!set)
		return;
	f = &set->way[flight_way(set, bio) % ABI_WAYS];
	f->bio = 0;
	f->start = bio_started(bio, held_before(bio));
	f->key = *key;
	f->left = BPF_CORE_READ((const struct bio *)bio, bi_iter.bi_size);
	f->bio = bio;
}

_always_ struct file_flight *flight_find(__u64 bio)
{
	struct file_flight_set *set = flight_set(bio);

	for (int i = 0; set && i < ABI_WAYS; i++)
		if (set->way[i].bio == bio)
			return &set->way[i];
	return NULL;
}

#endif
