/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code and registers of arm64: user_code.h. */
#ifndef IOTOP_BPF_COMMON_USER_CODE_ARM64_H
#define IOTOP_BPF_COMMON_USER_CODE_ARM64_H

#include "bpf/common/kernel.h"
#include "bpf/common/user_registers.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* Registers of the program at its entry to the kernel. */
struct user_pt_regs___user {
	__u64 regs[31], sp, pc, pstate;
};

#pragma clang attribute pop

#define USER_MODE 0xf		/* of pstate; 0: it was a program */
#define USER_MODE_32 0x10

/* Return addresses may be signed above the bits of an address. */
#define USER_ADDRESS(word) ((word) & ((1ULL << 48) - 1))

/* Instructions. */
#define A64_RET 0xd65f03c0
#define A64_SVC 0xd4000001	/* a system call */
#define A64_NOP 0xd503201f
#define A64_CMN 0xb13ffc1f	/* whether x0 is an error */
#define A64_SIGRETURN 0xd2801168	/* its number into x8 */
#define A64_IS_CALL(w) (((w) & 0xfc000000) == 0x94000000)
/* By a register, maybe signed. */
#define A64_IS_CALL_TO(w) (((w) & 0xfffffc1f) == 0xd63f0000 || ((w) & 0xfefff800) == 0xd63f0800)
#define A64_IS_JUMP(w) (((w) & 0xfc000000) == 0x14000000)
/* ret and br, maybe signed, and what is not to be run. */
#define A64_IS_END(w) (((w) & 0xfebf0000) == 0xd61f0000 || ((w) & 0xffff0000) == 0)
#define A64_IS_IF_ERROR(w) (((w) & 0xff00001f) == 0x54000002 || ((w) & 0xff00001f) == 0x54000008)
/* hint for branches (bti); adrp x16; ldr x17, [x16, #] */
#define A64_IS_MARK(w) (((w) & 0xffffff1f) == 0xd503241f)
#define A64_IS_PAGE_16(w) (((w) & 0x9f00001f) == 0x90000010)
#define A64_IS_LOAD_17(w) (((w) & 0xffc003ff) == 0xf9400211)
/* stp x29, x30, [sp, #]; the same with ! */
#define A64_IS_SAVE(w) (((w) & 0xfe407fff) == 0xa8007bfd)
/* stp x30, r, [#]; stp r, x30, [#]; str x30, [#]: each with any address */
#define A64_SAVES_LINK(w)                                                             \
	(((w) & 0xfe40001f) == 0xa800001e || ((w) & 0xfe407c00) == 0xa8007800 || \
	 ((w) & 0xffe0001f) == 0xf800001e || ((w) & 0xffc0001f) == 0xf900001e)
/* mov x29, sp; add x29, sp, # */
#define A64_IS_FRAME(w) (((w) & 0xff8003ff) == 0x910003fd)

#define USER_FUNCTION_MAX 4096	/* bytes: in larger ones a frame pointer is not believed */
#define USER_PLACES 16	/* instructions looked at by one call (see VERIFIED_STEP) */

/* Of the current task. False: they are not to be had. */
_always_ bool user_registers(struct user_registers *ret)
{
	const struct user_pt_regs___user *regs;

	if (!user_registers_helped())
		return false;
	regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	*ret = (struct user_registers){ .ip = regs->pc, .sp = regs->sp, .bp = regs->regs[29],
					.lr = regs->regs[30],
					.is_32 = regs->pstate & USER_MODE_32 };
	return !(regs->pstate & USER_MODE);
}

/* Whether a function could return to this user address. A global function, as all of these. */
__noinline int user_return(__u64 ip)
{
	__u32 code[2];

	/* Not readable: not code, or not resident. */
	if (ip < 4096 || ip & 3 || bpf_probe_read_user(code, sizeof(code), (const void *)(ip - 4)))
		return false;
	/* Behind a nop: runtimes place it below their first function. */
	return A64_IS_CALL(code[0]) || A64_IS_CALL_TO(code[0]) || code[0] == A64_NOP ||
	       code[1] == A64_SIGRETURN;
}

/*
 * Whether the return address is in its register for certain: behind a system call, nothing but a
 * comparison with the largest error and a jump stand before the return. (A new thread has the
 * register of the one that made it: nothing is said of clone().)
 */
__noinline int user_leaf(__u64 ip)
{
	__u32 code[4];

	if (ip < 4096 || bpf_probe_read_user(code, sizeof(code), (const void *)(ip - 4)))
		return 0;
	if (code[0] != A64_SVC)
		return 0;
	if (code[1] == A64_RET ||
	    (code[1] == A64_CMN && A64_IS_IF_ERROR(code[2]) && code[3] == A64_RET))
		return USER_LEAF;
	return 0;
}

/* The instruction that ends here; 0: it cannot be read. */
_always_ __u32 user_before(__u64 end)
{
	__u32 code = 0;

	bpf_probe_read_user(&code, sizeof(code), (const void *)(end - 4));
	return code;
}

/*
 * Where a function really begins: behind the PLT, whose entries are, maybe behind a mark for
 * branches, adrp x16, PAGE; ldr x17, [x16, #OFFSET]; add x16, x16, #; br x17. 0: not known.
 */
__noinline __u64 user_behind_plt(__u64 to)
{
	__u64 at = to, page, slot = 0;
	__u32 code[2];

	if (bpf_probe_read_user(code, sizeof(code), (const void *)at))
		return 0;
	if (A64_IS_MARK(code[0])) {
		at += 4;
		if (bpf_probe_read_user(code, sizeof(code), (const void *)at))
			return 0;
	}
	if (!A64_IS_PAGE_16(code[0]) || !A64_IS_LOAD_17(code[1]))
		return to;
	page = (__u64)(code[0] >> 5 & 0x7ffff) << 2 | (code[0] >> 29 & 3);
	page = (at & ~4095ULL) + (__u64)((__s64)(page << 43) >> 31);
	if (bpf_probe_read_user(&slot, sizeof(slot),
				(const void *)(page + 8 * (code[1] >> 10 & 0xfff))))
		return 0;
	return USER_ADDRESS(slot);
}

/*
 * The last of these instructions, up to ip, that stores the return address; 0: there is none. Where
 * they cannot be read, none is looked for.
 */
__noinline __u64 user_link_saved_among(__u64 at, __u64 ip)
{
	__u32 code[USER_PLACES];
	__u64 found = 0;

	if (bpf_probe_read_user(code, sizeof(code), (const void *)at))
		return 0;
	for (__u32 i = 0; i < USER_PLACES && at < ip; i++, at += 4)
		if (A64_SAVES_LINK(code[i]))
			found = at;
	return found;
}

/*
 * Where the return address of the function is stored that ip is in, behind a call: the nearest such
 * place before, as no function calls another one with the address in its register. 0: it is further
 * away than a function may reach.
 */
__noinline __u64 user_link_saved(__u64 ip)
{
	__u64 at = ip, found = 0;

	for (__u32 i = 0; i < USER_FUNCTION_MAX / 4 / USER_PLACES && !found; i++) {
		at -= 4 * USER_PLACES;
		found = user_link_saved_among(at, ip);
	}
	return found;
}

/*
 * Whether nothing among these instructions, up to ip, ends a function that begins at begin and goes
 * on to end: what is left for good, or goes on where it is not known.
 */
__noinline int user_goes_on(__u64 at, __u64 begin, __u64 ip, __u64 end)
{
	__u32 code[USER_PLACES];
	__u64 to;

	if (bpf_probe_read_user(code, sizeof(code), (const void *)at))
		return false;
	for (__u32 i = 0; i < USER_PLACES; i++, at += 4) {
		if (at >= ip)
			return true;
		to = at + (__u64)((__s64)((__u64)code[i] << 38) >> 36);
		if (A64_IS_END(code[i]) || (A64_IS_JUMP(code[i]) && to - begin >= end - begin))
			return false;
	}
	return true;
}

/* Whether a function that begins here makes a frame before ip. */
__noinline int user_makes_frame(__u64 begin, __u64 ip)
{
	__u32 code[USER_PLACES];
	bool saved = false;

	if (bpf_probe_read_user(code, sizeof(code), (const void *)begin))
		return false;
	for (__u32 i = 0; i < USER_PLACES && begin + 4 * i < ip; i++) {
		saved = saved || A64_IS_SAVE(code[i]);
		if (saved && A64_IS_FRAME(code[i]))
			return true;
	}
	return false;
}

_always_ bool user_is_call(__u32 code)
{
	return A64_IS_CALL(code) || A64_IS_CALL_TO(code);
}

/*
 * Whether the function that ip is in, and which returns to `to`, has a frame pointer: its caller
 * calls it by its address, it begins with what makes a frame, and goes as far as ip. Of what is
 * called by way of a register, the begin is where the return address is stored. If that is among
 * its first instructions and not again up to ip, no other function begins between: a jump over ip
 * stays in this one.
 */
__noinline int user_framed(__u64 to, __u64 ip)
{
	__u64 begin, at, end, saved;
	__u32 call;

	if (to < 4096)
		return false;
	call = user_before(to);
	begin = saved = user_is_call(user_before(ip)) ? user_link_saved(ip) : 0;
	if (A64_IS_CALL(call))
		begin = user_behind_plt(to - 4 + (__u64)((__s64)((__u64)call << 38) >> 36));
	else if (!A64_IS_CALL_TO(call))
		return false;
	if (!begin || ip <= begin || ip - begin > USER_FUNCTION_MAX ||
	    !user_makes_frame(begin, ip))
		return false;
	end = saved - begin < 4 * USER_PLACES ? ip + USER_FUNCTION_MAX : ip;
	at = begin;
	for (__u32 i = 0; i < USER_FUNCTION_MAX / 4 / USER_PLACES && at < ip; i++) {
		if (!user_goes_on(at, begin, ip, end))
			return false;
		at += 4 * USER_PLACES;
	}
	return true;
}

/* Whether a signal handler returns to this address. */
__noinline int user_signal_return(__u64 ip)
{
	__u32 code[2];

	return ip >= 4096 && !bpf_probe_read_user(code, sizeof(code), (const void *)ip) &&
	       code[0] == A64_SIGRETURN && code[1] == A64_SVC;
}

#endif
