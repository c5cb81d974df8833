/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers with which a program entered the kernel. */
#ifndef IOTOP_BPF_COMMON_USER_REGISTERS_H
#define IOTOP_BPF_COMMON_USER_REGISTERS_H

#include "bpf/common/kernel.h"

enum bpf_func_id___user {
	BPF_FUNC_task_pt_regs___user = 175,	/* 5.15 */
};

#define USER_FRAME_MAX (64 << 20)	/* bytes: frames that lie further above, or below at all,
					 * are none */

/* Of the program, at its entry to the kernel. */
struct user_registers {
	__u64 ip, sp, bp;
	__u64 lr;	/* where calls leave the return address; 0: this machine has none */
	bool is_32;	/* a program of 32 bits */
};

_always_ bool user_registers_helped(void)
{
	return bpf_core_enum_value_exists(enum bpf_func_id___user, BPF_FUNC_task_pt_regs___user);
}

_always_ bool user_readable(__u64 ip)
{
	__u64 code;

	return !bpf_probe_read_user(&code, sizeof(code), (const void *)(ip - sizeof(code)));
}

/* What user_leaf() says. */
enum {
	USER_LEAF = 1,
	USER_LEAF_CLONE,	/* or of a new thread, which nothing has called */
};

#endif
