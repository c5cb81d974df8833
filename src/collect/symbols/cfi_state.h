/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What .eh_frame says of the registers of a caller at one place, and that as a row. */
#ifndef IOTOP_COLLECT_SYMBOLS_CFI_STATE_H
#define IOTOP_COLLECT_SYMBOLS_CFI_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <elf.h>

#include "bpf/abi_unwind.h"

/* What differs between processors. */
struct cfi_machine {
	unsigned elf;		/* EM_* */
	uint8_t bp, sp, ip;	/* numbers in DWARF of frame and stack pointer, return address */
	uint8_t code;		/* bytes that an instruction has at least */
	bool linked;		/* the return address is in a register until it is stored */
};

/* By EM_*; NULL: there are no tables for it. */
const struct cfi_machine *cfi_machine(unsigned elf);

/* EM_* of the machine that this is. */
#if defined(__x86_64__)
#define CFI_MACHINE_HERE EM_X86_64
#elif defined(__aarch64__)
#define CFI_MACHINE_HERE EM_AARCH64
#else
#define CFI_MACHINE_HERE EM_NONE
#endif

/* Where a register of the caller is. */
struct cfi_place {
	enum {
		CFI_PLACE_SAME,
		CFI_PLACE_CFA,	/* stored at CFA + offset */
		CFI_PLACE_BP,	/* stored at BP + offset */
		CFI_PLACE_GONE,	/* undefined */
		CFI_PLACE_ELSE,
	} how;
	int64_t offset;
};

struct cfi_state {
	enum {
		CFI_BASE_REGISTER,
		CFI_BASE_BP_AT,
		CFI_BASE_PLT,
		CFI_BASE_ELSE,
	} base;
	uint64_t reg;
	int64_t offset;
	struct cfi_place bp, ip;	/* of the caller */
	bool moved_sp;		/* the caller's SP is not the CFA */
};

/*
 * signal: it is what a signal handler returns to; bad: what was said makes no sense. The row's pc
 * is the caller's to fill in.
 */
struct abi_unwind_row cfi_state_row(const struct cfi_machine *m, const struct cfi_state *s,
				    bool signal, bool bad);

#endif
