/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Off-CPU time: from sched_switch to sched_waking, charged to the blocked task, its stacks and its
 * waker. A block shorter than min_ns costs no kernel stack. Blocks that go on are charged by an
 * iterator over all tasks at each sample, up to its time; their wake-up charges the rest.
 */
#include "bpf/abi.h"
#include "bpf/common/orc.h"
#include "bpf/common/kernel.h"
#include "bpf/offcpu/offcpu.h"
#include "bpf/common/op.h"
#include "bpf/common/stack.h"
#include "bpf/common/user_stack.h"
#include "bpf/offcpu/wakeup.h"

char LICENSE[] SEC("license") = "GPL";

/* The id of the kernel stack of a task that is switched out. */
_always_ __u64 stack_blocked(struct task_struct *task, __u32 scratch)
{
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &scratch);

	if (!want_kernel_stacks || !s)
		return 0;
	s->start = s->mm = s->tgid = 0;
	if (!stack_taken(s, bpf_get_task_stack(task, s->ip, sizeof(s->ip), 0), 0))
		return 0;
	return stack_store(scratch);
}

/*
 * The same for a task that only this program can wake now: unwound by ourselves where that gives a
 * stack that is stored.
 */
_always_ __u64 stack_sleeping(struct task_struct *task)
{
	__u64 own, id;

	if (!want_kernel_stacks)
		return 0;
	own = unwind_sleeping(task) ? stack_hash(0) : 0;
	if (stack_stored(own))
		return own;
	id = stack_blocked(task, 0);
	unwind_compare(own, id);
	return id;
}

/* The request whose completion may be going on here. */
_always_ struct request_done *request_of(__u64 now)
{
	__u32 zero = 0;
	struct request_done *done = bpf_map_lookup_elem(&requests_done, &zero);

	/* A completion wakes its waiters at once. */
	if (!done || !done->at || now - done->at > 200000 ||
	    done->tid != (__u32)bpf_get_current_pid_tgid())
		return NULL;
	return done;
}

/* ns in which a task was runnable and did not run; 0: the kernel does not count it. */
_always_ __u64 run_delay(const struct task_struct *task)
{
	return bpf_core_field_exists(task->sched_info.run_delay) ? task->sched_info.run_delay : 0;
}

/*
 * A block whose end was not seen: while another tracer comes or goes, the kernel skips programs.
 * Until then the task was neither running nor runnable. There is no such time where the waker was
 * only faster than the switch.
 */
#define SLACK_NS 1000000

_always_ void block_unseen(const struct task_struct *task, const struct slot *slot, __u64 until)
{
	volatile const struct slot *now = slot;
	__u64 start = now->start;
	__u32 zero = 0;
	struct block *b;

	/* It may be woken at this moment. */
	if (!start || until < start + SLACK_NS)
		return;
	__sync_fetch_and_add(&offcpu_lost[ABI_OFFCPU_WAKEUPS], 1);
	b = bpf_map_lookup_elem(&block_scratch, &zero);
	if (!b || !state_selected(slot->state, slot->flags & ABI_OFFCPU_IOWAIT) ||
	    until - start < min_ns ||
	    until - start > max_ns)
		return;
	block_of(b, task, slot);
	b->key.waker = ABI_WAKER_UNKNOWN;
	b->key.kstack = slot_kstack(slot, start);
	b->ns = after(slot->seen == epoch ? sample_ns : last_sample_ns, start, until);
	b->fresh_ns = after(sample_ns, start, until);
	b->longest = until - start;
	block_charge(b, task, 0, epoch);
}

SEC("tp_btf/sched_switch")
int block_begin(__u64 *ctx)
{
	struct task_struct *prev = (struct task_struct *)ctx[1];
	struct slot *slot;
	__u64 now, delay, ustack = 0;
	bool iowait;
	__u8 letter;

	/* Preempted, or runnable: it comes back by itself. The idle tasks are always runnable. */
	if (ctx[0] || !task_state(prev) || !task_selected(prev))
		return 0;
	letter = task_letter(prev);
	iowait = BPF_CORE_READ_BITFIELD(prev, in_iowait);
	if (want_states ? !(want_states & state_bit(letter))
			: letter == 'I' && !want_all && !iowait)
		return 0;
	now = bpf_ktime_get_ns();
	slot = slot_get(prev, true);
	if (!slot) {
		__sync_fetch_and_add(&offcpu_lost[ABI_OFFCPU_SLOTS], 1);
		return 0;
	}
	if (slot->by_io || state_selected(letter, iowait))
		ustack = stack_user(ctx, prev, BPF_CORE_READ(prev, group_leader, start_boottime));
	delay = run_delay(prev);
	if (slot->start && delay)
		block_unseen(prev, slot,
			     now - (prev->se.sum_exec_runtime - slot->runtime) -
				     (delay - slot->delay));
	slot->delay = delay;
	slot->ustack = ustack;
	slot->runtime = prev->se.sum_exec_runtime;
	slot->state = letter;
	slot->flags = block_flags(prev, iowait);
	slot->seen = 0;
	slot->start = now;
	return 0;
}

/* A waker that a request has woken meanwhile passes the request on: a journal thread, a worker. */
_always_ void block_via(struct block *b, __u64 start)
{
	const struct slot *slot = slot_get(current_task(), false);

	if (!slot || slot->io_at <= start)
		return;
	b->key.io_dev = slot->io_dev;
	b->key.io_op = slot->io_op;
	b->key.flags |= ABI_OFFCPU_VIA;
	b->io_ns = slot->io_ns;
}

/*
 * Finds the kind of waker in the current stack. A stored stack goes into the block, else it stays
 * in the scratch.
 */
_always_ __u32 waker_find(void *ctx, struct block *b)
{
	__u32 zero = 0, kind;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	__u64 own = 0;

	if (!s)
		return ABI_WAKER_UNKNOWN;
	if (want_kernel_stacks && unwind_current(ctx)) {
		kind = waker_kind();
		own = stack_hash(0);
		b->key.waker_kstack = stack_stored(own) ? own : 0;
		if (b->key.waker_kstack)
			return kind;
	}
	s->start = s->mm = s->tgid = s->n = 0;
	if (!stack_taken(s, bpf_get_stack(ctx, s->ip, sizeof(s->ip), 0), 0))
		return ABI_WAKER_UNKNOWN;
	caller_search(frame_number(ctx));
	kind = waker_kind();
	unwind_compare(own, stack_hash(0));
	return kind;
}

_always_ void waker_describe(void *ctx, struct block *b)
{
	struct task_struct *me = (struct task_struct *)bpf_get_current_task();
	__u64 ids = current_ids();

	if (b->key.waker != ABI_WAKER_UNKNOWN && want_kernel_stacks && !b->key.waker_kstack)
		b->key.waker_kstack = stack_store(0);
	if (b->key.waker != ABI_WAKER_TASK)
		return;
	b->key.waker_start = BPF_CORE_READ(me, start_boottime);
	b->key.waker_tgid = ids >> 32;
	b->key.waker_tid = (__u32)ids;
	bpf_get_current_comm(b->waker_comm, sizeof(b->waker_comm));
	b->key.waker_ustack = stack_user(ctx, me, BPF_CORE_READ(me, group_leader, start_boottime));
}

/* sched_waking runs where the waker is, before the task is made runnable. */
SEC("tp_btf/sched_waking")
int block_end(__u64 *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx[0];
	struct slot *slot = slot_get(task, false);
	struct request_done *done;
	__u64 now, start, ns, held;
	__u32 zero = 0, kind;
	struct block *b;

	if (!slot || !slot->start)
		return 0;
	start = slot->start;
	slot->start = 0;
	/* It ran since, or has not left yet: no block of which we know the begin. */
	if (slot->runtime != task->se.sum_exec_runtime || task->on_cpu)
		return 0;
	now = bpf_ktime_get_ns();
	if (now <= start)
		return 0;
	ns = now - start;
	if (ns < min_ns || ns > max_ns)
		return 0;
	if (!request_of(now) && !state_selected(slot->state, slot->flags & ABI_OFFCPU_IOWAIT)) {
		slot->by_io = 0;
		return 0;
	}
	b = bpf_map_lookup_elem(&block_scratch, &zero);
	if (!b)
		return 0;
	block_of(b, task, slot);
	kind = waker_find(ctx, b);
	b->key.waker = (__u8)kind;
	/* Looked up again: kept, it would double the verifier's paths through the stack. */
	done = kind & WAKER_REQUEST ? request_of(now) : NULL;
	slot->by_io = !!done;
	if (!done && !state_selected(slot->state, slot->flags & ABI_OFFCPU_IOWAIT))
		return 0;
	/* What no sample has charged yet; no interval gets more than its length. */
	b->ns = after(slot->seen == epoch ? sample_ns : last_sample_ns, start, now);
	b->fresh_ns = after(sample_ns, start, now);
	b->longest = ns;
	waker_describe(ctx, b);
	b->key.kstack = slot_kstack(slot, start);
	if (!b->key.kstack)
		b->key.kstack = stack_sleeping(task);
	if (done) {
		slot->io_at = now;
		slot->io_ns = b->io_ns = done->latency;
		slot->io_dev = b->key.io_dev = done->dev;
		slot->io_op = b->key.io_op = done->op;
		/* Where nobody saw when it was held: who waited before it began waited for that. */
		held = done->held;
		if (held == ABI_HELD_UNSEEN)
			held = done->latency ? after(0, done->latency, ns) : 0;
		if (held > ns / 2)
			b->key.flags |= ABI_OFFCPU_LIMITED;
	} else if (b->key.waker == ABI_WAKER_TASK) {
		block_via(b, start);
	}
	block_charge(b, task, 0, epoch);
	return 0;
}

_always_ void request_remember(const struct request *rq, __u32 bytes)
{
	__u64 started = BPF_CORE_READ(rq, start_time_ns), now = bpf_ktime_get_ns();
	__u32 zero = 0;
	struct request_done *done = bpf_map_lookup_elem(&requests_done, &zero);
	const struct gendisk *disk = request_gendisk(rq);
	const struct abi_held_last *held = bpf_map_lookup_elem(&block_held_last, &zero);

	if (!done || !disk)
		return;
	done->at = now;
	done->held = held && held->bio && held->bio == (__u64)BPF_CORE_READ(rq, bio) ? held->ns : 0;
	done->latency = started && now > started ? now - started : 0;
	/* A path of an NVMe disk is a disk for nobody. */
	done->dev = gendisk_hidden(disk) ? 0 : gendisk_dev(disk);
	done->op = op_of_request(rq, BPF_CORE_READ(rq, bio), bytes);
	done->tid = (__u32)bpf_get_current_pid_tgid();
}

/* Runs before the bios of the request end, which wakes who waits for them. */
SEC("tp_btf/block_rq_complete")
int block_request_done(__u64 *ctx)
{
	request_remember((const struct request *)ctx[0], ctx[2]);
	return 0;
}

/* Who holds what a task waits for that sleeps still, since start. */
_always_ void block_held(struct block *b, const struct task_struct *task, struct slot *slot,
			 __u64 start)
{
	struct holder h = {};
	__u32 zero = 0;
	const struct stack_words *words = bpf_map_lookup_elem(&stack_words, &zero);

	if (slot->lock.start != start && words) {
		slot->lock.kind = lock_search(task_address(task), stack_pointer(task));
		slot->lock.address = words->at[0];
		slot->lock.start = start;
	}
	if (slot->lock.kind == ABI_LOCK_NONE)
		return;
	holder_of(&h, lock_owner(&slot->lock));
	b->key.flags |= slot->lock.kind << ABI_OFFCPU_LOCK;
	b->key.holder_start = h.start;
	b->key.holder_tgid = h.tgid;
	b->key.holder_tid = h.tid;
	__builtin_memcpy(b->holder_comm, h.comm, sizeof(b->holder_comm));
}

/*
 * Runs at each sample: charges blocks that go on, up to sample_ns, to the interval that has just
 * ended.
 */
SEC("iter/task")
int block_goes_on(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	__u32 scratch = 1;
	struct slot *slot;
	struct block *b;
	__u64 start;
	__u8 letter;
	bool iowait;

	if (!task || !task_state(task) || task->exit_state || task->on_cpu || !task_selected(task))
		return 0;
	letter = task_letter(task);
	iowait = BPF_CORE_READ_BITFIELD(task, in_iowait);
	if (!state_selected(letter, iowait))
		return 0;
	slot = slot_get(task, true);
	if (!slot)
		return 0;
	start = slot->start;
	if (!start || slot->runtime != task->se.sum_exec_runtime) {
		/* It blocked before we looked; its time begins here. */
		slot->ustack = slot->seen = 0;
		slot->state = letter;
		slot->flags = block_flags(task, iowait);
		slot->runtime = task->se.sum_exec_runtime;
		slot->delay = run_delay(task);
		slot->start = sample_ns;
		return 0;
	}
	if (start >= sample_ns || sample_ns - start < min_ns || sample_ns - start > max_ns)
		return 0;
	b = bpf_map_lookup_elem(&block_scratch, &scratch);
	if (!b)
		return 0;
	block_of(b, task, slot);
	block_held(b, task, slot, start);
	b->longest = sample_ns - start;
	b->ns = sample_ns - (start > last_sample_ns ? start : last_sample_ns);
	b->key.kstack = slot_kstack(slot, start);
	if (!b->key.kstack)
		b->key.kstack = stack_blocked(task, 1);
	/* Woken meanwhile: its end was charged, and nothing found here need be of that block. */
	if (*(volatile const __u64 *)&slot->start != start)
		return 0;
	slot_kstack_is(slot, start, b->key.kstack);
	slot->seen = epoch;
	block_charge(b, task, 1, epoch - 1);
	return 0;
}
