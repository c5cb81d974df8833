/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layers of a disk: queue (Q2D) and device (D2C). */
#ifndef IOTOP_BPF_LAYERS_REQUEST_H
#define IOTOP_BPF_LAYERS_REQUEST_H

#include "bpf/common/argument.h"
#include "bpf/common/array.h"
#include "bpf/common/block_held.h"
#include "bpf/layers/fsync.h"
#include "bpf/layers/layer.h"

/*
 * When a bio was queued and its request was issued, ns. By the address of the bio, or of the
 * request where it has no bio.
 */
struct inflight {
	__u64 queued, issued;	/* 0: not known */
};

LRU_MAP(inflight, 32768, __u64, struct inflight);

/*
 * Whether layer_rq_complete() is running on this CPU. Since 6.1 the kernel does not run it again
 * then: see layer_rq_fallback().
 */
CPU_ARRAY(inside, 1, __u32);

/*
 * With selected tasks only: disks of which one of them has requested a flush that was not issued
 * yet.
 */
LRU_MAP(flushes_asked, 256, __u32, __u8);

/*
 * The number of an NVMe disk by that of a path to it, which is a disk for nobody. Learnt when the
 * driver tells of a bio at the disk, which it does before the bio's request at the path ends.
 */
LRU_MAP(paths, 256, __u32, __u32);
static volatile bool any_path;

/* A bio at this gendisk ended at a disk with this queue (since 5.15 that knows its disk). */
__noinline int path_learn(__u64 gendisk, __u64 queue)
{
	const struct gendisk *path = (const struct gendisk *)gendisk, *disk;
	__u32 dev, of;

	if (!path || !gendisk_hidden(path) ||
	    !bpf_core_field_exists(((struct request_queue *)0)->disk))
		return 0;
	disk = BPF_CORE_READ((const struct request_queue *)queue, disk);
	if (!disk)
		return 0;
	dev = gendisk_dev(path);
	of = gendisk_dev(disk);
	bpf_map_update_elem(&paths, &dev, &of, BPF_ANY);
	any_path = true;
	return 0;
}

/* The number of a request's disk; of a path that of its disk, where it is known. */
_always_ __u32 request_disk_dev(const struct gendisk *disk)
{
	__u32 dev = gendisk_dev(disk);
	const __u32 *of = any_path && gendisk_hidden(disk) ? bpf_map_lookup_elem(&paths, &dev)
							   : NULL;

	return of ? *of : dev;
}

/* Of the block programs, which ran before for the same request. */
CPU_ARRAY(block_held_last, 1, struct abi_held_last);
const volatile bool has_held;

__noinline int inflight_queued(__u64 bio)
{
	struct inflight fresh = { .queued = bpf_ktime_get_ns() },
		    *n = bpf_map_lookup_elem(&inflight, &bio);

	if (n)
		*n = fresh;
	else
		bpf_map_update_elem(&inflight, &bio, &fresh, BPF_ANY);
	return 0;
}

_always_ void flush_asked(__u32 dev)
{
	__u8 one = 1;

	bpf_map_update_elem(&flushes_asked, &dev, &one, BPF_ANY);
}

_always_ __u32 layer_op_of(__u32 op)
{
	switch (op) {
	case ABI_READ:
		return ABI_LAYER_READ;
	case ABI_WRITE:
		return ABI_LAYER_WRITE;
	case ABI_DISCARD:
		return ABI_LAYER_DISCARD;
	case ABI_FLUSH:
		return ABI_LAYER_FLUSH;
	default:
		return ABI_LAYER_OTHER;
	}
}

_always_ void count_at(__u32 dev, __u32 layer, __u32 op, __u64 from, __u64 to)
{
	if (layers_enabled & 1u << layer)
		layer_count(layer_entry(dev, LAYER_WHAT(layer, op, 0), 0),
			    to > from ? to - from : 0);
}

/* A bio (by its address) is queued that a limit may have held back until now. */
__noinline int limit_passed(__u64 bio)
{
	struct abi_held *h = held_before(bio);

	/* 2: it was counted already. A part of it that was split off has an address of its own. */
	if (!h || h->queued != 1 || !h->since)
		return 0;
	h->queued = 2;
	count_at(h->dev, ABI_LAYER_LIMIT, layer_op_of(h->op), h->since, h->since + h->ns);
	return 0;
}

/*
 * How long after it was queued a limit held back the bio of a request that ends: the programs of
 * the block layer have run for it on this processor.
 */
__noinline __u64 limit_after(__u64 bio)
{
	__u32 zero = 0;
	const struct abi_held_last *last = bpf_map_lookup_elem(&block_held_last, &zero);

	return last && bio && last->bio == bio ? last->after : 0;
}

/* Only bios of selected tasks have an entry. */
__noinline int queued_selected(__u64 address)
{
	const struct bio *bio = (const struct bio *)address;
	struct inflight *n;

	if (!bio_selected(address)) {
		n = bpf_map_lookup_elem(&inflight, &address);
		if (n)
			n->queued = n->issued = 0;
		return 0;
	}
	if (BPF_CORE_READ(bio, bi_opf) & KERNEL_REQ_PREFLUSH)
		flush_asked(gendisk_dev(bio_gendisk(bio)));
	if (has_held)
		limit_passed(address);
	return inflight_queued(address);
}

_always_ int on_bio_queue(__u64 *ctx, int of)
{
	__u64 address = argument(ctx, of);
	const struct bio *bio = (const struct bio *)address;

	if (layers_enabled & 1u << ABI_LAYER_FS &&
	    op_of(BPF_CORE_READ(bio, bi_opf), !BPF_CORE_READ(bio, bi_iter.bi_size)) == ABI_FLUSH)
		fsync_flushes();
	if (is_selective())
		return queued_selected(address);
	if (has_held)
		limit_passed(address);
	return inflight_queued(address);
}

/*
 * Issues a request with this first bio (0: it flushes), where only some tasks are selected. A bio
 * that was split off belongs to the owner of the other part.
 */
__noinline int issued_selected(__u64 request, __u64 bio)
{
	const struct request *rq = (const struct request *)request;
	__u32 dev = request_disk_dev(request_gendisk(rq));
	struct inflight fresh = { .issued = bpf_ktime_get_ns() }, *n;

	if (!bio) {
		if (!bpf_map_delete_elem(&flushes_asked, &dev))
			bpf_map_update_elem(&inflight, &request, &fresh, BPF_ANY);
		return 0;
	}
	n = bpf_map_lookup_elem(&inflight, &bio);
	if (n && n->queued) {
		n->issued = fresh.issued;
		/* A disk without FUA flushes after the write. */
		if (BPF_CORE_READ((const struct bio *)bio, bi_opf) & ~BPF_CORE_READ(rq, cmd_flags) &
		    KERNEL_REQ_FUA)
			flush_asked(dev);
		return 0;
	}
	bpf_core_read(&request, sizeof(request), &((const struct bio *)bio)->bi_private);
	n = bpf_map_lookup_elem(&inflight, &request);
	if (!n || !n->queued)
		return 0;
	fresh.queued = n->queued;
	bpf_map_update_elem(&inflight, &bio, &fresh, BPF_ANY);
	return 0;
}

__noinline int inflight_issued(__u64 request)
{
	const struct request *rq = (const struct request *)request;
	__u64 key = (__u64)BPF_CORE_READ(rq, bio);
	struct inflight fresh = {}, *n;

	if (is_selective())
		return issued_selected(request, key);
	if (!key)
		key = request;
	n = bpf_map_lookup_elem(&inflight, &key);
	if (n) {
		n->issued = bpf_ktime_get_ns();
		return 0;
	}
	fresh.issued = bpf_ktime_get_ns();
	bpf_map_update_elem(&inflight, &key, &fresh, BPF_ANY);
	return 0;
}

_always_ int on_issue(__u64 *ctx, int of)
{
	return inflight_issued(argument(ctx, of));
}

/* Counts a completed request, queued and issued then (ns, 0: not known). */
__noinline int disk_ended(__u32 dev, __u32 op, __u64 queued, __u64 issued, __u64 now)
{
	if (issued && (!queued || queued > issued))
		queued = issued;
	if (!queued)
		return 0;
	if (issued)
		count_at(dev, ABI_LAYER_QUEUE, op, queued, issued);
	else
		issued = queued;
	count_at(dev, ABI_LAYER_DEVICE, op, issued, now);
	return 0;
}

/*
 * Runs at each partial completion; the last one counts. In a flush sequence it runs without bytes
 * for the steps, and once more for the whole at its end; the request that flushes has no bio. It is
 * the one that counts as a flush, not the empty write that asked for it.
 */
__noinline int on_rq_complete(__u64 request, __u32 bytes)
{
	const struct request *rq = (const struct request *)request;
	__u64 now = bpf_ktime_get_ns(), bio = (__u64)BPF_CORE_READ(rq, bio),
	      key = bio ? bio : request;
	__u64 queued = BPF_CORE_READ(rq, start_time_ns),
	      issued = BPF_CORE_READ(rq, io_start_time_ns);
	const struct gendisk *disk = request_gendisk(rq);
	__u32 op = op_of_request(rq, (const struct bio *)bio, bytes);
	struct inflight *n;
	__u64 held;
	__u32 dev;

	if (!disk || bytes < BPF_CORE_READ(rq, __data_len) ||
	    (bio && flags_of_flush_sequence(BPF_CORE_READ(rq, rq_flags))))
		return 0;
	n = bpf_map_lookup_elem(&inflight, &key);
	if (is_selective() && (!n || !(n->queued | n->issued)))
		return 0;
	if (n) {
		if (n->queued)
			queued = n->queued;
		if (n->issued)
			issued = n->issued;
		n->queued = n->issued = 0;
	}
	dev = request_disk_dev(disk);
	held = has_held && queued ? limit_after(bio) : 0;
	if (held)
		count_at(dev, ABI_LAYER_LIMIT, layer_op_of(op), queued, queued + held);
	queued += held;
	if (bio && op == ABI_FLUSH)
		return 0;
	return disk_ended(dev, layer_op_of(op), queued, issued, now);
}

_always_ volatile __u32 *in_completion(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&inside, &zero);
}

#endif
