/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables by which stacks of programs are unwound, made from what files say of their code. User
 * space writes them, in memory that it shares with the programs.
 */
#ifndef IOTOP_BPF_ABI_UNWIND_H
#define IOTOP_BPF_ABI_UNWIND_H

#include "bpf/abi_common.h"

/*
 * How the CFA is had: what the stack pointer is after the return. In the lower half of .how. SP and
 * BP are the stack and the frame pointer: rsp and rbp, or sp and x29.
 */
enum abi_unwind_cfa {
	ABI_UNWIND_NONE,	/* nothing is said of this code */
	ABI_UNWIND_ODD,		/* what is said cannot be expressed here */
	ABI_UNWIND_FIRST,	/* nothing has called this code */
	ABI_UNWIND_SP,		/* SP + 8 × cfa */
	ABI_UNWIND_SP_FAR,	/* SP + 16 × cfa, without a sign: of frames of hundreds of KiB */
	ABI_UNWIND_BP,		/* BP + 8 × cfa */
	ABI_UNWIND_BP_AT,	/* stored at BP + 8 × cfa */
	ABI_UNWIND_PLT,		/* SP + 8, and 8 more from so many (cfa) bytes of 16 on */
	ABI_UNWIND_SIGNAL,	/* SP points to what the kernel left there */
	ABI_UNWIND_SWITCH,	/* called from another stack: the code that goes back to it tells */
	ABI_UNWIND_AWAY,	/* there may be a table, but not here: in no row */
	ABI_UNWIND_CODE,	/* code that is in no file, as runtimes make it: in no row */
	ABI_UNWIND_CFAS,
};

/*
 * Where the caller's BP is. In the upper half of .how. The return address is at CFA - 8; but on
 * machines that call by a link register it is there (SAME), or in the word behind the stored BP.
 */
enum abi_unwind_bp {
	ABI_UNWIND_BP_SAME,	/* still in BP */
	ABI_UNWIND_BP_BY_CFA,	/* stored at CFA + 8 × bp */
	ABI_UNWIND_BP_BY_BP,	/* stored at BP + 8 × bp */
	ABI_UNWIND_BP_LOST,
	/* Of machines with a link register. */
	ABI_UNWIND_BP_BY_BASE,	/* stored at what the CFA counts from, and 8 × bp */
	ABI_UNWIND_RETURN_BY_CFA,	/* still in BP; the return address at CFA + 8 × bp */
	ABI_UNWIND_RETURN_BY_BASE,
	/* Of others: a signal put this function in. BP is lost; its caller stopped anywhere. */
	ABI_UNWIND_PUT_IN,
};

#define ABI_UNWIND_HOW(cfa, bp) ((cfa) | (bp) << 4)
#define ABI_UNWIND_CFA(how) ((how) & 15)
#define ABI_UNWIND_SAVED_BP(how) ((how) >> 4)

/* From here on up to the next row. */
struct abi_unwind_row {
	__u32 pc;	/* relative to the first address that the table knows of */
	__s16 cfa;
	__s8 bp;
	__u8 how;
};
_Static_assert(sizeof(struct abi_unwind_row) == 8, "abi_unwind_row");

/* Tables begin with a page; rows that are not used have the highest pc. */
#define ABI_UNWIND_ROWS 512
struct abi_unwind_page {
	struct abi_unwind_row row[ABI_UNWIND_ROWS];
};
#define ABI_UNWIND_PAGES_MAX 32768

/* Code of one process, mapped as one piece. Those of a process follow each other, ascending. */
struct abi_unwind_mapping {
	__u64 start, size;
	__u64 pc;		/* of start, as the rows count */
	__u32 page, npages;	/* of the table; npages 0: see ABI_UNWIND_PAGE_* */
};
#define ABI_UNWIND_PAGE_CODE 0	/* it is in no file */
#define ABI_UNWIND_PAGE_AWAY 1	/* its table is not here */
#define ABI_UNWIND_PAGE_NONE 2	/* its file has none for sure */
#define ABI_UNWIND_MAPPINGS 65536
#define ABI_UNWIND_MAPPINGS_EACH 1024	/* of a process */

/*
 * An address space whose mappings are known. Taken from, given to: mm is written last, and is 0
 * while the rest is not whole.
 */
struct abi_unwind_space {
	__u64 mm, start;	/* as struct abi_space */
	__u64 number;		/* of this set of mappings: none has had it before */
	__u32 tgid;
	__u32 mapping, n;
	__u32 spare;
	__u64 used;		/* ns of CLOCK_MONOTONIC: written by the programs */
	__u64 missed;		/* the same, when code was run that is in no mapping */
};
#define ABI_UNWIND_WAYS 4
#define ABI_UNWIND_SETS 1024
struct abi_unwind_set {
	struct abi_unwind_space way[ABI_UNWIND_WAYS];
};
#define ABI_UNWIND_SET(mm, start) \
	((__u32)((((mm) >> 6) ^ (start)) * 0x9e3779b97f4a7c15ULL >> 54))

#endif
