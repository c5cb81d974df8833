/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The unwinding of one user stack: where it is, and what led there. */
#ifndef IOTOP_BPF_COMMON_USER_UNWIND_H
#define IOTOP_BPF_COMMON_USER_UNWIND_H

#include "bpf/abi_unwind.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/common/stack.h"
#include "bpf/common/user_path.h"
#include "bpf/common/user_registers.h"

/* How far the unwinding of the current task has got. */
struct unwind {
	__u64 ip, sp, bp, lr;
	__u64 number;		/* of the space; 0: it has no mappings */
	__u32 mapping, n;	/* of the space */
	__u32 page, npages;	/* of the mapping; npages 0: it has no table */
	__u64 pc;
	__u64 word[2];		/* of the stack */
	struct abi_unwind_row row;
	__u8 exact;		/* ip is not behind a call: the innermost, or one that a signal
				 * interrupted */
	__u8 lost_bp;		/* the caller's BP is not known */
	__u8 lost_sp;		/* sp is below the caller's: the frame pointer led here */
	__u8 is_32;		/* a program of 32 bits */
	__u8 spare[4];
	__u64 bp_at, lr_at;	/* where bp and lr were read; 0: they are the registers' still */
	__u8 code[40];		/* behind ip */
	struct user_path path;
};

CPU_ARRAY(unwinds, 1, struct unwind);

_always_ bool unwind_read(struct unwind *u, __u64 address, __u32 size)
{
	return !bpf_probe_read_user(u->word, size, (const void *)address);
}

/* BP, which leads to the caller. */
_always_ __u64 unwind_bp(struct unwind *u)
{
	if (u->bp_at)
		path_note(&u->path, u->bp_at, u->bp);
	else
		u->path.by_bp = 1;
	return u->bp;
}

/* A frame lies above the one before, in the same stack. */
_always_ bool unwind_above(const struct unwind *u, __u64 cfa)
{
	return cfa - u->sp - 1 < USER_FRAME_MAX;
}

#endif
