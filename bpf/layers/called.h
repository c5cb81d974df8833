/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of a system call. Every read() and write() of the machine comes here, most of pipes and
 * sockets: these are found out by loads alone, and nothing is kept of them.
 */
#ifndef IOTOP_BPF_LAYERS_CALLED_H
#define IOTOP_BPF_LAYERS_CALLED_H

#include "bpf/common/cast.h"
#include "bpf/layers/caller.h"

/*
 * How many tasks are in a call that is known to their layer_task, by where the registers of the
 * call are: at the top of the task's stack, from the begin of the call to its end. Both tracepoints
 * tell that, so that nobody need be asked for the task.
 */
#define CALL_MARK_BITS 14
volatile __u32 call_marks[1 << CALL_MARK_BITS];

/* regs: struct pt_regs of the task. 0: it is in none; else it may be in one. */
_always_ volatile __u32 *call_mark(const void *regs)
{
	__u64 at = (__u64)regs;

	/* The verifier allows no arithmetic with a pointer but its distance from another one. */
	asm volatile("%0 -= %1" : "+r"(at) : "r"(call_marks));
	/* 2^64 divided by the golden ratio: stacks lie some pages apart. */
	at = (at >> 12) * 0x9e3779b97f4a7c15ULL >> (64 - CALL_MARK_BITS);
	return &call_marks[at & ((1 << CALL_MARK_BITS) - 1)];
}

_always_ void call_marked(struct layer_task *t, volatile __u32 *mark)
{
	if (t->called)
		return;
	t->called = 1;
	add(*mark, 1);
}

_always_ void call_unmarked(struct layer_task *t, volatile __u32 *mark)
{
	if (!t->called)
		return;
	t->called = 0;
	add(*mark, -1);
}

/* The current task begins another call: the end of the one before was missed and does not count. */
_rarely_ int call_missed(volatile __u32 *mark)
{
	struct layer_task *t = layer_task(false);

	if (!t)
		return 0;
	t->frame[FRAME_CALL].start = t->frame[FRAME_CALL].before = 0;
	t->events = 0;
	call_unmarked(t, mark);
	return 0;
}

/* The inode of a descriptor of the current task. Read only by INODE_OF_CALL(), also where NULL. */
_always_ const struct inode *call_inode(__u64 fd)
{
	__u64 entry;

	if (!has_cast)
		return (const struct inode *)inode_of(fd);
	entry = fd_entry(UNTRUSTED(task_struct, current_task()), fd);
	/* Any struct will do that begins with a pointer to a file. */
	return entry ? UNTRUSTED(kiocb, entry)->ki_filp->f_inode : NULL;
}

#define INODE_OF_CALL(inode, member) \
	(has_cast ? (inode)->member : BPF_CORE_READ(inode, member))

/* The file type of an inode; 0: there is none, or none of these is on storage. */
_always_ __u32 call_mode(const struct inode *inode)
{
	__u32 mode = inode ? INODE_OF_CALL(inode, i_mode) & KERNEL_S_IFMT : 0;

	return mode == KERNEL_S_IFREG || mode == KERNEL_S_IFDIR || mode == KERNEL_S_IFBLK ? mode
											: 0;
}

/*
 * Notes entry and file of a call on an inode of this type. False: it is not on storage. Mostly it
 * is the same file as before.
 */
_always_ bool call_file(struct layer_task *t, const struct inode *inode, __u32 mode, __u32 op)
{
	__u32 what = LAYER_WHAT(ABI_LAYER_SYSCALL, op, 0), way = CACHE_WAY(what),
	      gen = INODE_OF_CALL(inode, i_generation);
	__u64 ino = INODE_OF_CALL(inode, i_ino), sb = (__u64)INODE_OF_CALL(inode, i_sb),
	      of = mode == KERNEL_S_IFBLK ? INODE_OF_CALL(inode, i_rdev) : sb;
	struct layer_frame *f = &t->frame[FRAME_CALL];
	bool known = t->last.inode == (__u64)inode && t->last.ino == ino && t->last.sb == sb &&
		     t->last.gen == gen;
	volatile __u64 *at = &t->last.inode;

	if (known && f->ino && t->cache[way].of == of && t->cache[way].what == what &&
	    t->cache[way].entry && (callers_enabled || want_calls)) {
		f->entry = t->cache[way].entry;
		return true;
	}
	/* A pointer that was written to a map is a number when it is read again. */
	*at = (__u64)inode;
	f->entry = inode_entry(t, *at, what);
	if (!f->entry)
		return false;
	t->last.ino = frame_file(f, *at) ? ino : 0;
	t->last.sb = sb;
	t->last.gen = gen;
	return true;
}

/* Counts a call of the current task as its caller's, if there is a counter for it already. */
_always_ bool call_counted(const struct layer_frame *f, __u64 start, __u64 ns, __u64 bytes)
{
	const struct task_struct *task = UNTRUSTED(task_struct, current_task());
	struct abi_caller_key key = { .ino = f->ino, .sdev = f->ino ? f->sdev : 0,
				      .entry = f->entry };
	__u64 ids = current_ids();
	struct abi_caller *c;

	key.start = has_task_storage ? task->start_boottime : BPF_CORE_READ(task, start_boottime);
	key.tgid = ids >> 32;
	key.tid = (__u32)ids;
	c = ids && f->entry && ns >= min_ns ? bpf_map_lookup_elem(&callers, &key) : NULL;
	if (!c)
		return false;
	caller_add(c, start, ns, bytes);
	return true;
}

/* Ends the call of the current task: bytes read or written. */
_always_ void call_end(struct layer_frame *f, __u64 now, __u64 bytes)
{
	__u64 start = f->start;

	if (!callers_enabled || f->before || now <= start ||
	    !call_counted(f, start, now - start, bytes)) {
		frame_end_of(f, now, current_address(), bytes);
		return;
	}
	f->start = 0;
	layer_count(f->entry, now - start);
}

#endif
