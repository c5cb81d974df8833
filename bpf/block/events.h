/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single requests, sent to user space as they end: those that took long enough, failed, or all, as
 * it was asked for. While nobody asks, a completion reads one byte for this.
 */
#ifndef IOTOP_BPF_BLOCK_EVENTS_H
#define IOTOP_BPF_BLOCK_EVENTS_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/block/disk.h"
#include "bpf/block/inflight.h"
#include "bpf/block/maps.h"
#include "bpf/common/bio_inode.h"
#include "bpf/common/chosen.h"
#include "bpf/common/event_ring.h"
#include "bpf/common/file_name.h"
#include "bpf/common/inode_number.h"
#include "bpf/common/kernel.h"

_Static_assert(KERNEL_REQ_SYNC >> 8 == ABI_EVENT_SYNC && KERNEL_REQ_META >> 8 == ABI_EVENT_META &&
		       KERNEL_REQ_FUA >> 8 == ABI_EVENT_FUA &&
		       KERNEL_REQ_PREFLUSH >> 8 == ABI_EVENT_PREFLUSH &&
		       KERNEL_REQ_RAHEAD >> 8 == ABI_EVENT_AHEAD,
	       "flags");

EVENT_RINGS(event_rings);

/* Files whose names were sent lately, by their number: another one with that place replaces it. */
struct event_named {
	struct abi_event_inode file;
	__u64 ns;	/* when, CLOCK_MONOTONIC */
};
#define EVENT_NAMED 1024
ARRAY(event_named, EVENT_NAMED, struct event_named);
/* A file may be renamed. */
#define EVENT_NAMES_NS (10ULL * 1000000000)

/* Written by user space while the programs run. */
volatile bool want_events;
volatile __u32 event_dev;	/* only this disk and those that lie on others; 0: all */
volatile __u64 event_dio_end;	/* where bios of iomap's direct I/O end; 0: not known */

/* Whether requests of this owner (a task ref; 0: not known) are asked for. */
_always_ bool event_owner_wanted(__u32 owner)
{
	__u32 place = ABI_REF_INDEX(owner);
	const struct abi_task_ref *ref;

	if (!is_selective())
		return true;
	ref = place < ABI_REF_FIRST ? NULL : bpf_map_lookup_elem(&task_refs, &place);
	return ref && ref_selected(ref);
}

/* The owner of what was charged to the counter of an inflight entry. */
_always_ __u32 event_owner(const struct abi_inflight *entry)
{
	__u32 place = entry ? ABI_COUNTER_PLACE(entry->counter) : 0;
	const struct abi_counter *counter = entry ? bpf_map_lookup_elem(&counters, &place) : NULL;

	if (!counter)
		return 0;
	return counter->key.owner ? counter->key.owner : ABI_UNATTRIBUTED;
}

/* Sends the names of a file, unless that was done lately. */
__noinline int event_name(__u64 inode, __u64 now)
{
	const struct inode *of = (const struct inode *)inode;
	struct abi_event_inode file = {
		.ino = inode_number(inode),
		.sdev = BPF_CORE_READ(of, i_sb, s_dev),
		.gen = BPF_CORE_READ(of, i_generation),
	};
	__u32 place = (file.ino * 0x9e3779b97f4a7c15ULL >> 32 ^ file.sdev) & (EVENT_NAMED - 1),
	      zero = 0;
	struct event_named *named = bpf_map_lookup_elem(&event_named, &place);
	void *ring = bpf_map_lookup_elem(&event_rings, &zero);
	struct abi_event_file *to;

	if (!named || !ring)
		return 0;
	if (named->file.ino == file.ino && named->file.sdev == file.sdev &&
	    named->file.gen == file.gen && now - named->ns < EVENT_NAMES_NS)
		return 0;
	to = event_ring_half_full(ring) ? NULL : bpf_ringbuf_reserve(ring, sizeof(*to), 0);
	if (!to)
		return 0;
	to->kind = ABI_EVENT_FILE;
	to->file = file;
	names_read(&to->at, of);
	bpf_ringbuf_submit(to, BPF_RB_NO_WAKEUP);
	named->file = file;
	named->ns = now;
	return 0;
}

/* The inode of the file of a bio (its address); 0: none, or what is not a file's own data. */
__noinline __u64 event_inode(__u64 bio)
{
	__u64 inode = bio_inode(bio, event_dio_end);
	__u32 type = BPF_CORE_READ((const struct inode *)inode, i_mode) & KERNEL_S_IFMT;

	return type == KERNEL_S_IFBLK ? 0 : inode;
}

/*
 * Where in its file a bio begins, bytes. Of direct I/O that is known when one bio is all of it.
 * top: the bio that was queued, of which this one may be a part.
 */
__noinline __u64 event_offset(__u64 bio, __u64 top, __u32 bytes)
{
	const struct bio___iter *of = (const struct bio___iter *)bio;
	struct bio_vec___all vec = {};
	__u64 at, page, head;

	if (bio_is_direct(top, event_dio_end)) {
		const struct iomap_dio *dio = BPF_CORE_READ((const struct bio *)top, bi_private);
		const struct kiocb___pos *iocb = (const void *)BPF_CORE_READ(dio, iocb);

		return bio == top && BPF_CORE_READ(dio, size) == bytes
			       ? BPF_CORE_READ(iocb, ki_pos) : ABI_EVENT_UNKNOWN;
	}
	if (btrfs_bio_of(top))
		return ABI_EVENT_UNKNOWN;
	at = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec) +
	     BPF_CORE_READ(of, bi_iter.bi_idx) * sizeof(vec);
	if (bpf_probe_read_kernel(&vec, sizeof(vec), (const void *)at))
		return ABI_EVENT_UNKNOWN;
	page = file_page((__u64)vec.bv_page);
	head = page_head(page);
	if (!page)
		return ABI_EVENT_UNKNOWN;
	at = page_index(head) + (page - head) / bpf_core_type_size(struct page);
	return (at << page_shift) + vec.bv_offset + BPF_CORE_READ(of, bi_iter.bi_bvec_done);
}

/* How long a limit held a bio back before it was queued. */
__noinline __u64 event_limit(__u64 bio)
{
	const struct abi_held *h = held_find(bio);

	if (!h || !h->queued)
		return 0;
	return h->since ? h->ns : ABI_EVENT_UNKNOWN;
}

/* The first sector of so many bytes of a bio, which is done with all of them or none. */
_always_ __u64 event_bio_sector(__u64 bio, __u32 bytes)
{
	__u64 at = BPF_CORE_READ((const struct bio *)bio, bi_iter.bi_sector);

	return BPF_CORE_READ((const struct bio *)bio, bi_iter.bi_size) ? at : at - (bytes >> 9);
}

/* Packed arguments of event_send(). */
#define EVENT_NR_WHAT(nr, what) ((__u64)(what) << 32 | (nr))
#define EVENT_BYTES_ERROR(bytes, error) ((__u64)(__u32)(error) << 32 | (__u32)(bytes))

/* From a request, 0 where there is none: its own members. */
_always_ void event_of_request(struct abi_event *e, __u64 request)
{
	const struct request *rq = (const struct request *)request;
	__u64 hctx;

	if (!request)
		return;
	e->tag = BPF_CORE_READ(rq, tag);
	hctx = (__u64)BPF_CORE_READ(rq, mq_hctx);
	if (hctx)
		e->queue = BPF_CORE_READ((const struct blk_mq_hw_ctx *)hctx, queue_num);
	e->flags |= BPF_CORE_READ(rq, cmd_flags) >> 8 & ABI_EVENT_KERNEL;
}

/* The times of a request that began, was issued (0: not known) and ended then. */
_always_ void event_times(struct abi_event *e, __u64 start, __u64 issue, __u64 now, __u64 limit)
{
	e->ns = now;
	e->limit_ns = limit;
	e->total_ns = e->queue_ns = e->device_ns = ABI_EVENT_UNKNOWN;
	if (!start)
		return;
	if (start > now)
		start = now;
	if (limit != ABI_EVENT_UNKNOWN)
		e->total_ns = now - start + limit;
	if (!issue)
		return;
	if (issue < start)
		issue = start;
	if (issue > now)
		issue = now;
	e->queue_ns = issue - start;
	e->device_ns = now - issue;
}

/* The disk of an event; 0: not known. */
_always_ __u32 event_disk_dev(__u32 what)
{
	__u32 place = what & 0xffff;
	const struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);

	return disk ? disk->dev : 0;
}

/*
 * Whether the disk of an event is asked for. One that lies on others may lie on the one that is:
 * user space knows.
 */
_always_ bool event_disk_wanted(__u32 what)
{
	__u32 place = what & 0xffff;
	const struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);

	return !event_dev || (disk && (disk->dev == event_dev || disk->below));
}

/* What an event says of a file (its inode). */
_always_ void event_of_file(struct abi_event *e, __u64 inode, __u64 offset)
{
	const struct inode *of = (const struct inode *)inode;

	e->offset = offset;
	e->file.ino = e->file.sdev = e->file.gen = 0;
	if (!inode)
		return;
	e->file.ino = inode_number(inode);
	e->file.sdev = BPF_CORE_READ(of, i_sb, s_dev);
	e->file.gen = BPF_CORE_READ(of, i_generation);
}

/*
 * Whether it is asked for by its disk, by what it does, by whom, and by how long it took: since its
 * start (0: not known), and before that held back; and may be sent yet. What was held back for an
 * unknown time may have taken long.
 */
__noinline bool event_wanted(__u64 nr_what, __u64 start, __u64 limit, __u64 now)
{
	__u32 what = nr_what >> 32;

	if (!event_disk_wanted(what) || !(event_ops >> (what >> 16 & 0xff) & 1) ||
	    (event_errors && !(what & DONE_ERROR)) ||
	    !event_owner_wanted(event_owner(inflight_at((__u32)nr_what))))
		return false;
	if (event_min_ns && limit != ABI_EVENT_UNKNOWN &&
	    !(start && now - start + limit >= event_min_ns))
		return false;
	return event_in_budget(now);
}

/* The inode of the file of a bio (0: none), whose name was sent; 0: none. */
__noinline __u64 event_inode_named(__u64 bio, __u64 now)
{
	__u64 inode = bio ? event_inode(bio) : 0;

	if (inode)
		event_name(inode, now);
	return inode;
}

/* From what disk_done() is told, and what is known by now; all else begins as not known. */
_always_ void event_begin(struct abi_event *e, __u64 nr_what, __u32 bytes)
{
	__u32 what = nr_what >> 32;

	e->kind = ABI_EVENT_REQUEST;
	e->op = what >> 16 & 0xff;
	e->owner = event_owner(inflight_at((__u32)nr_what));
	e->dev = event_disk_dev(what);
	e->bytes = bytes;
	e->flags = what & DONE_ALL ? 0 : ABI_EVENT_PART;
	e->tag = e->queue = ABI_EVENT_NONE;
	e->spare = 0;
	e->sector = ABI_EVENT_UNKNOWN;
}

/*
 * Sends a request that ended, or part of it (its address; 0: a bio is all there is), with its first
 * bio (0: it has none), the number of that one's inflight entry (0: none) and what disk_done() is
 * told. Without bytes it has those of the bio: it went through the sequence of a flush, and the bio
 * is advanced.
 */
__noinline int event_send(__u64 request, __u64 bio, __u64 nr_what, __u64 bytes_error, __u64 now)
{
	const struct request *rq = (const struct request *)request;
	const struct abi_inflight *entry = inflight_at((__u32)nr_what);
	__u32 what = nr_what >> 32, bytes = bytes_error, zero = 0;
	__u64 begun = request ? BPF_CORE_READ(rq, start_time_ns) : 0,
	      issue = request ? BPF_CORE_READ(rq, io_start_time_ns) : 0,
	      start = entry ? inflight_start(entry, begun) : begun,
	      top = entry ? kernel_address(entry->bio) : bio,
	      limit = any_held && top ? event_limit(top) : 0, inode, offset = ABI_EVENT_UNKNOWN;
	bool advanced = request && !bytes && entry;
	void *ring = bpf_map_lookup_elem(&event_rings, &zero);
	struct abi_event *e;

	if (!ring || !event_wanted(nr_what, start, limit, now))
		return 0;
	if (advanced && entry)
		bytes = entry->left;
	inode = bytes && (what >> 16 & 0xff) != ABI_DISCARD ? event_inode_named(top, now) : 0;
	if (inode && !advanced)
		offset = event_offset(bio, top, bytes);
	e = bpf_ringbuf_reserve(ring, sizeof(*e), 0);
	if (!e) {
		add(events_full, 1);
		return 0;
	}
	event_begin(e, nr_what, bytes);
	e->error = bytes_error >> 32;
	if (bytes)
		e->sector = advanced || !request ? event_bio_sector(bio, bytes)
						 : BPF_CORE_READ(rq, __sector);
	event_times(e, start, issue || !entry ? issue : entry->issue_ns, now, limit);
	event_of_request(e, request);
	if (bio)
		e->flags |= BPF_CORE_READ((const struct bio *)bio, bi_opf) >> 8 & ABI_EVENT_KERNEL;
	event_of_file(e, inode, offset);
	add(events_sent, 1);
	bpf_ringbuf_submit(e, event_wakeup(ring));
	return 0;
}

/*
 * The same of a request. At a path its first bio was sent when the driver told of it: what is left
 * is sent as I/O of the second one.
 */
__noinline int request_send(__u64 request, __u64 bio, __u64 nr_what, __u64 bytes_error, __u64 now)
{
	__u32 what = nr_what >> 32, size = 0, nr;
	const struct abi_inflight *entry;

	if ((what & 0xffff) != PLACE_OF_PATH)
		return event_send(request, bio, nr_what, bytes_error, now);
	bpf_core_read(&size, sizeof(size), &((const struct bio *)bio)->bi_iter.bi_size);
	bpf_core_read(&bio, sizeof(bio), &((const struct bio *)bio)->bi_next);
	nr = bio ? inflight_search(bio - anchor_address) : 0;
	entry = inflight_at(nr);
	if (!entry || size >= (__u32)bytes_error)
		return 0;
	what = (what & ~0xffffu) | ABI_COUNTER_DISK(entry->counter);
	return event_send(0, bio, EVENT_NR_WHAT(nr, what), bytes_error - size, now);
}

/* Whether an I/O that began then (0: not known) may be asked for. */
_always_ bool event_may_be(__u64 start, __u64 now)
{
	return want_events && (now - start >= event_min_ns || any_held);
}

#endif
