/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who, which disk, how much, how long. A bio is booked when it is queued, in the task that submits
 * it; bytes and counts are exact from there. A note of its start waits for the completion of the
 * bio or of the request that carries it.
 */
#include "bpf/abi.h"
#include "bpf/common/argument.h"
#include "bpf/block/lower.h"
#include "bpf/block/attribution.h"
#include "bpf/block/count.h"
#include "bpf/block/disk.h"
#include "bpf/block/inflight.h"
#include "bpf/common/kernel.h"
#include "bpf/block/fallback.h"

char LICENSE[] SEC("license") = "GPL";

/*
 * A read by the task that read last on this processor, at the same disk: its counter and cause,
 * without a look at what is known of the task.
 */
_always_ __u32 read_again(const volatile struct read_before *last, __u32 dev, __u32 bytes,
			  __u32 *ret_cause)
{
	__u32 counter = last->counter, place = COUNTER_PLACE(counter);
	struct abi_counter *to;

	if (last->dev != dev || last->ended != owners_ended || last->limited != limited_changes ||
	    last->task != bpf_get_current_pid_tgid())
		return 0;
	to = bpf_map_lookup_elem(&counters, &place);
	if (!to)
		return 0;
	add(to->ios, 1);
	add(to->bytes, bytes);
	*ret_cause = to->key.cause;
	return counter;
}

/* Numbers of tasks are used again: what a task does after its end was told is not remembered. */
_always_ void read_remember(volatile struct read_before *last, const struct task_slot *slot,
			    __u32 dev, __u32 counter)
{
	if (!last || !slot || slot->flags & (SLOT_KTHREAD | SLOT_ENDED) ||
	    COUNTER_PLACE(counter) < ABI_COUNTER_FIRST)
		return;
	last->task = 0;
	last->dev = dev;
	last->counter = counter;
	last->ended = owners_ended;
	last->limited = limited_changes;
	last->task = bpf_get_current_pid_tgid();
}

_always_ __u32 book_anew(const struct bio *bio, __u32 op, __u32 bytes, struct read_before *last)
{
	struct task_slot *slot = task_slot(true);
	__u32 counter = book_bio(slot, bio, op, bytes);

	if (counter & BOOKED_ANEW) {
		counter &= ~BOOKED_ANEW;
		below_learn(bio_gendisk(bio), COUNTER_DISK(counter));
	}
	if (op == ABI_READ)
		read_remember(last, slot, bio_dev(bio), counter);
	return counter;
}

_always_ int on_bio_queue(__u64 *ctx, int of)
{
	const struct bio *bio = UNTRUSTED(struct bio, ctx[of]);
	__u32 bytes = bio->bi_iter.bi_size, op = op_of(bio->bi_opf, !bytes),
	      cpu = bpf_get_smp_processor_id(), counter = 0, reader = 0;
	struct processor *here = bpf_map_lookup_elem(&processors, &cpu);

	/* There is one for each that may come to be. */
	if (!here)
		return 0;
	if (op == ABI_READ)
		counter = read_again(&here->read, bio_dev(bio), bytes, &reader);
	if (!counter)
		counter = book_anew(bio, op, bytes, &here->read);
	flight_add(address(bio), counter, bytes, cpu, reader);
	if (may_be_preempted)
		here->queued = address(bio);
	return 0;
}

TWO_FORMS(bio_queue, block_bio_queue, on_bio_queue, 1)

static void (*preempt_disable)(void) = (void *)ABI_CALL(0);
static void (*preempt_enable)(void) = (void *)ABI_CALL(1);

/*
 * A task may lose the processor in the midst of the program above, which then does not run there
 * for others that submit. This one, the second of the event, does it for them, and does not lose
 * the processor: there is no third one. It leaves alone what was read last: that is the first
 * one's, and may be half written.
 */
SEC("tp_btf/block_bio_queue")
int queue_nested(__u64 *ctx)
{
	const struct bio *bio = UNTRUSTED(struct bio, ctx[0]);
	__u32 bytes = bio->bi_iter.bi_size, cpu = bpf_get_smp_processor_id();
	struct processor *here = bpf_map_lookup_elem(&processors, &cpu);
	__u64 at = address(bio);

	/* The first one did this; and when others came between the two, it left a note. */
	if (here && here->queued == (__u32)at) {
		here->queued = 0;
		return 0;
	}
	preempt_disable();
	if (!flight_find(at, false)) {
		add(queued_nested, 1);
		/* Another way than the one that the first may be about to take. */
		flight_add(at, book_anew(bio, op_of(bio->bi_opf, !bytes), bytes, NULL), bytes,
			   cpu + ABI_WAYS / 2, 0);
	}
	preempt_enable();
	return 0;
}

SEC("tp_btf/writeback_dirty_folio")
int dirty_folio(__u64 *ctx)
{
	return on_dirty(UNTRUSTED(struct address_space, ctx[1]),
			folio_pages(UNTRUSTED(struct folio, ctx[0])));
}

/* Before 5.18. */
SEC("tp_btf/writeback_dirty_page")
int dirty_page(__u64 *ctx)
{
	return on_dirty((const struct address_space *)ctx[1], 1);
}

/* Bios that make one request with their first one. */
#define WALK 512

/*
 * Of so many bytes that are done, those of the bio at a kernel address; returns how many are left
 * for the next ones.
 */
__noinline __u32 bio_done(__u64 at, __u32 bytes, __u64 begun, __u64 now)
{
	struct abi_flight *flight;
	__u32 size = 0;

	bpf_core_read(&size, sizeof(size), &((const struct bio *)at)->bi_iter.bi_size);
	if (size > bytes)
		size = bytes;
	flight = flight_at(flight_find(at - anchor_address, true));
	if (flight)
		flight_part(flight, flight_disk(flight), size, false, begun, now);
	return bytes - size;
}

/* The same of the bios that follow the one at a kernel address. */
__noinline int bios_done(__u64 at, __u32 bytes, __u64 begun, __u64 now)
{
	for (int i = 0; i < WALK && bytes; i++) {
		bpf_core_read(&at, sizeof(at), &((const struct bio *)at)->bi_next);
		if (!at)
			return 0;
		bytes = bio_done(at, bytes, begun, now);
	}
	if (bytes)
		lose(ABI_LOST_WALK);
	return 0;
}

/*
 * Runs at each partial completion, before the request is advanced, and with no bytes for the steps
 * of a flush. Books as /proc/diskstats does: bytes as they come, an I/O when the request ends, a
 * write that only flushes as a write of nothing besides the flush that the device got.
 */
_always_ int on_rq_complete(__u64 *ctx)
{
	const struct request *rq = UNTRUSTED(struct request, ctx[0]);
	__u32 bytes = ctx[2], op = op_of(rq->cmd_flags, false), place = 0, size, note, what;
	__u64 now = bpf_ktime_get_ns(), begun = rq->start_time_ns, start = begun,
	      issue = rq->io_start_time_ns, queue = 0;
	bool flushing = request_in_flush_sequence(rq);
	const struct bio *bio = rq->bio;
	struct abi_flight *flight;
	struct abi_disk *disk = NULL;

	note = bio ? flight_find(address(bio), true) : 0;
	flight = flight_at(note);
	if (flight) {
		start = flight_start(flight, begun);
		place = COUNTER_DISK(flight->counter);
		disk = bpf_map_lookup_elem(&disks, &place);
		queue = disk ? disk->queue : 0;
		if (disk && !flushing)
			disk_learn(disk, begun, issue);
		if (!issue)
			issue = flight->issue_ns;
	}
	if (queue != (__u64)rq->q) {
		__u32 own = disk_find((__u64)request_gendisk(rq));

		if (own)
			place = own;
	}
	what = DONE(place, op);
	if ((int)ctx[1])
		what |= DONE_ERROR;
	/* The request that flushes belongs to the sequence; it has no bio. */
	if (bytes >= rq->__data_len && (!flushing || !bio))
		what |= DONE_ALL;
	disk_done(what, bytes, start, issue, now);
	/* Bios in a flush sequence end with its last step. */
	if (!bio || flushing)
		return 0;
	size = bio->bi_iter.bi_size;
	if (size > bytes)
		size = bytes;
	if (flight)
		flight_part(flight, disk, size, !bytes, begun, now);
	if (bytes > size)
		bios_done(kernel_address(address(bio)), bytes - size, begun, now);
	return 0;
}

SEC("tp_btf/block_rq_complete")
int rq_complete(__u64 *ctx)
{
	on_rq_complete(ctx);
	done_set(MARK_REQUEST, address((const void *)ctx[0]));
	return 0;
}

SEC("tp_btf/block_rq_complete")
int rq_nested(__u64 *ctx)
{
	const struct request *rq = UNTRUSTED(struct request, ctx[0]);

	return is_nested(MARK_REQUEST, address(rq), address(rq->bio), true) ? on_rq_complete(ctx)
									    : 0;
}

/* Bios of drivers without requests; and those that never made it into a request. */
_always_ int on_bio_complete(__u64 *ctx)
{
	const struct bio *bio = UNTRUSTED(struct bio, ctx[1]);
	__u32 note = flight_find(address(bio), false), place, index, op;
	struct abi_flight *flight = flight_at(note);
	__u64 now = bpf_ktime_get_ns();
	struct abi_counter *counter;
	struct abi_disk *disk;

	if (!flight)
		return 0;
	place = COUNTER_DISK(flight->counter);
	index = COUNTER_PLACE(flight->counter);
	disk = bpf_map_lookup_elem(&disks, &place);
	counter = bpf_map_lookup_elem(&counters, &index);
	if (!disk || !counter)
		return 0;
	op = index < ABI_COUNTER_FIRST ? index % ABI_OPS : counter->key.op;
	if (disk->flags & ABI_DISK_BIO) {
		disk_done(DONE(place, op) | DONE_ALL | (bio->bi_status ? DONE_ERROR : 0),
			  flight->left, flight->start_ns, 0, now);
	} else if (bio->bi_status) {
		/*
		 * Refused before there was a request, e.g. one that may not wait for one: it will
		 * come again.
		 */
		add(counter->ios, -1);
		add(counter->bytes, -(__u64)flight->left);
		flight_drop(flight, disk, now);
		return 0;
	}
	flight_part(flight, disk, 0, true, now, now);
	return 0;
}

SEC("tp_btf/block_bio_complete")
int bio_complete(__u64 *ctx)
{
	on_bio_complete(ctx);
	done_set(MARK_BIO, address((const void *)ctx[1]));
	return 0;
}

SEC("tp_btf/block_bio_complete")
int bio_nested(__u64 *ctx)
{
	__u64 at = address((const void *)ctx[1]);

	return is_nested(MARK_BIO, at, at, false) ? on_bio_complete(ctx) : 0;
}

/*
 * Only while there are disks whose requests do not carry this time. Runs before the request is
 * given its own.
 */
_always_ int on_rq_issue(__u64 *ctx, int of)
{
	const struct request *rq = UNTRUSTED(struct request, ctx[of]);
	const struct bio *bio = rq->bio;
	struct abi_flight *flight = bio ? flight_at(flight_find(address(bio), true)) : NULL;
	const struct abi_disk *disk = flight ? flight_disk(flight) : NULL;

	if (disk && !(disk->flags & ABI_DISK_SPLIT))
		flight->issue_ns = bpf_ktime_get_ns();
	return 0;
}

TWO_FORMS(rq_issue, block_rq_issue, on_rq_issue, 1)

_always_ int on_rq_requeue(__u64 *ctx, int of)
{
	const struct request *rq = UNTRUSTED(struct request, ctx[of]);
	struct abi_diskop *stat =
		diskop(disk_find((__u64)request_gendisk(rq)), op_of(rq->cmd_flags, false));

	if (stat)
		add(stat->requeues, 1);
	return 0;
}

TWO_FORMS(rq_requeue, block_rq_requeue, on_rq_requeue, 1)

_always_ int on_rq_merge(__u64 *ctx, int of)
{
	const struct request *rq = UNTRUSTED(struct request, ctx[of]);
	struct abi_diskop *stat =
		diskop(disk_find((__u64)request_gendisk(rq)), op_of(rq->cmd_flags, false));

	if (stat)
		add(stat->merges, 1);
	return 0;
}

/* A request that goes into another one. */
TWO_FORMS(rq_merge, block_rq_merge, on_rq_merge, 1)

_always_ int on_bio_merge(__u64 *ctx, int of)
{
	const struct bio *bio = UNTRUSTED(struct bio, ctx[of]);
	struct abi_diskop *stat =
		diskop(disk_find((__u64)bio_gendisk(bio)), op_of(bio->bi_opf, false));

	if (stat)
		add(stat->merges, 1);
	return 0;
}

TWO_FORMS(bio_backmerge, block_bio_backmerge, on_bio_merge, 2)
TWO_FORMS(bio_frontmerge, block_bio_frontmerge, on_bio_merge, 2)

/*
 * The name may have changed since the first I/O. Its I/O may go on a little: files are closed after
 * this.
 */
SEC("tp_btf/sched_process_exit")
int owner_exit(__u64 *ctx)
{
	__u64 task = (__u64)bpf_get_current_task();
	struct task_slot *slot = task_slot(false);
	__u32 number = slot ? slot->owner : 0, place;
	struct abi_owner *owner;

	/* It may have got its number by what others submitted. */
	if (!number && owners_by_others && owner_find(task)) {
		number = owner_new();
		slot = task_slot(false);
	}
	if (!number)
		return 0;
	owner_unindex(task);
	place = ABI_OWNER_PLACE(number);
	owner = bpf_map_lookup_elem(&owners, &place);
	if (!owner)
		return 0;
	bpf_get_current_comm(owner->comm, sizeof(owner->comm));
	owner->flags |= ABI_TASK_ENDED;
	if (slot)
		slot->flags |= SLOT_ENDED;
	add(owners_ended, 1);
	owner->ended = bpf_ktime_get_ns();
	return 0;
}
