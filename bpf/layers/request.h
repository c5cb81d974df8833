/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layers of a disk: its queue, and the device. */
#ifndef IOTOP_BPF_LAYERS_REQUEST_H
#define IOTOP_BPF_LAYERS_REQUEST_H

#include "bpf/common/argument.h"
#include "bpf/common/array.h"
#include "bpf/layers/fsync.h"
#include "bpf/layers/layer.h"

/*
 * When a bio was queued, and when the request that carries it went to the device. By the bio's
 * address, or that of the request.
 */
struct note {
	__u64 queued, issued;	/* 0: not known */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 32768);
	__type(key, __u64);
	__type(value, struct note);
} notes SEC(".maps");

/*
 * Is the program for ends of requests running on this processor? Since 6.1 it does not run again
 * there: see layer_rq_fallback().
 */
CPU_ARRAY(inside, 1, __u32);

/*
 * Where only some tasks are looked at: disks that were asked for a flush by one of them, and did
 * not begin it yet.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 256);
	__type(key, __u32);
	__type(value, __u8);
} flushes_asked SEC(".maps");

__noinline int note_queued(__u64 bio)
{
	struct note fresh = { .queued = bpf_ktime_get_ns() },
		    *n = bpf_map_lookup_elem(&notes, &bio);

	if (n)
		*n = fresh;
	else
		bpf_map_update_elem(&notes, &bio, &fresh, BPF_ANY);
	return 0;
}

_always_ void flush_asked(__u32 dev)
{
	__u8 one = 1;

	bpf_map_update_elem(&flushes_asked, &dev, &one, BPF_ANY);
}

/* Notes are of the bios that are wanted, and of no others. */
__noinline int note_wanted(__u64 address)
{
	const struct bio *bio = (const struct bio *)address;
	struct note *n;

	if (!bio_wanted(address)) {
		n = bpf_map_lookup_elem(&notes, &address);
		if (n)
			n->queued = n->issued = 0;
		return 0;
	}
	if (BPF_CORE_READ(bio, bi_opf) & KERNEL_REQ_PREFLUSH)
		flush_asked(gendisk_dev(bio_gendisk(bio)));
	return note_queued(address);
}

_always_ int on_bio_queue(__u64 *ctx, int of)
{
	__u64 address = argument(ctx, of);
	const struct bio *bio = (const struct bio *)address;

	if (layers_wanted & 1u << ABI_LAYER_FS &&
	    op_of(BPF_CORE_READ(bio, bi_opf), !BPF_CORE_READ(bio, bi_iter.bi_size)) == ABI_FLUSH)
		fsync_flushes();
	return some_wanted() ? note_wanted(address) : note_queued(address);
}

/*
 * A request, whose first bio this is (0: it flushes), goes to the device, of which only some are
 * wanted. A bio that was split off is of whom the other part is of.
 */
__noinline int issued_wanted(__u64 request, __u64 bio)
{
	const struct request *rq = (const struct request *)request;
	__u32 dev = gendisk_dev(request_gendisk(rq));
	struct note fresh = { .issued = bpf_ktime_get_ns() }, *n;

	if (!bio) {
		if (!bpf_map_delete_elem(&flushes_asked, &dev))
			bpf_map_update_elem(&notes, &request, &fresh, BPF_ANY);
		return 0;
	}
	n = bpf_map_lookup_elem(&notes, &bio);
	if (n && n->queued) {
		n->issued = fresh.issued;
		/* A disk that cannot write through flushes after it. */
		if (BPF_CORE_READ((const struct bio *)bio, bi_opf) & ~BPF_CORE_READ(rq, cmd_flags) &
		    KERNEL_REQ_FUA)
			flush_asked(dev);
		return 0;
	}
	bpf_core_read(&request, sizeof(request), &((const struct bio *)bio)->bi_private);
	n = bpf_map_lookup_elem(&notes, &request);
	if (!n || !n->queued)
		return 0;
	fresh.queued = n->queued;
	bpf_map_update_elem(&notes, &bio, &fresh, BPF_ANY);
	return 0;
}

__noinline int note_issued(__u64 request)
{
	const struct request *rq = (const struct request *)request;
	__u64 key = (__u64)BPF_CORE_READ(rq, bio);
	struct note fresh = {}, *n;

	if (some_wanted())
		return issued_wanted(request, key);
	if (!key)
		key = request;
	n = bpf_map_lookup_elem(&notes, &key);
	if (n) {
		n->issued = bpf_ktime_get_ns();
		return 0;
	}
	fresh.issued = bpf_ktime_get_ns();
	bpf_map_update_elem(&notes, &key, &fresh, BPF_ANY);
	return 0;
}

_always_ int on_issue(__u64 *ctx, int of)
{
	return note_issued(argument(ctx, of));
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
	if (layers_wanted & 1u << layer)
		layer_count(layer_place(dev, LAYER_WHAT(layer, op, 0), 0),
			    to > from ? to - from : 0);
}

/* A request ended that was queued and issued (0: not known) then. */
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
 * Runs at each partial completion; counted is the last one. In a flush sequence it runs with no
 * bytes for the steps, and once more for the whole at its end; the request that flushes has no bio.
 */
__noinline int on_rq_complete(__u64 request, __u32 bytes)
{
	const struct request *rq = (const struct request *)request;
	__u64 now = bpf_ktime_get_ns(), bio = (__u64)BPF_CORE_READ(rq, bio),
	      key = bio ? bio : request;
	__u64 queued = BPF_CORE_READ(rq, start_time_ns),
	      issued = BPF_CORE_READ(rq, io_start_time_ns);
	const struct gendisk *disk = request_gendisk(rq);
	struct note *n;

	if (!disk || bytes < BPF_CORE_READ(rq, __data_len) ||
	    (bio && flags_of_flush_sequence(BPF_CORE_READ(rq, rq_flags))))
		return 0;
	n = bpf_map_lookup_elem(&notes, &key);
	if (some_wanted() && (!n || !(n->queued | n->issued)))
		return 0;
	if (n) {
		if (n->queued)
			queued = n->queued;
		if (n->issued)
			issued = n->issued;
		n->queued = n->issued = 0;
	}
	return disk_ended(gendisk_dev(disk),
			  layer_op_of(op_of(BPF_CORE_READ(rq, cmd_flags), false)), queued, issued,
			  now);
}

_always_ volatile __u32 *here(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&inside, &zero);
}

#endif
