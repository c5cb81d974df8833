/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for a page of the page cache in a system call or a page fault: until it was read, or
 * written, or another has done with it. No tracepoint tells it, but where a task leaves the
 * processor does: all such waits go through a few functions.
 */
#ifndef IOTOP_BPF_LAYERS_PAGEWAIT_H
#define IOTOP_BPF_LAYERS_PAGEWAIT_H

#include "bpf/common/address.h"
#include "bpf/layers/caller.h"
#include "bpf/layers/fsync.h"

#define TASK_UNINTERRUPTIBLE 2	/* TASK_KILLABLE has it, too */
#define PAGE_WAIT_DEPTH 16	/* of the way from the tracepoint up to the functions below about
				 * half */

#define FAULT_SIZE 0xa00	/* of filemap_fault(); what follows are faults, too */
#define PAGE_WAIT_SIZE 0x320	/* about as long as they are; what follows them waits for pages,
				 * too, or not at all */

/*
 * Is this address in a function of such a size? 1 or 0, reckoned without a jump: older verifiers
 * follow both ways of each. From the first address on it is not negative, less the size it is. What
 * is not there has the address 0, and those of the kernel are negative.
 */
_always_ __u64 within_size(__u64 ip, __u64 function, __u64 size)
{
	return (~(ip - function) & (ip - function - size)) >> 63;
}

#define WITHIN(ip, name) within_size(ip, AT(name), PAGE_WAIT_SIZE)

__noinline __u32 is_page_wait(__u64 ip)
{
	/* No address: the end of the stack, or a function that is not there. */
	__u64 given = (ip | -ip) >> 63;

	return given &
	       (WITHIN(ip, folio_wait_bit_common) | WITHIN(ip, folio_wait_bit) |
		WITHIN(ip, __folio_lock) | WITHIN(ip, __folio_lock_killable) |
		WITHIN(ip, wait_on_page_bit_common) | WITHIN(ip, wait_on_page_bit) |
		WITHIN(ip, wait_on_page_bit_killable) | WITHIN(ip, put_and_wait_on_page_locked) |
		WITHIN(ip, __lock_page) | WITHIN(ip, __lock_page_killable));
}

__noinline __u32 is_fault(__u64 ip)
{
	return (ip | -ip) >> 63 & within_size(ip, AT(filemap_fault), FAULT_SIZE);
}

_always_ __u64 faults_of(const struct task_struct *task)
{
	return BPF_CORE_READ(task, min_flt) + BPF_CORE_READ(task, maj_flt);
}

/* The current task needs a page of this file (by its address_space), maybe for a fault. */
__noinline int fault_of(__u64 mapping)
{
	struct layer_task *t = mapping && task_wanted() ? layer_task(true) : NULL;

	if (!t)
		return 0;
	t->fault = (__u64)BPF_CORE_READ((const struct address_space *)mapping, host);
	t->faults = faults_of((const struct task_struct *)bpf_get_current_task());
	return 0;
}

/* In a fault; of which file is known if it was told since the fault before. */
__noinline int fault_waits(void)
{
	struct layer_task *t = task_wanted() ? layer_task(true) : NULL;
	__u32 what = LAYER_WHAT(ABI_LAYER_CACHE, ABI_LAYER_FAULT, 0);
	struct layer_frame *f;
	__u64 inode;

	if (!t)
		return 0;
	f = &t->frame[FRAME_CACHE];
	inode = t->faults == faults_of((const struct task_struct *)bpf_get_current_task())
			? t->fault
			: 0;
	f->place = inode ? inode_place(t, inode, what) : layer_place(0, what, 0);
	f->op = ABI_LAYER_FAULT;
	frame_file(f, inode);
	f->start = f->place ? bpf_ktime_get_ns() : 0;
	return 0;
}

/* In a call. */
_always_ void call_waits(struct layer_task *t)
{
	struct layer_frame *call = &t->frame[FRAME_CALL], *f = &t->frame[FRAME_CACHE];

	f->place = place_beside(call->place, ABI_LAYER_CACHE, call->op);
	f->op = call->op;
	f->ino = call->ino;
	f->sdev = call->sdev;
	f->start = f->place ? bpf_ktime_get_ns() : 0;
}

/* The current task leaves the processor. */
_always_ void page_wait_begin(void *ctx, struct task_struct *task)
{
	__u64 stack[PAGE_WAIT_DEPTH] = {};
	struct layer_task *t;
	__u32 waits = 0, fault = 0;

	if (!BPF_CORE_READ_BITFIELD(task, in_iowait) ||
	    bpf_get_stack(ctx, stack, sizeof(stack), 0) <= 0)
		return;
	for (int i = 0; i < PAGE_WAIT_DEPTH; i++)
		waits |= is_page_wait(stack[i]);
	if (!waits)
		return;
	for (int i = 0; i < PAGE_WAIT_DEPTH; i++)
		fault |= is_fault(stack[i]);
	if (fault) {
		fault_waits();
		return;
	}
	t = layer_task_of(task, false);
	if (t && t->frame[FRAME_CALL].start)
		call_waits(t);
}

_always_ void page_wait_end(struct task_struct *task)
{
	struct layer_task *t = layer_task_of(task, false);

	if (t && t->frame[FRAME_CACHE].start)
		frame_end_of(&t->frame[FRAME_CACHE], bpf_ktime_get_ns(), (__u64)task);
}

#endif
