/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions of .eh_frame for one function (DWARF 5, section 6.4.2), run into rows of a table
 * that kernel programs unwind by.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_CFI_H
#define IOTOP_COLLECT_SYMBOLS_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/abi_unwind.h"

/* A row whose address is as linked. */
struct cfi_row {
	uint64_t pc;
	struct abi_unwind_row row;	/* but .pc */
};

/* Growing; owns v. */
struct cfi_rows {
	struct cfi_row *v;
	size_t n, cap, max;	/* max: more are not taken */
};

/* Appends a row. False: there is no room. */
bool cfi_put(struct cfi_rows *rows, uint64_t pc, struct abi_unwind_row row);

struct cfi_machine;

/* What a function begins with, and what it does. */
struct cfi_program {
	const struct cfi_machine *machine;
	const uint8_t *initial, *initial_end;	/* of what it shares with others */
	const uint8_t *own, *own_end;
	uint64_t start, end;	/* of its code */
	uint64_t code_factor;
	int64_t data_factor;
	uint8_t encoding;	/* of addresses in it: DW_EH_PE_* */
	bool signal;		/* it is what a signal handler returns to */
};

/*
 * Appends the rows of a function, at least one, ascending from its start on. What makes no sense is
 * a row that says so. False: there is no room.
 */
bool cfi_run(const struct cfi_program *p, struct cfi_rows *rows);

#endif
