/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for a page of the page cache in a system call or a page fault: until it is read, written
 * back or unlocked. No tracepoint tells it; the stack at sched_switch does, since all such waits go
 * through a few functions.
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
 * Whether an address is in a function of this size, 1 or 0. Without branches, which would double
 * the paths for older verifiers: the address minus the function is not negative, and minus its size
 * is. Missing functions have the address 0, kernel addresses are negative.
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
__noinline int fault_remember(__u64 mapping)
{
	struct layer_task *t = mapping && task_selected() ? layer_task(true) : NULL;

	if (!t)
		return 0;
	t->fault = (__u64)BPF_CORE_READ((const struct address_space *)mapping, host);
	t->faults = faults_of((const struct task_struct *)bpf_get_current_task());
	return 0;
}

/* Waits in a fault. Its file is known if it was told since the fault before. */
__noinline int fault_waits(void)
{
	struct layer_task *t = task_selected() ? layer_task(true) : NULL;
	__u32 what = LAYER_WHAT(ABI_LAYER_CACHE, ABI_LAYER_FAULT, 0);
	struct layer_frame *f;
	__u64 inode;

	if (!t)
		return 0;
	f = &t->frame[FRAME_CACHE];
	inode = t->faults == faults_of((const struct task_struct *)bpf_get_current_task())
			? t->fault
			: 0;
	f->entry = inode ? inode_entry(t, inode, what) : layer_entry(0, what, 0);
	f->op = ABI_LAYER_FAULT;
	frame_file(f, inode);
	f->start = f->entry ? bpf_ktime_get_ns() : 0;
	return 0;
}

/* Waits in a system call. */
_always_ void call_waits(struct layer_task *t)
{
	struct layer_frame *call = &t->frame[FRAME_CALL], *f = &t->frame[FRAME_CACHE];

	f->entry = entry_beside(call->entry, ABI_LAYER_CACHE, call->op);
	f->op = call->op;
	f->ino = call->ino;
	f->sdev = call->sdev;
	f->start = f->entry ? bpf_ktime_get_ns() : 0;
}

/* The task is switched out and waits for I/O. */
_always_ void page_wait_begin(void *ctx, struct task_struct *task)
{
	__u64 stack[PAGE_WAIT_DEPTH] = {};
	struct layer_task *t;
	__u32 waits = 0, fault = 0;

	if (bpf_get_stack(ctx, stack, sizeof(stack), 0) <= 0)
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

_always_ void page_wait_end(struct layer_task *t, struct task_struct *task)
{
	if (t->frame[FRAME_CACHE].start)
		frame_end_of(&t->frame[FRAME_CACHE], bpf_ktime_get_ns(), (__u64)task, 0);
}

#endif
