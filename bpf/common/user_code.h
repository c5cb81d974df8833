/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the code of a program says about its stack, and the registers with which it got here. */
#ifndef IOTOP_BPF_COMMON_USER_CODE_H
#define IOTOP_BPF_COMMON_USER_CODE_H

#include "bpf/common/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* Registers of the program at its entry to the kernel. */
struct pt_regs___user {
	unsigned long bp, ip, cs, sp, ss;
};

#pragma clang attribute pop

enum bpf_func_id___user {
	BPF_FUNC_task_pt_regs___user = 175,	/* 5.15 */
};

#define USER_CS 0x33	/* of programs of 64 bits */
#define USER_SS 0x2b
#define USER_ENTRY_STACK 16384	/* bytes: the registers are at the end of the kernel's stack */

#define USER_FRAME_MAX (64 << 20)	/* bytes: frames that lie further above, or below at all,
					 * are none */

struct user_registers {
	__u64 ip, sp, bp;
};

_always_ bool user_registers_helped(void)
{
	return bpf_core_enum_value_exists(enum bpf_func_id___user, BPF_FUNC_task_pt_regs___user);
}

#ifdef __TARGET_ARCH_x86

/* Of the current task. False: it is none of 64 bits, or they are not to be had. */
_always_ bool user_registers(struct user_registers *ret)
{
	const struct pt_regs___user *regs;
	__u64 cs;

	if (user_registers_helped()) {
		regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());
		*ret = (struct user_registers){ regs->ip, regs->sp, regs->bp };
		return regs->cs == USER_CS;
	}
	regs = (const void *)((__u64)BPF_CORE_READ((struct task_struct *)bpf_get_current_task(),
						   stack) +
			      USER_ENTRY_STACK - bpf_core_type_size(struct pt_regs___user));
	cs = BPF_CORE_READ(regs, cs);
	*ret = (struct user_registers){ BPF_CORE_READ(regs, ip), BPF_CORE_READ(regs, sp),
					BPF_CORE_READ(regs, bp) };
	return cs == USER_CS && BPF_CORE_READ(regs, ss) == USER_SS;
}

#else

_always_ bool user_registers(struct user_registers *ret)
{
	return false;
}

#endif

/*
 * Whether a function could return to this user address: it is behind a call. A global function: in
 * a loop the verifier would verify it each time.
 */
__noinline int user_return(__u64 ip)
{
	__u8 code[16];

	/* Not readable: not code, or not resident. */
	if (ip < 4096 || bpf_probe_read_user(code, sizeof(code), (const void *)(ip - 8)))
		return false;
#ifdef __TARGET_ARCH_x86
	/*
	 * Behind a call, near or indirect; behind a nop, which runtimes place below their first
	 * function; the code that leaves a signal handler.
	 */
	return code[3] == 0xe8 || (code[6] == 0xff && (code[7] & 0x38) == 0x10) ||
	       (code[5] == 0xff && (code[6] & 0x38) == 0x10) ||
	       (code[4] == 0xff && (code[5] & 0x38) == 0x10) ||
	       (code[2] == 0xff && (code[3] & 0x38) == 0x10) ||
	       (code[1] == 0xff && (code[2] & 0x38) == 0x10) || code[7] == 0x90 ||
	       (code[8] == 0x48 && code[9] == 0xc7 && code[10] == 0xc0 && code[11] == 0x0f);
#else
	return true;
#endif
}

/*
 * Whether the return address is where the stack pointer is, for certain: behind a system call,
 * nothing but a comparison with the largest error and a jump stand before the return.
 */
__noinline int user_leaf(__u64 ip)
{
	__u8 code[16];

	if (ip < 4096 || bpf_probe_read_user(code, sizeof(code), (const void *)(ip - 2)))
		return false;
	/* syscall; cmp $-4096 or $-4095, %rax; ja or jae, near or far; ret */
	if (code[0] != 0x0f || code[1] != 0x05)
		return false;
	if (code[2] == 0xc3)
		return true;
	if (code[2] != 0x48 || code[3] != 0x3d || code[4] > 1 || code[5] != 0xf0 ||
	    code[6] != 0xff || code[7] != 0xff)
		return false;
	return ((code[8] == 0x77 || code[8] == 0x73) && code[10] == 0xc3) ||
	       (code[8] == 0x0f && (code[9] == 0x87 || code[9] == 0x83) && code[14] == 0xc3);
}

/* Whether a signal handler returns to this address: mov $15, %rax; syscall */
__noinline int user_signal_return(__u64 ip)
{
	static const __u8 wanted[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f };
	__u8 code[9];

	if (ip < 4096 || bpf_probe_read_user(code, sizeof(code), (const void *)ip))
		return false;
	for (__u32 i = 0; i < sizeof(wanted); i++)
		if (code[i] != wanted[i])
			return false;
	return code[8] == 0x05;
}

#endif
