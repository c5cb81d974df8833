/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * I/O by disk, process and path: the stacks of whoever submits a bio, taken where it is queued. A
 * note of it waits for the completion, for the latency.
 */
#include "bpf/abi.h"
#include "bpf/common/argument.h"
#include "bpf/common/array.h"
#include "bpf/common/block_anchor.h"
#include "bpf/common/block_times.h"
#include "bpf/common/cast.h"
#include "bpf/common/orc.h"
#include "bpf/common/kernel.h"
#include "bpf/common/op.h"
#include "bpf/common/pid.h"
#include "bpf/common/stack.h"
#include "bpf/common/user_stack.h"

char LICENSE[] SEC("license") = "GPL";

HASH_MAP(stackios, 1, struct abi_stackio_key, struct abi_stackio);

/* Without stacks and process, for what finds no room above: the sums stay complete. */
HASH_MAP(stackios_rest, 1024, struct abi_stackio_key, struct abi_stackio);

/* A bio between submission and completion. */
struct entry {
	struct abi_stackio_key key;
	__u64 bio;	/* address, 0: free */
	__u64 start_ns;	/* of bio_started() */
	__u32 bytes, spare;
};

#define INFLIGHT_SETS 8192

struct inflight_set {
	struct entry way[ABI_WAYS];
};

/* By address. An array with a few ways is much cheaper than an LRU hash. */
ARRAY(inflight, INFLIGHT_SETS, struct inflight_set);

const volatile bool has_attribution;
volatile bool attribution_ended;	/* the block programs are not at work any more */

volatile __u64 counters_full;	/* I/Os charged to stackios_rest */
volatile __u64 latencies_lost;	/* I/Os whose end will not be known: another took their place */

_always_ struct inflight_set *inflight_set(__u64 bio)
{
	__u32 place = ABI_INFLIGHT_SET(bio) & (INFLIGHT_SETS - 1);

	return bpf_map_lookup_elem(&inflight, &place);
}

_always_ struct entry *inflight_find(__u64 bio)
{
	struct inflight_set *set = inflight_set(bio);

	for (int i = 0; set && i < ABI_WAYS; i++)
		if (set->way[i].bio == bio)
			return &set->way[i];
	return NULL;
}

/*
 * The way for a new entry: the old one of the same bio, a free one, the oldest. Each CPU begins at
 * another way.
 */
_always_ struct entry *inflight_way(struct inflight_set *set, __u64 bio, __u32 cpu)
{
	__u32 first = cpu % ABI_WAYS, way = ABI_WAYS, oldest = 0;

	if (!set->way[first].bio)
		way = first;
	for (__u32 i = 0; i < ABI_WAYS; i++) {
		if (set->way[i].bio == bio) {
			/* Its end was not seen. */
			add(latencies_lost, 1);
			return &set->way[i];
		}
		if (!set->way[i].bio && way == ABI_WAYS)
			way = i;
		/* Those that begin with their request are taken as older than all others. */
		if ((set->way[i].start_ns ^ ABI_INFLIGHT_UNTIMED) <
		    (set->way[oldest % ABI_WAYS].start_ns ^ ABI_INFLIGHT_UNTIMED))
			oldest = i;
	}
	if (way == ABI_WAYS) {
		add(latencies_lost, 1);
		way = oldest;
	}
	return &set->way[way % ABI_WAYS];
}

/* since: as start_ns. */
_always_ void inflight_add(__u64 bio, const struct abi_stackio_key *key, __u32 bytes, __u64 since)
{
	struct inflight_set *set = inflight_set(bio);
	struct entry *entry;

	if (!set)
		return;
	entry = inflight_way(set, bio, bpf_get_smp_processor_id());
	/* Found by the address, so that comes last. */
	entry->bio = 0;
	entry->key = *key;
	entry->start_ns = since;
	entry->bytes = bytes;
	entry->bio = bio;
}

_always_ struct abi_stackio *counter_find(const struct abi_stackio_key *key)
{
	struct abi_stackio *c = bpf_map_lookup_elem(&stackios, key);

	return c ? c : bpf_map_lookup_elem(&stackios_rest, key);
}

/* The counter of key; when there is none and no room, key becomes that of the rest. */
_always_ struct abi_stackio *counter_get(struct abi_stackio_key *key,
					 const struct task_struct *task)
{
	struct abi_stackio fresh = {}, *c = bpf_map_lookup_elem(&stackios, key);

	if (c)
		return c;
	if (key->tgid)
		BPF_CORE_READ_INTO(&fresh.comm, task, group_leader, comm);
	else
		__builtin_memcpy(fresh.comm, OUTSIDE, sizeof(fresh.comm));
	bpf_map_update_elem(&stackios, key, &fresh, BPF_NOEXIST);
	c = bpf_map_lookup_elem(&stackios, key);
	if (c)
		return c;
	add(counters_full, 1);
	key->kstack = key->ustack = key->start = key->tgid = key->owner = 0;
	__builtin_memset(fresh.comm, 0, sizeof(fresh.comm));
	bpf_map_update_elem(&stackios_rest, key, &fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&stackios_rest, key);
}

/*
 * The owner of a bio, where it is not the current task; else 0. For what was held back its
 * submitter is not, either: a worker queues it.
 */
__noinline __u32 owner_of(__u64 address, bool held)
{
	struct abi_counter *c;

	if (!has_attribution || attribution_ended)
		return 0;
	c = charged_bio(address);
	return c && (held || c->key.owner != c->key.submitter) ? c->key.owner : 0;
}

/* The kernel stack is taken first: each path up to there would be one through its loop. */
_always_ int on_bio_queue(__u64 *ctx, int of)
{
	__u64 kstack = stack_kernel(ctx), since;
	__u64 address = argument_address(ctx, of);
	const struct bio *bio = UNTRUSTED(bio, ctx[of]);
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	__u32 bytes = bio->bi_iter.bi_size;
	struct abi_stackio_key key = {
		.start = READ_CAST(task_struct, task, group_leader, start_boottime),
		.tgid = current_ids() >> 32,
		.op = op_of(bio->bi_opf, !bytes),
		.dev = bio_disk_dev(bio),
		.kstack = kstack,
	};
	const struct abi_held *held = NULL;
	bool known = has_attribution && !attribution_ended;
	struct abi_stackio *c;

	if (!key.dev)
		return 0;
	if (known)
		held = held_before_by(address, bio->bi_flags);
	since = known ? bio_started(address, held) : bpf_ktime_get_ns();
	if (key.tgid)
		key.ustack = stack_user(ctx, task, key.start);
	else
		key.start = 0;
	key.owner = owner_of(address, held);
	c = counter_get(&key, task);
	if (!c)
		return 0;
	add(c->ios, 1);
	add(c->bytes, bytes);
	inflight_add(address, &key, bytes, since);
	return 0;
}

TWO_FORMS(stack_bio_queue, block_bio_queue, on_bio_queue, 1)

/* The end of a bio whose request began at a time (CLOCK_MONOTONIC, ns). */
__noinline int bio_end(__u64 address, __u64 begun, __u64 now)
{
	struct entry *entry = inflight_find(address);
	struct abi_stackio *c;

	if (!entry)
		return 0;
	c = counter_find(&entry->key);
	if (c && !entry->start_ns) {
		add(c->untimed, 1);
	} else if (c) {
		add(c->done, 1);
		add(c->lat_ns, bio_latency(entry->start_ns, begun, now));
	}
	entry->bio = 0;
	return 0;
}

/* Most bios of one request that are looked at. */
#define WALK 128

/*
 * Runs at each partial completion, before the request is advanced. A bio ends when all that is left
 * of it is done; parts split off it are bios that were never queued and have no entry.
 */
SEC("tp_btf/block_rq_complete")
int stack_rq_complete(__u64 *ctx)
{
	const struct request *rq = UNTRUSTED(request, ctx[0]);
	__u32 bytes = ctx[2];
	__u64 bio = address_of(rq->bio), begun = rq->start_time_ns, now;

	/* Bios in a flush sequence end with its last step. */
	if (!bio || request_in_flush_sequence(rq))
		return 0;
	now = ended_at(argument_address(ctx, 0));
	for (int i = 0; i < WALK && bio; i++) {
		const struct bio *b = (const struct bio *)bio;
		__u32 size = BPF_CORE_READ(b, bi_iter.bi_size);

		if (size > bytes)
			return 0;
		bio_end(bio, begun, now);
		bytes -= size;
		bio = (__u64)BPF_CORE_READ(b, bi_next);
	}
	if (bio && bytes)
		add(latencies_lost, 1);
	return 0;
}

/*
 * Bios of drivers without requests; and bios that failed before they had a request, and are queued
 * again.
 */
SEC("tp_btf/block_bio_complete")
int stack_bio_complete(__u64 *ctx)
{
	const struct bio *bio = (const struct bio *)ctx[1];
	__u64 address = argument_address(ctx, 1);
	struct entry *entry = inflight_find(address);
	const struct gendisk *disk = bio_gendisk(bio);
	struct abi_stackio *c;
	__u64 now;

	if (!entry)
		return 0;
	if (BPF_CORE_READ(bio, bi_status) && disk && !gendisk_bio_based(disk)) {
		c = counter_find(&entry->key);
		if (c) {
			add(c->ios, -1);
			add(c->bytes, -(__u64)entry->bytes);
		}
		entry->bio = 0;
		return 0;
	}
	now = ended_at(address);
	return bio_end(address, now, now);
}
