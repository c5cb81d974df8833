/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An open() that goes on. Which file it returns is not known before its end; how far it has come
 * on its path is, while it sleeps.
 */
#ifndef IOTOP_BPF_LAYERS_OPENING_H
#define IOTOP_BPF_LAYERS_OPENING_H

#include "bpf/layers/caller.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct nameidata {
	struct path path;
};

struct task_struct___opening {
	struct nameidata *nameidata;
};

#pragma clang attribute pop

/*
 * The entry of the directory in which a sleeping task looks for a name, or of the file that it
 * opens; 0: neither is on storage, as with a FIFO that waits for its other end.
 */
_always_ __u32 opening_entry(const struct task_struct *sleeper)
{
	const struct task_struct___opening *task = (const void *)sleeper;
	__u64 inode;

	if (!bpf_core_field_exists(task->nameidata))
		return 0;
	inode = (__u64)BPF_CORE_READ(task, nameidata, path.dentry, d_inode);
	return inode ? inode_find(inode, LAYER_WHAT(ABI_LAYER_SYSCALL, ABI_LAYER_OPEN, 0)) : 0;
}

/* The entry of an open() that a task is in, which is kept for its end. */
_always_ __u32 opening_goes_on(struct layer_task *t, struct task_struct *task)
{
	__u64 start = t->frame[FRAME_CALL].start;
	__u32 entry;

	if (t->frame[FRAME_CALL].op != ABI_LAYER_OPEN || !task_state(task))
		return 0;
	if (t->opening == start)
		return t->opening_entry;
	entry = opening_entry(task);
	/* It may have woken up, and have gone on to another call. */
	if (!entry || !task_state(task) || t->frame[FRAME_CALL].start != start)
		return 0;
	t->opening_entry = entry;
	t->opening = start;
	return entry;
}

/*
 * An open() ends. What was shown to go on ends where it was shown, also without a file; what was
 * not is counted where its file is.
 */
_always_ void opening_ends(struct layer_task *t, struct layer_frame *f, __s64 result)
{
	__u64 inode = result >= 0 ? inode_of(result) : 0;

	if (!f->entry && t->opening == f->start)
		f->entry = t->opening_entry;
	if (!f->entry)
		f->entry = inode_entry(t, inode, LAYER_WHAT(ABI_LAYER_SYSCALL, ABI_LAYER_OPEN, 0));
	if (f->entry)
		frame_file(f, inode);
}

#endif
