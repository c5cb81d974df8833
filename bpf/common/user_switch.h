/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that call another one on another stack, as Go's do for its scheduler and for C: the
 * code behind the call goes back to where they were called from, and says how.
 */
#ifndef IOTOP_BPF_COMMON_USER_SWITCH_H
#define IOTOP_BPF_COMMON_USER_SWITCH_H

#include "bpf/abi_unwind.h"
#include "bpf/common/kernel.h"
#include "bpf/common/stack.h"
#include "bpf/common/user_code.h"
#include "bpf/common/user_unwind.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_struct___user {
	unsigned long fsbase;
};

struct task_struct___user {
	struct thread_struct___user thread;
};

#pragma clang attribute pop

_always_ __s32 switch_s32(const __u8 *c)
{
	return (__s32)(c[0] | (__u32)c[1] << 8 | (__u32)c[2] << 16 | (__u32)c[3] << 24);
}

/*
 * By what the thread runs:
 *	mov %fs:TLS, %rax; mov M(%rax), %rbx; mov G(%rbx), %rax; mov %rax, %fs:TLS; mov SP(%rax),
 *	%rsp
 */
_always_ bool switch_by_thread(const __u8 *c)
{
	return c[0] == 0x64 && c[1] == 0x48 && c[2] == 0x8b && c[3] == 0x04 && c[4] == 0x25 &&
	       c[9] == 0x48 && c[10] == 0x8b && c[11] == 0x58 && c[13] == 0x48 && c[14] == 0x8b &&
	       c[15] == 0x83 && c[20] == 0x64 && c[21] == 0x48 && c[22] == 0x89 && c[23] == 0x04 &&
	       c[24] == 0x25 && c[29] == 0x48 && c[30] == 0x8b && c[31] == 0x60;
}

/*
 * By a place on this stack and a depth:
 *	mov G(%rsp), %rdi; mov TOP(%rdi), %rsi; sub D(%rsp), %rsi
 */
_always_ bool switch_by_depth(const __u8 *c)
{
	return c[0] == 0x48 && c[1] == 0x8b && c[2] == 0x7c && c[3] == 0x24 && c[5] == 0x48 &&
	       c[6] == 0x8b && c[7] == 0x77 && c[9] == 0x48 && c[10] == 0x2b && c[11] == 0x74 &&
	       c[12] == 0x24;
}

/* To where it was kept on this stack: mov SP(%rsp), %rsi; mov %rsi, %rsp */
_always_ bool switch_by_place(const __u8 *c)
{
	return c[0] == 0x48 && c[1] == 0x8b && c[2] == 0x74 && c[3] == 0x24 && c[5] == 0x48 &&
	       c[6] == 0x89 && c[7] == 0xf4;
}

/* The word at an address and an offset. False: it is not to be read. */
_always_ bool switch_word(struct unwind *u, __u64 at, __s64 by)
{
	return unwind_read(u, at + by, 8);
}

_always_ bool switch_thread(struct unwind *u)
{
	const struct task_struct___user *task = (const void *)bpf_get_current_task();
	const __u8 *c = u->code;

	/* Of each word that is read the address of the next: thread, machine, what it runs. */
	return switch_word(u, BPF_CORE_READ(task, thread.fsbase), switch_s32(c + 5)) &&
	       switch_word(u, u->word[0], (__s8)c[12]) &&
	       switch_word(u, u->word[0], switch_s32(c + 16)) && u->word[0] &&
	       switch_word(u, u->word[0], (__s8)c[32]);
}

_always_ bool switch_depth(struct unwind *u)
{
	const __u8 *c = u->code;
	__u64 top;

	if (!switch_word(u, u->sp, (__s8)c[4]) || !switch_word(u, u->word[0], (__s8)c[8]))
		return false;
	top = u->word[0];
	if (!switch_word(u, u->sp, (__s8)c[13]))
		return false;
	u->word[0] = top - u->word[0];
	return true;
}

/* To the caller, on the stack that the code behind ip goes back to. */
__noinline int unwind_switch(void)
{
	__u32 zero = 0;
	struct unwind *u = bpf_map_lookup_elem(&unwinds, &zero);
	__u64 sp;
	bool had;

	if (!u || u->exact ||
	    bpf_probe_read_user(u->code, sizeof(u->code), (const void *)u->ip))
		return ABI_END_ODD;
	/* What leads there lies outside of the stack. */
	path_leave(&u->path);
	if (switch_by_thread(u->code))
		had = switch_thread(u);
	else if (switch_by_depth(u->code))
		had = switch_depth(u);
	else if (switch_by_place(u->code))
		had = switch_word(u, u->sp, (__s8)u->code[4]);
	else
		return ABI_END_ODD;
	sp = u->word[0];
	if (!had || sp & 7 || !unwind_read(u, sp, 8))
		return ABI_END_MEMORY;
	u->sp = sp + 8;
	u->ip = u->word[0];
	u->lost_bp = 1;
	u->exact = 0;
	return u->ip < 4096 ? ABI_END_BROKEN : ABI_END_UNKNOWN;
}

#endif
