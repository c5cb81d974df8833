/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of vfs and file systems: their begin pushes a frame of the task, their end pops one. */
#ifndef IOTOP_BPF_LAYERS_FUNCTION_H
#define IOTOP_BPF_LAYERS_FUNCTION_H

#include <linux/ptrace.h>

/*
 * When compiled for another machine, the header above is that of this one: these are the members
 * that bpf_tracing.h reads, as in the other machine's <asm/ptrace.h>.
 */
#ifdef _ASM_X86_PTRACE_H
#if defined(__TARGET_ARCH_arm64)
struct user_pt_regs {
	__u64 regs[31], sp, pc, pstate;
};
#elif defined(__TARGET_ARCH_s390)
#define user_pt_regs struct s390_regs	/* a type of its own there */
struct s390_regs {
	unsigned long args[1];
	struct {
		unsigned long mask, addr;
	} psw;
	unsigned long gprs[16];
};
#endif
#endif

#include <bpf/bpf_tracing.h>

#include "bpf/layers/caller.h"
#include "bpf/layers/fsync.h"

/* Frames of vfs and of fs. */
#define FRAMES_OF(fs) ((fs) ? 2 : 1)

/*
 * How many functions of a layer the task is in, when another one begins. One that began above it on
 * the stack has ended, and so has the same one that began there: that was not seen, see
 * frames_left(), but threads of the kernel are in no call. Another one that begins where the first
 * did is what that goes on with (a tail call).
 */
_always_ __u32 depth_now(struct layer_task *t, __u32 fs, __u64 sp, __u64 ip)
{
	__u32 depth = fs ? t->depth[1] : t->depth[0];
	struct layer_outer *outer = fs ? &t->outer[1] : &t->outer[0];

	if (depth && outer->sp && sp >= outer->sp + (ip != outer->ip)) {
		add(ends_missed, 1);
		depth = 0;
		if (fs)
			t->frame[FRAME_FS_INNER].start = 0;
	}
	if (!depth) {
		outer->sp = sp;
		outer->ip = ip;
	}
	return depth;
}

/*
 * A function begins. what: LAYER_WHAT(). Functions of one layer may call each other; those deeper
 * than the frames there are count as one.
 */
__noinline int enter(__u64 inode, __u32 what, __u64 sp, __u64 ip)
{
	struct layer_task *t = task_selected() ? layer_task(true) : NULL;
	__u32 fs = (what & 0xff) == ABI_LAYER_FS;
	struct layer_frame *f;
	__u32 depth;

	if (!t)
		return 0;
	depth = depth_now(t, fs, sp, ip);
	if (fs)
		t->depth[1] = depth + 1;
	else
		t->depth[0] = depth + 1;
	if (depth >= FRAMES_OF(fs))
		return 0;
	f = depth ? &t->frame[FRAME_FS_INNER] : fs ? &t->frame[FRAME_FS] : &t->frame[FRAME_VFS];
	f->entry = inode_entry(t, inode, what);
	f->op = what >> 8 & 0xff;
	frame_file(f, inode);
	if (fs && f->op == ABI_LAYER_FSYNC)
		steps_begin(t);
	f->start = f->entry ? bpf_ktime_get_ns() : 0;
	return 0;
}

__noinline int enter_file(__u64 address, __u32 what, __u64 sp, __u64 ip)
{
	return enter((__u64)BPF_CORE_READ((const struct file *)address, f_inode), what, sp, ip);
}

/*
 * A function begins, by its first argument. probe: enum abi_probe; sp: the stack pointer, 0: not
 * known; ip: tells it from others.
 */
_always_ int probe_begin(__u32 probe, __u64 first, __u64 sp, __u64 ip)
{
	switch (probe) {
	case ABI_PROBE_VFS_READ:
		return enter_file(first, LAYER_WHAT(ABI_LAYER_VFS, ABI_LAYER_READ, 0), sp, ip);
	case ABI_PROBE_VFS_WRITE:
		return enter_file(first, LAYER_WHAT(ABI_LAYER_VFS, ABI_LAYER_WRITE, 0), sp, ip);
	case ABI_PROBE_VFS_FSYNC:
		return enter_file(first, LAYER_WHAT(ABI_LAYER_VFS, ABI_LAYER_FSYNC, 0), sp, ip);
	case ABI_PROBE_VFS_FSYNC_FD:
		return enter(inode_of((__u32)first),
			     LAYER_WHAT(ABI_LAYER_VFS, ABI_LAYER_FSYNC, 0), sp, ip);
	case ABI_PROBE_VFS_OPEN:
		return enter((__u64)BPF_CORE_READ((const struct path *)first, dentry, d_inode),
			     LAYER_WHAT(ABI_LAYER_VFS, ABI_LAYER_OPEN, 0), sp, ip);
	case ABI_PROBE_FS_READ:
		return enter_file((__u64)BPF_CORE_READ((const struct kiocb *)first, ki_filp),
				  LAYER_WHAT(ABI_LAYER_FS, ABI_LAYER_READ, 0), sp, ip);
	case ABI_PROBE_FS_WRITE:
		return enter_file((__u64)BPF_CORE_READ((const struct kiocb *)first, ki_filp),
				  LAYER_WHAT(ABI_LAYER_FS, ABI_LAYER_WRITE, 0), sp, ip);
	case ABI_PROBE_FS_FSYNC:
		return enter_file(first, LAYER_WHAT(ABI_LAYER_FS, ABI_LAYER_FSYNC, 0), sp, ip);
	case ABI_PROBE_FS_OPEN:
		return enter(first, LAYER_WHAT(ABI_LAYER_FS, ABI_LAYER_OPEN, 0), sp, ip);
	}
	return 0;
}

__noinline int leave(__u32 fs)
{
	struct layer_task *t = layer_task(false);
	__u32 depth;
	__u64 now;

	if (!t)
		return 0;
	depth = fs ? t->depth[1] : t->depth[0];
	if (!depth)
		return 0;
	depth--;
	if (fs)
		t->depth[1] = depth;
	else
		t->depth[0] = depth;
	if (depth >= FRAMES_OF(fs))
		return 0;
	now = bpf_ktime_get_ns();
	if (fs)
		return fs_end(depth, now);
	frame_end(&t->frame[FRAME_VFS], now);
	return 0;
}

#endif
