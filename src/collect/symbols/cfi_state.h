/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What .eh_frame says of the registers of a caller at one place, and that as a row. For x86-64. */
#ifndef IOTOP_COLLECT_SYMBOLS_CFI_STATE_H
#define IOTOP_COLLECT_SYMBOLS_CFI_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi_unwind.h"

/* Numbers of registers in DWARF (System V ABI, AMD64). */
#define CFI_REG_RBP 6
#define CFI_REG_RSP 7
#define CFI_REG_RETURN 16

/* Where a register of the caller is. */
struct cfi_place {
	enum {
		CFI_PLACE_SAME,
		CFI_PLACE_CFA,	/* stored at CFA + offset */
		CFI_PLACE_BP,	/* stored at rbp + offset */
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
	bool moved_sp;		/* the caller's rsp is not the CFA */
};

/*
 * signal: it is what a signal handler returns to; bad: what was said makes no sense. The row's pc
 * is the caller's to fill in.
 */
struct abi_unwind_row cfi_state_row(const struct cfi_state *s, bool signal, bool bad);

#endif
