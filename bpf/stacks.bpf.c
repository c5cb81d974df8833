/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * I/O by disk, process and path: the stacks of whoever submits a bio, taken where it is queued. A note of it waits for the
 * completion, for the latency.
 */
#include "bpf/abi.h"
#include "bpf/argument.h"
#include "bpf/booked.h"
#include "bpf/kernel.h"
#include "bpf/op.h"
#include "bpf/stack.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct abi_stackio_key);
	__type(value, struct abi_stackio);
} stackios SEC(".maps");

/* The same without stacks and process, for what finds no room above: nothing is missing in the sums. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, struct abi_stackio_key);
	__type(value, struct abi_stackio);
} stackios_rest SEC(".maps");

struct flight {
	struct abi_stackio_key key;
	__u64 start_ns;
	__u32 bytes, spare;
};

/* Bios between submission and completion, by address; those whose end is never seen give way to new ones. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 32768);
	__type(key, __u64);
	__type(value, struct flight);
} flights SEC(".maps");

const volatile bool has_causes;
volatile __u64 block_anchor;	/* what the block programs count addresses from; 0: not known yet */

volatile __u64 counters_full;	/* I/Os booked to stackios_rest */

_always_ struct abi_stackio *counter_find(const struct abi_stackio_key *key)
{
	struct abi_stackio *c = bpf_map_lookup_elem(&stackios, key);

	return c ? c : bpf_map_lookup_elem(&stackios_rest, key);
}

/* The counter of key; when there is none and no room, key becomes that of the rest. */
_always_ struct abi_stackio *counter_get(struct abi_stackio_key *key, const struct task_struct *task)
{
	struct abi_stackio fresh = {}, *c = bpf_map_lookup_elem(&stackios, key);

	if (c)
		return c;
	BPF_CORE_READ_INTO(&fresh.comm, task, group_leader, comm);
	bpf_map_update_elem(&stackios, key, &fresh, BPF_NOEXIST);
	c = bpf_map_lookup_elem(&stackios, key);
	if (c)
		return c;
	add(counters_full, 1);
	key->kstack = key->ustack = key->start = key->tgid = key->cause = 0;
	__builtin_memset(fresh.comm, 0, sizeof(fresh.comm));
	bpf_map_update_elem(&stackios_rest, key, &fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&stackios_rest, key);
}

/* Who caused a bio, when it is another than who submits it. */
__noinline __u32 cause_of(__u64 address)
{
	struct abi_counter *c;

	if (!has_causes || !block_anchor)
		return 0;
	c = booked(address - block_anchor);
	return c && c->key.cause != c->key.submitter ? c->key.cause : 0;
}

_always_ int on_bio_queue(__u64 *ctx, int of)
{
	__u64 address = argument(ctx, of);
	const struct bio *bio = (const struct bio *)address;
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	__u32 bytes = BPF_CORE_READ(bio, bi_iter.bi_size);
	struct abi_stackio_key key = {
		.start = BPF_CORE_READ(task, group_leader, start_boottime),
		.tgid = bpf_get_current_pid_tgid() >> 32,
		.op = op_of(BPF_CORE_READ(bio, bi_opf), !bytes),
	};
	const struct gendisk *disk = bio_gendisk(bio);
	struct flight flight = { .bytes = bytes };
	struct abi_stackio *c;

	if (!disk)
		return 0;
	key.dev = gendisk_dev(disk);
	key.kstack = stack_kernel(ctx);
	key.ustack = stack_user(ctx, task, key.start);
	key.cause = cause_of(address);
	c = counter_get(&key, task);
	if (!c)
		return 0;
	add(c->ios, 1);
	add(c->bytes, bytes);
	flight.key = key;
	flight.start_ns = bpf_ktime_get_ns();
	bpf_map_update_elem(&flights, &address, &flight, BPF_ANY);
	return 0;
}

TWO_FORMS(stack_bio_queue, block_bio_queue, on_bio_queue, 1)

/* The end of a bio. */
__noinline int bio_end(__u64 address, __u64 now)
{
	struct flight *flight = bpf_map_lookup_elem(&flights, &address);
	struct abi_stackio *c;

	if (!flight)
		return 0;
	c = counter_find(&flight->key);
	if (c) {
		add(c->done, 1);
		if (now > flight->start_ns)
			add(c->lat_ns, now - flight->start_ns);
	}
	bpf_map_delete_elem(&flights, &address);
	return 0;
}

/* Bios of one request that are looked at. */
#define WALK 128

/*
 * Runs at each partial completion, before the request is advanced. A bio ends when all that is left of it is done; the parts
 * that were split off it are bios that were never queued, and have no note.
 */
SEC("tp_btf/block_rq_complete")
int stack_rq_complete(__u64 *ctx)
{
	const struct request *rq = (const struct request *)ctx[0];
	__u32 bytes = ctx[2];
	__u64 bio = (__u64)BPF_CORE_READ(rq, bio), now = bpf_ktime_get_ns();

	/* Bios in a flush sequence end with its last step. */
	if (!bio || request_in_flush_sequence(rq))
		return 0;
	for (int i = 0; i < WALK && bio; i++) {
		const struct bio *b = (const struct bio *)bio;
		__u32 size = BPF_CORE_READ(b, bi_iter.bi_size);

		if (size > bytes)
			return 0;
		bio_end(bio, now);
		bytes -= size;
		bio = (__u64)BPF_CORE_READ(b, bi_next);
	}
	return 0;
}

/* Bios of drivers without requests; and those that were refused before they made it into a request, and come again. */
SEC("tp_btf/block_bio_complete")
int stack_bio_complete(__u64 *ctx)
{
	const struct bio *bio = (const struct bio *)ctx[1];
	__u64 address = argument(ctx, 1);
	struct flight *flight = bpf_map_lookup_elem(&flights, &address);
	const struct gendisk *disk = bio_gendisk(bio);
	struct abi_stackio *c;

	if (!flight)
		return 0;
	if (BPF_CORE_READ(bio, bi_status) && disk && !gendisk_bio_based(disk)) {
		c = counter_find(&flight->key);
		if (c) {
			add(c->ios, -1);
			add(c->bytes, -(__u64)flight->bytes);
		}
		bpf_map_delete_elem(&flights, &address);
		return 0;
	}
	return bio_end(address, bpf_ktime_get_ns());
}
