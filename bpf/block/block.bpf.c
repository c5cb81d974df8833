/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The block programs. A bio is charged when it is queued, in the task that submits it; I/Os and
 * bytes are exact from there. An inflight entry keeps its start until the bio or its request
 * completes.
 */
#include "bpf/abi.h"
#include "bpf/common/argument.h"
#include "bpf/block/lower.h"
#include "bpf/block/attribution.h"
#include "bpf/block/count.h"
#include "bpf/block/dirty.h"
#include "bpf/block/disk.h"
#include "bpf/block/events.h"
#include "bpf/block/fill.h"
#include "bpf/block/handed.h"
#include "bpf/block/inflight.h"
#include "bpf/block/limited.h"
#include "bpf/common/cast.h"
#include "bpf/common/kernel.h"
#include "bpf/common/successor.h"
#include "bpf/block/passing_note.h"
#include "bpf/block/pattern.h"
#include "bpf/block/fallback.h"
#include "bpf/block/rare.h"
#include "bpf/block/read_again.h"
#include "bpf/block/rewrite.h"
#include "bpf/block/walk.h"

char LICENSE[] SEC("license") = "GPL";

_always_ __u32 charge_anew(const struct bio *bio, __u32 op, __u32 bytes, struct read_before *last)
{
	struct task_slot *slot = task_slot(true);
	bool held = may_be_held(slot, bio->bi_flags) && held_begin(kernel_address(address(bio)));
	__u32 counter = charge_bio(slot, bio, op, bytes);

	if (counter & CHARGED_ANEW) {
		counter &= ~CHARGED_ANEW;
		below_learn((__u64)bio_gendisk(bio), ABI_COUNTER_DISK(counter));
	}
	if (held)
		held_end(kernel_address(address(bio)), counter);
	else if (op == ABI_READ)
		read_remember(last, slot, bio_dev(bio), counter);
	return counter;
}

_always_ int on_bio_queue(__u64 *ctx, int of)
{
	const struct bio *bio = UNTRUSTED(bio, ctx[of]);
	__u32 bytes = bio->bi_iter.bi_size, op = op_of(bio->bi_opf, !bytes),
	      cpu = bpf_get_smp_processor_id(), counter = 0, reader = 0, nr;
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);

	/* One entry per possible CPU: this lookup cannot fail. */
	if (!state)
		return 0;
	if (op == ABI_READ)
		counter = read_again(&state->read, bio_dev(bio), bytes, &reader);
	if (!counter)
		counter = charge_anew(bio, op, bytes, &state->read);
	counter |= asked_flag(bio->bi_opf, op);
	nr = inflight_add(address(bio), counter, bytes, cpu, reader);
	if (nr)
		passing_note(bio, counter, bytes, nr, passing_page_now(bio));
	if (want_pattern && bytes && op <= ABI_WRITE)
		pattern_note(bio->bi_iter.bi_sector, counter, bio->bi_opf, (__u64)op << 32 | bytes);
	if (may_be_preempted)
		state->queued = address(bio);
	return 0;
}

TWO_FORMS(bio_queue, block_bio_queue, on_bio_queue, 1)

static void (*preempt_disable)(void) = (void *)ABI_CALL(0);
static void (*preempt_enable)(void) = (void *)ABI_CALL(1);

/*
 * The fallback program of bio_queue. Since 7.0 a task may be preempted while it runs the program
 * above, which is then skipped on this CPU for other tasks that submit. This one handles their bios
 * with preemption disabled: there is no third one. It does not touch what was read last, which the
 * first program may have half written.
 */
SEC("tp_btf/block_bio_queue")
int queue_fallback(__u64 *ctx)
{
	const struct bio *bio = UNTRUSTED(bio, ctx[0]);
	__u32 bytes = bio->bi_iter.bi_size, op = op_of(bio->bi_opf, !bytes),
	      cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);
	__u64 at = address(bio);
	__u32 counter, nr;

	/*
	 * The first program handled this bio. When other bios came in between, it left an inflight
	 * entry.
	 */
	if (state && state->queued == (__u32)at) {
		state->queued = 0;
		return 0;
	}
	preempt_disable();
	if (!inflight_find(at, false)) {
		add(submissions_recovered, 1);
		/* Begins at another way than the first program, which may be about to take one. */
		counter = charge_anew(bio, op, bytes, NULL) | asked_flag(bio->bi_opf, op);
		nr = inflight_add(at, counter, bytes, cpu + ABI_WAYS / 2, 0);
		if (nr)
			passing_note(bio, counter, bytes, nr, passing_page_now(bio));
	}
	preempt_enable();
	return 0;
}

SEC("tp_btf/writeback_dirty_folio")
int dirty_folio(__u64 *ctx)
{
	const struct folio *folio = UNTRUSTED(folio, ctx[0]);

	return on_dirty(UNTRUSTED(address_space, ctx[1]), kernel_address(address(folio)),
			folio_pages(folio));
}

/* Before 5.18. */
SEC("tp_btf/writeback_dirty_page")
int dirty_page(__u64 *ctx)
{
	return on_dirty((const struct address_space *)ctx[1],
			kernel_address(address((const void *)ctx[0])), 1);
}

/*
 * Runs at each partial completion, before the request is advanced, and without bytes for the steps
 * of a flush. Counts as /proc/diskstats does: bytes as they complete, an I/O when the request ends;
 * a write that only flushes is a write without bytes, and the flush that the device got is counted
 * besides.
 */
_always_ int on_rq_complete(__u64 *ctx)
{
	const struct request *rq = UNTRUSTED(request, ctx[0]);
	__u32 bytes = ctx[2], op = op_of(rq->cmd_flags, false), place = 0, own, above = 0, size,
	      nr, what;
	__u64 now = bpf_ktime_get_ns(), begun = rq->start_time_ns, start = begun,
	      issue = rq->io_start_time_ns, queue = 0;
	bool flushing = request_in_flush_sequence(rq);
	const struct bio *bio = rq->bio;
	struct abi_inflight *entry;
	struct abi_disk *disk = NULL;

	ended_note(address(rq), now);
	nr = bio ? inflight_search(address(bio)) : 0;
	if (bio && !nr)
		nr = inflight_find(address(bio), true);
	entry = inflight_at(nr);
	if (entry) {
		place = ABI_COUNTER_DISK(entry->counter);
		disk = bpf_map_lookup_elem(&disks, &place);
		queue = disk ? disk->queue : 0;
		if (disk && disk->flags & ABI_DISK_LIMITED)
			limited_end(kernel_address(address(rq)), nr);
		start = inflight_start(entry, begun);
		if (disk && !flushing)
			disk_learn(disk, begun, issue);
		issue = issue ? issue : entry->issue_ns;
	}
	if (queue != (__u64)rq->q) {
		own = disk_find((__u64)request_gendisk(rq));
		above = handed_on(bio ? kernel_address(address(bio)) : 0, nr, own);
		place = own ? own : place_or_path(place, (__u64)request_gendisk(rq));
	}
	what = DONE(place, op) | ((int)ctx[1] ? DONE_ERROR : 0);
	/* The request that flushes has no bio; it ends a step of the sequence. */
	if (bytes >= rq->__data_len && (!flushing || !bio))
		what |= DONE_ALL;
	what ^= unknown_zero;
	disk_done(what, bytes, start, issue, now);
	if (what & DONE_ALL && begun > start && start)
		request_waited(place, op, begun - start);
	/* Of a request in a flush sequence its last step is told. */
	if (event_may_be(start, now) && (!bio || !flushing))
		request_send(kernel_address(address(rq)), bio ? kernel_address(address(bio)) : 0,
			     EVENT_NR_WHAT(nr, what), EVENT_BYTES_ERROR(bytes, ctx[1]), now);
	/* Bios in a flush sequence end with its last step. */
	if (!bio || flushing)
		return 0;
	size = bio->bi_iter.bi_size;
	if (size > bytes)
		size = bytes;
	else
		what |= DONE_ALL;
	if (above)
		handed_done(above, what, size, begun, now);
	else if (entry)
		inflight_part(entry, disk, size, !bytes, begun, now);
	else if (op != ABI_OTHER)
		start_unseen(bio->bi_flags, what, size, begun, now);
	if (bytes > size)
		bios_done(kernel_address(address(bio)), bytes - size, DONE(place, op), begun, now);
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
int rq_fallback(__u64 *ctx)
{
	const struct request *rq = UNTRUSTED(request, ctx[0]);

	return was_skipped(MARK_REQUEST, address(rq), address(rq->bio), true) ? on_rq_complete(ctx)
									    : 0;
}

/* Bios of drivers without requests, and bios that failed before they had a request. */
_always_ int on_bio_complete(__u64 *ctx)
{
	const struct bio *bio = UNTRUSTED(bio, ctx[1]);
	__u32 nr = inflight_search(address(bio)), place, index, op;
	struct abi_inflight *entry = inflight_at(nr);
	__u64 now = bpf_ktime_get_ns();
	struct abi_counter *counter;
	struct abi_disk *disk;

	if (!entry)
		return 0;
	ended_note(address(bio), now);
	place = ABI_COUNTER_DISK(entry->counter);
	index = ABI_COUNTER_PLACE(entry->counter);
	disk = bpf_map_lookup_elem(&disks, &place);
	counter = bpf_map_lookup_elem(&counters, &index);
	if (!disk || !counter)
		return 0;
	op = index < ABI_COUNTER_FIRST ? index % ABI_OPS : counter->key.op;
	if (disk->flags & ABI_DISK_BIO) {
		disk_done(DONE(place, op) | DONE_ALL | (bio->bi_status ? DONE_ERROR : 0),
			  entry->left, entry->start_ns, 0, now);
		if (event_may_be(entry->start_ns, now))
			event_send(0, kernel_address(address(bio)),
				   EVENT_NR_WHAT(nr, DONE(place, op) | DONE_ALL |
							     (bio->bi_status ? DONE_ERROR : 0)),
				   EVENT_BYTES_ERROR(entry->left, bio->bi_status), now);
	} else if (bio->bi_status) {
		/*
		 * Failed before it had a request, for example with REQ_NOWAIT: it will be queued
		 * again.
		 */
		add(counter->ios, -1);
		add(counter->bytes, -(__u64)entry->left);
		inflight_free(entry, counter, disk, now);
		return 0;
	}
	inflight_part(entry, disk, 0, true, now, now);
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
int bio_fallback(__u64 *ctx)
{
	__u64 at = address((const void *)ctx[1]);

	return was_skipped(MARK_BIO, at, at, false) ? on_bio_complete(ctx) : 0;
}

/*
 * Attached only while a disk has requests that do not carry their issue time. Runs before the
 * request is given its own.
 */
_always_ int on_rq_issue(__u64 *ctx, int of)
{
	const struct request *rq = UNTRUSTED(request, ctx[of]);
	const struct bio *bio = rq->bio;
	struct abi_inflight *entry = bio ? inflight_at(inflight_find(address(bio), true)) : NULL;
	const struct abi_disk *disk = entry ? inflight_disk(entry) : NULL;

	if (disk && !(disk->flags & ABI_DISK_SPLIT))
		entry->issue_ns = bpf_ktime_get_ns();
	return 0;
}

TWO_FORMS(rq_issue, block_rq_issue, on_rq_issue, 1)

_always_ int on_rq_requeue(__u64 *ctx, int of)
{
	const struct request *rq = UNTRUSTED(request, ctx[of]);
	struct abi_diskop *stat =
		diskop(disk_find((__u64)request_gendisk(rq)), op_of(rq->cmd_flags, false));

	if (stat)
		add(stat->requeues, 1);
	return 0;
}

TWO_FORMS(rq_requeue, block_rq_requeue, on_rq_requeue, 1)

_always_ int on_rq_merge(__u64 *ctx, int of)
{
	const struct request *rq = UNTRUSTED(request, ctx[of]);
	struct abi_diskop *stat =
		diskop(disk_find((__u64)request_gendisk(rq)), op_of(rq->cmd_flags, false));

	if (stat)
		add(stat->merges, 1);
	return 0;
}

/* A request that is merged into another one. */
TWO_FORMS(rq_merge, block_rq_merge, on_rq_merge, 1)

_always_ int on_bio_merge(__u64 *ctx, int of)
{
	const struct bio *bio = UNTRUSTED(bio, ctx[of]);
	struct abi_diskop *stat =
		diskop(disk_find((__u64)bio_gendisk(bio)), op_of(bio->bi_opf, false));

	if (stat)
		add(stat->merges, 1);
	return 0;
}

TWO_FORMS(bio_backmerge, block_bio_backmerge, on_bio_merge, 2)
TWO_FORMS(bio_frontmerge, block_bio_frontmerge, on_bio_merge, 2)

/*
 * Its main thread stands for a process: what another thread takes over with execve() is its ref
 * (successor.h), whether it has ended before that or ends for it. So it keeps it until the last
 * thread ends.
 */
SEC("tp_btf/sched_process_exit")
int ref_exit(__u64 *ctx)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	__u64 main_thread = (__u64)BPF_CORE_READ(task, group_leader), by = successor(task);
	struct task_slot *slot;
	bool last = !threads_left(task);
	__u32 number;

	if (by)
		ref_leave(ref_find(by), by);
	if (main_thread == (__u64)task && !last)
		return 0;
	slot = task_slot(false);
	number = slot ? slot->ref : 0;
	/* It may have a ref without I/O of its own. */
	if (!number && refs_by_others && ref_find((__u64)task)) {
		number = ref_current();
		slot = task_slot(false);
	}
	if (slot && number)
		slot->flags |= SLOT_ENDED;
	ref_leave(number, (__u64)task);
	if (main_thread != (__u64)task && last)
		ref_leave(ref_find(main_thread), main_thread);
	return 0;
}

/*
 * Who took over the numbers of the main thread has that one's ref. The one of its own ended with
 * the main thread, or ends now, when that had ended before.
 */
SEC("tp_btf/sched_process_exec")
int ref_exec(__u64 *ctx)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	struct task_slot *slot = task_slot(false), none = {};
	__u32 place = slot ? ABI_REF_INDEX(slot->ref) : 0;
	struct abi_task_ref *ref = bpf_map_lookup_elem(&task_refs, &place);

	if (!slot || place < ABI_REF_FIRST || !ref || slot->ref == ref_find((__u64)task))
		return 0;
	if (!(ref->flags & ABI_TASK_ENDED)) {
		ref_unindex(ref->start, ctx[1]);
		ref_ended(ref);
	}
	*slot = none;
	return 0;
}

FILL_PROGRAM(block_fill, block_push)
