/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time off the processor: from the switch to another task to the wake-up, booked to who waited, where, and who woke it. A block
 * that is shorter than asked for costs no walk of a kernel stack. Blocks that go on are booked by a walk over all tasks at each
 * sample, up to then; their wake-up books the rest.
 */
#include "bpf/abi.h"
#include "bpf/kernel.h"
#include "bpf/longest.h"
#include "bpf/op.h"
#include "bpf/stack.h"
#include "bpf/wake.h"

char LICENSE[] SEC("license") = "GPL";

/* The block of a task that is going on, and what woke it last. */
struct slot {
	__u64 start;		/* ns of CLOCK_MONOTONIC, 0: it does not block */
	__u64 runtime;		/* as it was then: when it has grown, the task ran since */
	__u64 ustack;
	__u64 kstack;		/* 0: not taken yet */
	__u64 io_at, io_ns;	/* the last request that woke it: when, its latency */
	__u32 io_dev;
	__u8 state, iowait, io_op;
	__u8 by_io;		/* a request woke it from a sleep that does not look like I/O: likely the next time, too */
	__u32 seen;		/* sample that has booked a part of this block */
	__u32 spare;
};

struct slot_key {
	__u64 start;
	__u64 tid;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);	/* 5.11 */
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1);
	__type(key, struct slot_key);
	__type(value, struct slot);
} slots_hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct abi_offcpu_key);
	__type(value, struct abi_offcpu);
} blocks SEC(".maps");

/* For what finds no room above: nothing is missing in the sums. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, struct abi_offcpu_key);
	__type(value, struct abi_offcpu);
} blocks_rest SEC(".maps");

/* The last request that was completed on a processor, and by whom. */
struct request_done {
	__u64 at;	/* ns of CLOCK_MONOTONIC */
	__u64 latency;	/* ns, 0: unknown */
	__u32 dev, op;
	__u64 tid;	/* of the task that was current */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct request_done);
} requests_done SEC(".maps");

#define PIDS 64

const volatile bool has_task_storage = true;
const volatile __u32 want_npids, want_pids[PIDS], want_tid;
const volatile bool want_user_threads = true, want_kernel_threads = true, want_self;
const volatile __u64 min_ns, max_ns = ~0ULL;
const volatile __u64 want_states;	/* bits by letter; 0: what concerns I/O */

/* Written by user space. */
volatile bool want_all;		/* all states, when none were asked for */
volatile __u32 epoch;		/* number of the sample */
volatile __u64 sample_ns, last_sample_ns;	/* its time and that of the one before, CLOCK_MONOTONIC */
volatile __u32 self_tgid;	/* written by the walk over tasks: it runs in our process */

volatile __u64 offcpu_lost[ABI_OFFCPU_LOST_COUNT];

_always_ struct slot *slot_get(struct task_struct *task, bool create)
{
	struct slot zero = {}, *slot;
	struct slot_key key;

	if (has_task_storage)
		return bpf_task_storage_get(&slots, task, 0, create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
	key.start = task->start_boottime;
	key.tid = task->pid;
	slot = bpf_map_lookup_elem(&slots_hash, &key);
	if (slot || !create)
		return slot;
	bpf_map_update_elem(&slots_hash, &key, &zero, BPF_NOEXIST);
	return bpf_map_lookup_elem(&slots_hash, &key);
}

_always_ __u64 state_bit(__u8 letter)
{
	return 1ULL << (letter & 63);
}

/* Wanted by who it is. */
_always_ bool wanted_task(const struct task_struct *task)
{
	bool kernel;

	if (!want_self && (__u32)task->tgid == self_tgid)
		return false;
	if (want_tid && (__u32)task->pid != want_tid)
		return false;
	if (!want_user_threads || !want_kernel_threads) {
		kernel = task->flags & KERNEL_PF_KTHREAD;
		if (kernel ? !want_kernel_threads : !want_user_threads)
			return false;
	}
	if (!want_npids)
		return true;
	for (__u32 i = 0; i < PIDS; i++) {
		if (i >= want_npids)
			break;
		if (want_pids[i] == (__u32)task->tgid)
			return true;
	}
	return false;
}

/* Wanted by how it sleeps; what is not may still be woken by a request. */
_always_ bool wanted_state(__u8 letter, bool iowait)
{
	if (want_states)
		return want_states & state_bit(letter);
	return want_all || letter == 'D' || iowait;
}

SEC("tp_btf/sched_switch")
int block_begin(__u64 *ctx)
{
	struct task_struct *prev = (struct task_struct *)ctx[1];
	struct slot *slot;
	__u64 now, ustack = 0;
	bool iowait;
	__u8 letter;

	/* Preempted, or runnable: it comes back by itself. The idle tasks are always runnable. */
	if (ctx[0] || !task_state(prev) || !wanted_task(prev))
		return 0;
	letter = task_letter(prev);
	iowait = BPF_CORE_READ_BITFIELD(prev, in_iowait);
	if (want_states ? !(want_states & state_bit(letter)) : letter == 'I' && !want_all && !iowait)
		return 0;
	now = bpf_ktime_get_ns();
	slot = slot_get(prev, true);
	if (!slot) {
		__sync_fetch_and_add(&offcpu_lost[ABI_OFFCPU_SLOTS], 1);
		return 0;
	}
	if (slot->by_io || wanted_state(letter, iowait))
		ustack = stack_user(ctx, prev, BPF_CORE_READ(prev, group_leader, start_boottime));
	slot->ustack = ustack;
	slot->kstack = 0;
	slot->runtime = prev->se.sum_exec_runtime;
	slot->state = letter;
	slot->iowait = iowait;
	slot->seen = 0;
	slot->start = now;
	return 0;
}

/* The kernel stack of a task that does not run. */
_always_ __u64 stack_of(struct task_struct *task, __u32 scratch)
{
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &scratch);

	if (!want_kernel_stacks || !s)
		return 0;
	s->start = s->mm = s->tgid = 0;
	if (!stack_taken(s, bpf_get_task_stack(task, s->ip, sizeof(s->ip), 0), 0))
		return 0;
	return stack_store(scratch);
}

/* The request whose completion may be going on here. */
_always_ struct request_done *request_of(__u64 now)
{
	__u32 zero = 0;
	struct request_done *done = bpf_map_lookup_elem(&requests_done, &zero);

	/* A completion wakes its waiters at once. */
	if (!done || !done->at || now - done->at > 200000 || done->tid != (__u32)bpf_get_current_pid_tgid())
		return NULL;
	return done;
}

struct block {
	struct abi_offcpu_key key;
	__u64 ns, longest, io_ns;
	char comm[ABI_COMM], waker_comm[ABI_COMM];
};

/* Too large for a program's stack; the second for the walk over tasks, which the others may interrupt. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct block);
} block_scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct abi_offcpu);
} block_fresh SEC(".maps");

_always_ struct abi_offcpu *block_counter(struct block *b, __u32 scratch)
{
	struct abi_offcpu *c = bpf_map_lookup_elem(&blocks, &b->key), *fresh;

	if (c)
		return c;
	fresh = bpf_map_lookup_elem(&block_fresh, &scratch);
	if (!fresh)
		return NULL;
	__builtin_memcpy(fresh->comm, b->comm, sizeof(fresh->comm));
	__builtin_memcpy(fresh->waker_comm, b->waker_comm, sizeof(fresh->waker_comm));
	bpf_map_update_elem(&blocks, &b->key, fresh, BPF_NOEXIST);
	c = bpf_map_lookup_elem(&blocks, &b->key);
	if (c)
		return c;
	__sync_fetch_and_add(&offcpu_lost[ABI_OFFCPU_COUNTERS], 1);
	b->key.start = b->key.waker_start = 0;
	b->key.kstack = b->key.ustack = b->key.waker_kstack = b->key.waker_ustack = 0;
	b->key.tgid = b->key.tid = b->key.waker_tgid = b->key.waker_tid = 0;
	b->key.io_dev = b->key.io_op = 0;
	__builtin_memset(fresh->comm, 0, sizeof(fresh->comm));
	__builtin_memset(fresh->waker_comm, 0, sizeof(fresh->waker_comm));
	bpf_map_update_elem(&blocks_rest, &b->key, fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&blocks_rest, &b->key);
}

_always_ void block_book(struct block *b, __u32 scratch, __u32 interval)
{
	struct abi_offcpu *c = block_counter(b, scratch);

	if (!c)
		return;
	add(c->blocked_ns, b->ns);
	add(c->count, 1);
	if (b->io_ns)
		add(c->io_ns, b->io_ns);
	longest_note(c->max, interval, b->longest);
}

_always_ void block_of(struct block *b, const struct task_struct *task, const struct slot *slot)
{
	__builtin_memset(b, 0, sizeof(*b));
	b->key.start = task->start_boottime;
	b->key.tgid = task->tgid;
	b->key.tid = task->pid;
	b->key.state = slot->state;
	b->key.flags = slot->iowait ? ABI_OFFCPU_IOWAIT : 0;
	b->key.ustack = slot->ustack;
	bpf_core_read(b->comm, sizeof(b->comm), &task->comm);
}

/* How much of a block no sample has booked yet. No interval gets more than its length. */
_always_ __u64 rest_of(const struct slot *slot, __u64 start, __u64 now)
{
	__u64 from = slot->seen == epoch ? sample_ns : last_sample_ns;

	if (from < start)
		from = start;
	return now > from ? now - from : 0;
}

/* A task that was woken by a request in the meantime passes that on: a journal's thread, a worker. */
_always_ void block_via(struct block *b, __u64 start)
{
	struct slot_key key = { .start = b->key.waker_start, .tid = b->key.waker_tid };
	const struct slot *slot;

	if (has_task_storage)
		slot = bpf_task_storage_get(&slots, bpf_get_current_task_btf(), 0, 0);
	else
		slot = bpf_map_lookup_elem(&slots_hash, &key);
	if (!slot || slot->io_at <= start)
		return;
	b->key.io_dev = slot->io_dev;
	b->key.io_op = slot->io_op;
	b->key.flags |= ABI_OFFCPU_VIA;
	b->io_ns = slot->io_ns;
}

/* Looks at the current stack, which stays in the scratch: as waker_kind(). */
_always_ __u32 waker_look(void *ctx)
{
	__u32 zero = 0;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);

	if (!s)
		return ABI_WAKER_UNKNOWN;
	s->start = s->mm = s->tgid = s->n = 0;
	if (!stack_taken(s, bpf_get_stack(ctx, s->ip, sizeof(s->ip), 0), 0))
		return ABI_WAKER_UNKNOWN;
	return waker_kind();
}

_always_ void waker_note(void *ctx, struct block *b)
{
	struct task_struct *me = (struct task_struct *)bpf_get_current_task();
	__u64 ids = bpf_get_current_pid_tgid();

	if (b->key.waker != ABI_WAKER_UNKNOWN && want_kernel_stacks)
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
	__u64 now, start, ns;
	__u32 zero = 0, kind, by_io;
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
	done = request_of(now);
	if (!done && !wanted_state(slot->state, slot->iowait)) {
		slot->by_io = 0;
		return 0;
	}
	b = bpf_map_lookup_elem(&block_scratch, &zero);
	if (!b)
		return 0;
	block_of(b, task, slot);
	kind = waker_look(ctx);
	b->key.waker = (__u8)kind;
	by_io = kind & WAKER_REQUEST && done;
	/* Else the compiler makes a mask of it, and pointers are not for masks. */
	barrier_var(by_io);
	slot->by_io = by_io;
	if (!by_io && !wanted_state(slot->state, slot->iowait))
		return 0;
	b->ns = rest_of(slot, start, now);
	b->longest = ns;
	waker_note(ctx, b);
	b->key.kstack = slot->kstack ? slot->kstack : stack_of(task, 0);
	if (by_io && done) {
		slot->io_at = now;
		slot->io_ns = b->io_ns = done->latency;
		slot->io_dev = b->key.io_dev = done->dev;
		slot->io_op = b->key.io_op = done->op;
	} else if (b->key.waker == ABI_WAKER_TASK) {
		block_via(b, start);
	}
	block_book(b, 0, epoch);
	return 0;
}

_always_ void request_note(const struct request *rq)
{
	__u64 started = BPF_CORE_READ(rq, start_time_ns), now = bpf_ktime_get_ns();
	__u32 zero = 0;
	struct request_done *done = bpf_map_lookup_elem(&requests_done, &zero);
	const struct gendisk *disk = request_gendisk(rq);

	if (!done || !disk)
		return;
	done->at = now;
	done->latency = started && now > started ? now - started : 0;
	done->dev = gendisk_dev(disk);
	done->op = op_of(BPF_CORE_READ(rq, cmd_flags), false);
	done->tid = (__u32)bpf_get_current_pid_tgid();
}

/* Runs before the bios of the request end, which wakes who waits for them. */
SEC("tp_btf/block_rq_complete")
int block_request_done(__u64 *ctx)
{
	request_note((const struct request *)ctx[0]);
	return 0;
}

/* Read at each sample: books what goes on, up to sample_ns, in the interval that has just ended. */
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

	self_tgid = bpf_get_current_pid_tgid() >> 32;
	if (!task || !task_state(task) || task->exit_state || task->on_cpu || !wanted_task(task))
		return 0;
	letter = task_letter(task);
	iowait = BPF_CORE_READ_BITFIELD(task, in_iowait);
	if (!wanted_state(letter, iowait))
		return 0;
	slot = slot_get(task, true);
	if (!slot)
		return 0;
	start = slot->start;
	if (!start || slot->runtime != task->se.sum_exec_runtime) {
		/* It blocked before we looked; its time begins here. */
		slot->ustack = slot->kstack = slot->seen = 0;
		slot->state = letter;
		slot->iowait = iowait;
		slot->runtime = task->se.sum_exec_runtime;
		slot->start = sample_ns;
		return 0;
	}
	if (start >= sample_ns || sample_ns - start < min_ns || sample_ns - start > max_ns)
		return 0;
	b = bpf_map_lookup_elem(&block_scratch, &scratch);
	if (!b)
		return 0;
	block_of(b, task, slot);
	b->longest = sample_ns - start;
	b->ns = sample_ns - (start > last_sample_ns ? start : last_sample_ns);
	if (!slot->kstack)
		slot->kstack = stack_of(task, 1);
	b->key.kstack = slot->kstack;
	slot->seen = epoch;
	block_book(b, 1, epoch - 1);
	return 0;
}
