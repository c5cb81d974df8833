/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code and registers of x86-64. Programs of other machines but arm64 are not unwound by these. */
#ifndef IOTOP_BPF_COMMON_USER_CODE_X86_H
#define IOTOP_BPF_COMMON_USER_CODE_X86_H

#include "bpf/common/kernel.h"
#include "bpf/common/user_registers.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* Registers of the program at its entry to the kernel. */
struct pt_regs___user {
	unsigned long bp, ip, cs, sp, ss;
};

#pragma clang attribute pop

#define USER_ADDRESS(word) (word)	/* as a return address is stored */

#define USER_CS 0x33	/* of programs of 64 bits */
#define USER_CS_32 0x23
#define USER_SS 0x2b
#define USER_ENTRY_STACK 16384	/* bytes: the registers are at the end of the kernel's stack */

#define USER_FUNCTION_MAX 4096	/* bytes: in larger ones a frame pointer is not believed */

#ifdef __TARGET_ARCH_x86

/* Of the current task. False: they are not to be had. */
_always_ bool user_registers(struct user_registers *ret)
{
	const struct pt_regs___user *regs;
	__u64 cs;

	if (user_registers_helped()) {
		regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());
		*ret = (struct user_registers){ .ip = regs->ip, .sp = regs->sp, .bp = regs->bp,
						.is_32 = regs->cs == USER_CS_32 };
		return regs->cs == USER_CS || regs->cs == USER_CS_32;
	}
	regs = (const void *)((__u64)BPF_CORE_READ((struct task_struct *)bpf_get_current_task(),
						   stack) +
			      USER_ENTRY_STACK - bpf_core_type_size(struct pt_regs___user));
	cs = BPF_CORE_READ(regs, cs);
	*ret = (struct user_registers){ .ip = BPF_CORE_READ(regs, ip),
					.sp = BPF_CORE_READ(regs, sp),
					.bp = BPF_CORE_READ(regs, bp), .is_32 = cs == USER_CS_32 };
	return (cs == USER_CS || cs == USER_CS_32) && BPF_CORE_READ(regs, ss) == USER_SS;
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
 * nothing but a comparison with the largest error and a jump stand before the return. 0: it is not
 * known.
 */
__noinline int user_leaf(__u64 ip)
{
	__u8 code[16];

	if (ip < 4096 || bpf_probe_read_user(code, sizeof(code), (const void *)(ip - 2)))
		return 0;
	/* syscall; cmp $-4096 or $-4095, %rax; ja or jae, near or far; ret */
	if (code[0] != 0x0f || code[1] != 0x05)
		return 0;
	if (code[2] == 0xc3)
		return USER_LEAF;
	/*
	 * clone3() of glibc: test %rax, %rax; jl; je over the ret; xor %ebp, %ebp; and $-16, %rsp.
	 * (clone() has the address of a function on the stack of the new thread.)
	 */
	if (code[2] == 0x48 && code[3] == 0x85 && code[4] == 0xc0 && code[5] == 0x7c &&
	    code[7] == 0x74 && code[8] == 1 && code[9] == 0xc3 && code[12] == 0x48)
		return USER_LEAF_CLONE;
	if (code[2] != 0x48 || code[3] != 0x3d || code[4] > 1 || code[5] != 0xf0 ||
	    code[6] != 0xff || code[7] != 0xff)
		return 0;
	return ((code[8] == 0x77 || code[8] == 0x73) && code[10] == 0xc3) ||
	       (code[8] == 0x0f && (code[9] == 0x87 || code[9] == 0x83) && code[14] == 0xc3);
}

/* What is stored behind an instruction that ends here, as an address relative to its end. */
_always_ __u64 user_slot(__u64 end)
{
	__u64 slot = 0;
	__s32 by = 0;

	if (bpf_probe_read_user(&by, sizeof(by), (const void *)(end - sizeof(by))) ||
	    bpf_probe_read_user(&slot, sizeof(slot), (const void *)(end + by)))
		return 0;
	return slot;
}

/* Where a function really begins: behind a jump that leads to it from the PLT. 0: not known. */
_always_ __u64 user_behind_plt(__u64 to)
{
	__u8 code[12];

	if (bpf_probe_read_user(code, sizeof(code), (const void *)to))
		return 0;
	/* jmp *(%rip), maybe with a prefix and behind endbr64 */
	if (code[0] == 0xff && code[1] == 0x25)
		return user_slot(to + 6);
	if (code[0] != 0xf3 || code[1] != 0x0f || code[2] != 0x1e)
		return to;
	if (code[4] == 0xff && code[5] == 0x25)
		return user_slot(to + 10);
	if (code[4] == 0xf2 && code[5] == 0xff && code[6] == 0x25)
		return user_slot(to + 11);
	return to;
}

/* How long the nop is that 8 bytes end with, but for its prefixes. 0: they end with none. */
__noinline __u32 user_nop(__u64 bytes)
{
	const __u8 *c = (const __u8 *)&bytes;

	if (c[7] == 0x90 || c[7] == 0xcc)
		return 1;
	if (c[5] == 0x0f && c[6] == 0x1f && c[7] == 0x00)
		return 3;
	if (c[4] == 0x0f && c[5] == 0x1f && c[6] == 0x40)
		return 4;
	if (c[3] == 0x0f && c[4] == 0x1f && c[5] == 0x44)
		return 5;
	if (c[1] == 0x0f && c[2] == 0x1f && c[3] == 0x80)
		return 7;
	return c[0] == 0x0f && c[1] == 0x1f && c[2] == 0x84 ? 8 : 0;
}

/* Whether these bytes may end with what is not gone on behind: a return, a jump, a call. */
_always_ bool user_leaves(const __u8 *c)
{
	/* What is jumped to or called lies within 16 MiB. */
	return c[7] == 0xc3 || c[6] == 0xeb || (c[6] == 0x0f && c[7] == 0x0b) || c[7] == 0xf4 ||
	       ((c[3] == 0xe9 || c[3] == 0xe8) && (c[7] == 0x00 || c[7] == 0xff)) ||
	       (c[6] == 0xff && c[7] >= 0xd0 && c[7] <= 0xef) ||
	       (c[2] == 0xff && (c[3] == 0x25 || c[3] == 0x15));
}

/* Whether a function may begin with these: endbr64, push, sub from %rsp. */
_always_ bool user_begins(const __u8 *c)
{
	return (c[0] == 0xf3 && c[1] == 0x0f && c[2] == 0x1e) || (c[0] >= 0x50 && c[0] <= 0x57) ||
	       (c[0] == 0x41 && c[1] >= 0x50 && c[1] <= 0x57) ||
	       (c[0] == 0x48 && (c[1] == 0x83 || c[1] == 0x81) && c[2] == 0xec);
}

/*
 * Whether a function may end before this address. Loops are aligned, too: what fills up before one
 * is run.
 */
__noinline int user_may_end(__u64 at)
{
	__u64 end = at, bytes;
	const __u8 *code = (const __u8 *)&bytes;
	__u32 n;

	for (__u32 i = 0; i < 16; i++) {
		if (bpf_probe_read_user(&bytes, sizeof(bytes), (const void *)(at - sizeof(bytes))))
			return true;
		n = user_nop(bytes);
		/* Prefixes of a nop, once one was found. */
		if (!n && i && (code[7] == 0x66 || code[7] == 0x2e))
			n = 1;
		if (!n)
			break;
		at -= n;
	}
	if (!user_leaves(code))
		return false;
	/* A jump or a call may end there by chance: then no function begins behind. */
	if (at != end || code[7] == 0xc3)
		return true;
	return bpf_probe_read_user(&bytes, sizeof(bytes), (const void *)at) || user_begins(code);
}

#define USER_PLACES 16	/* looked at by one call (see VERIFIED_STEP) */

/*
 * The nearest place where a function may begin, from an aligned one on and below; lowest where none
 * is above that. 0: it is further away.
 */
__noinline __u64 user_begin_near(__u64 at, __u64 lowest)
{
	for (__u32 i = 0; i < USER_PLACES; i++, at -= 16) {
		if (at <= lowest)
			return lowest;
		if (user_may_end(at))
			return at;
	}
	return 0;
}

/* The same, as far as a function may reach. Most functions are aligned. */
__noinline __u64 user_begin_above(__u64 ip, __u64 lowest)
{
	__u64 at = ip & ~15ULL, found = 0;

	for (__u32 i = 0; i < USER_FUNCTION_MAX / 16 / USER_PLACES && !found; i++) {
		found = user_begin_near(at, lowest);
		at -= 16 * USER_PLACES;
	}
	return found;
}

/*
 * Whether the function that ip is in, and which returns to `to`, has a frame pointer: its caller
 * calls it by its address, it begins with push %rbp and mov %rsp, %rbp, and goes as far as ip. Of
 * what is called by way of a register, the begin is looked for.
 */
__noinline int user_framed(__u64 to, __u64 ip)
{
	__u8 code[16];
	__u64 begin;
	__s32 by;

	if (to < 4096 || bpf_probe_read_user(code, 8, (const void *)(to - 8)) ||
	    bpf_probe_read_user(&by, sizeof(by), (const void *)(to - 4)))
		return false;
	if (code[3] == 0xe8)
		begin = user_behind_plt(to + by);
	else if (code[2] == 0xff && code[3] == 0x15)
		begin = user_slot(to);
	else
		begin = user_return(to) ? user_begin_above(ip - 1, 0) : 0;
	/* No other function can begin between. */
	if (!begin || ip <= begin || user_begin_above(ip - 1, begin) != begin ||
	    bpf_probe_read_user(code, sizeof(code), (const void *)begin))
		return false;
	if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e &&
	    bpf_probe_read_user(code, sizeof(code), (const void *)(begin + 4)))
		return false;
	if (code[0] != 0x55)
		return false;
	for (__u32 i = 1; i < sizeof(code) - 2; i++)
		if (code[i] == 0x48 && ((code[i + 1] == 0x89 && code[i + 2] == 0xe5) ||
					(code[i + 1] == 0x8b && code[i + 2] == 0xec)))
			return true;
	return false;
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
