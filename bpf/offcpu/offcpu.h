/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of tasks that block, who is wanted, and how time is charged. */
#ifndef IOTOP_BPF_OFFCPU_OFFCPU_H
#define IOTOP_BPF_OFFCPU_OFFCPU_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/common/longest.h"
#include "bpf/common/op.h"
#include "bpf/common/pid.h"
#include "bpf/common/stack.h"
#include "bpf/common/task.h"
#include "bpf/offcpu/holder.h"

/* The block of a task that is going on, and what woke it last. */
struct slot {
	__u64 start;		/* ns of CLOCK_MONOTONIC, 0: it does not block */
	__u64 runtime;		/* as it was then: when it has grown, the task ran since */
	__u64 delay;		/* as it was then: time in which it was ready to run */
	__u64 ustack;
	__u64 kstack, kstack_of;	/* of the block that began at this time */
	__u64 io_at, io_ns;	/* the last request that woke it: when, its latency */
	__u32 io_dev;
	__u8 state, flags;	/* flags: of the key, ABI_OFFCPU_* */
	__u8 io_op;
	__u8 by_io;		/* a request woke it from a sleep that does not look like I/O:
				 * likely the next time, too */
	__u32 seen;		/* sample that has charged a part of this block */
	__u32 none;
	struct lock lock;	/* that it waits for */
};

TASK_MAPS(struct slot, slot_get, slots, slots_hash, BPF_MAP_TYPE_LRU_HASH)

HASH_MAP(blocks, 1, struct abi_offcpu_key, struct abi_offcpu);

/* For what finds no room above: nothing is missing in the sums. */
HASH_MAP(blocks_rest, 64, struct abi_offcpu_key, struct abi_offcpu);

/* The last request that was completed on a processor, and by whom. */
struct request_done {
	__u64 at;	/* ns of CLOCK_MONOTONIC */
	__u64 latency;	/* ns, 0: unknown */
	__u64 held;	/* ns for which a limit had held it back before, or ABI_HELD_UNSEEN */
	__u32 dev, op;
	__u64 tid;	/* of the task that was current */
};

CPU_ARRAY(requests_done, 1, struct request_done);

/* Of the block programs, which ran before for the same completion. */
CPU_ARRAY(block_held_last, 1, struct abi_held_last);

#define PIDS 64

const volatile __u32 want_npids, want_pids[PIDS], want_tid;
const volatile bool want_user_threads = true, want_kernel_threads = true, want_self;
const volatile __u32 self_tgid;	/* of this program, as /proc numbers it; 0: not known */
const volatile __u64 min_ns, max_ns = ~0ULL;
const volatile __u64 want_states;	/* bits by letter; 0: what concerns I/O */

/* Written by user space. */
volatile bool want_all;		/* all states, when none were asked for */
volatile __u32 epoch;		/* number of the sample */
volatile __u64 sample_ns, last_sample_ns;	/* its time and that of the one before,
						 * CLOCK_MONOTONIC */

volatile __u64 offcpu_lost[ABI_OFFCPU_LOST_COUNT];

_always_ __u64 state_bit(__u8 letter)
{
	return 1ULL << (letter & 63);
}

/*
 * This program: its main process, or the keeper of its helpers and these, which are its children
 * and their children. Their names are looked at first: what is asked for every task that blocks
 * must not cost much.
 */
_always_ bool is_self(const struct task_struct *task, __u64 ids)
{
	static const char name[4] = { 'i', 'o', 't', 'o' };
	const struct task_struct *parent;

	if (ids >> 32 == self_tgid)
		return true;
	if (*(const __u32 *)task->comm != *(const __u32 *)name)
		return false;
	parent = BPF_CORE_READ(task, real_parent);
	return ids_probe_read(parent) >> 32 == self_tgid ||
	       ids_probe_read(BPF_CORE_READ(parent, real_parent)) >> 32 == self_tgid;
}

/* Wanted by who it is. */
_always_ bool task_selected(const struct task_struct *task)
{
	__u64 ids = ids_of(task);
	bool kernel;

	if (!ids || (!want_self && is_self(task, ids)))
		return false;
	if (want_tid && (__u32)ids != want_tid)
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
		if (want_pids[i] == ids >> 32)
			return true;
	}
	return false;
}

/* Wanted by how it sleeps; what is not may still be woken by a request. */
_always_ bool state_selected(__u8 letter, bool iowait)
{
	if (want_states)
		return want_states & state_bit(letter);
	return want_all || letter == 'D' || iowait;
}

/*
 * The kernel stack of a block, 0: not taken yet. The sample that takes it may be late: the task was
 * woken and blocks again.
 */
_always_ __u64 slot_kstack(const struct slot *slot, __u64 start)
{
	volatile const struct slot *now = slot;

	return now->kstack_of == start ? now->kstack : 0;
}

_always_ void slot_kstack_is(struct slot *slot, __u64 start, __u64 kstack)
{
	volatile struct slot *now = slot;

	now->kstack = kstack;
	now->kstack_of = start;
}

struct block {
	struct abi_offcpu_key key;
	__u64 ns, longest, io_ns;
	__u64 fresh_ns;		/* how much of ns is after the last sample */
	char comm[ABI_COMM], waker_comm[ABI_COMM], holder_comm[ABI_COMM];
};

/*
 * Too large for a program's stack; the second for the walk over tasks, which the others may
 * interrupt.
 */
CPU_ARRAY(block_scratch, 2, struct block);
CPU_ARRAY(block_fresh, 2, struct abi_offcpu);

_always_ struct abi_offcpu *block_counter(struct block *b, const struct task_struct *task,
					  __u32 scratch)
{
	struct abi_offcpu *c = bpf_map_lookup_elem(&blocks, &b->key), *fresh;

	if (c)
		return c;
	fresh = bpf_map_lookup_elem(&block_fresh, &scratch);
	if (!fresh)
		return NULL;
	__builtin_memcpy(fresh->comm, b->comm, sizeof(fresh->comm));
	__builtin_memcpy(fresh->waker_comm, b->waker_comm, sizeof(fresh->waker_comm));
	__builtin_memcpy(fresh->holder_comm, b->holder_comm, sizeof(fresh->holder_comm));
	fresh->cgroup = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
	fresh->uid = BPF_CORE_READ(task, real_cred, uid.val);
	bpf_map_update_elem(&blocks, &b->key, fresh, BPF_NOEXIST);
	c = bpf_map_lookup_elem(&blocks, &b->key);
	if (c)
		return c;
	__sync_fetch_and_add(&offcpu_lost[ABI_OFFCPU_COUNTERS], 1);
	b->key.start = b->key.waker_start = b->key.holder_start = 0;
	b->key.kstack = b->key.ustack = b->key.waker_kstack = b->key.waker_ustack = 0;
	b->key.tgid = b->key.tid = b->key.waker_tgid = b->key.waker_tid = 0;
	b->key.holder_tgid = b->key.holder_tid = 0;
	b->key.io_dev = b->key.io_op = 0;
	__builtin_memset(fresh->comm, 0, sizeof(fresh->comm));
	__builtin_memset(fresh->waker_comm, 0, sizeof(fresh->waker_comm));
	__builtin_memset(fresh->holder_comm, 0, sizeof(fresh->holder_comm));
	fresh->cgroup = fresh->uid = 0;
	bpf_map_update_elem(&blocks_rest, &b->key, fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&blocks_rest, &b->key);
}

_always_ void block_charge(struct block *b, const struct task_struct *task, __u32 scratch,
			   __u32 interval)
{
	struct abi_offcpu *c = block_counter(b, task, scratch);

	if (!c)
		return;
	/*
	 * A block that ended: what user space reads late must not be of the interval before. Only
	 * one processor wakes a task.
	 */
	if (interval == epoch) {
		if (c->fresh_epoch != interval) {
			c->fresh_ns = c->fresh_count = c->fresh_io_ns = 0;
			c->fresh_epoch = interval;
		}
		add(c->fresh_ns, b->fresh_ns);
		add(c->fresh_count, 1);
		add(c->fresh_io_ns, b->io_ns);
	}
	add(c->blocked_ns, b->ns);
	add(c->count, 1);
	if (b->io_ns)
		add(c->io_ns, b->io_ns);
	longest_add(c->max, interval, b->longest);
}

_always_ __u8 block_flags(const struct task_struct *task, bool iowait)
{
	return (iowait ? ABI_OFFCPU_IOWAIT : 0) |
	       (task_in_memstall(task) ? ABI_OFFCPU_MEMSTALL : 0);
}

_always_ void block_of(struct block *b, const struct task_struct *task, const struct slot *slot)
{
	__u64 ids = ids_of(task);

	__builtin_memset(b, 0, sizeof(*b));
	b->key.start = task->start_boottime;
	b->key.tgid = ids >> 32;
	b->key.tid = (__u32)ids;
	b->key.state = slot->state;
	b->key.flags = slot->flags;
	b->key.ustack = slot->ustack;
	bpf_core_read(b->comm, sizeof(b->comm), &task->comm);
}

/* How much of a block is after this time. */
_always_ __u64 after(__u64 from, __u64 start, __u64 now)
{
	if (from < start)
		from = start;
	return now > from ? now - from : 0;
}

#endif
