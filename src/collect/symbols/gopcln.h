/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Go's linker writes of each function (.gopclntab, since Go 1.18): also in files that are
 * stripped, how deep its stack is at each instruction.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_GOPCLN_H
#define IOTOP_COLLECT_SYMBOLS_GOPCLN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/symbols/cfi.h"

/* The table, whose bytes stay the caller's. */
struct gopcln {
	const uint8_t *data;
	size_t size;
	uint64_t text;		/* address that functions are relative to, as linked */
	uint32_t n;		/* functions */
	uint64_t names, depths, functions;	/* offsets */
	unsigned flags_at;	/* offset of the flags of a function */
	const struct cfi_machine *machine;
};

/* text: for a table that does not say where its code is. False: it is none that is known. */
bool gopcln_open(struct gopcln *g, const struct cfi_machine *machine, const void *data, size_t size,
		 uint64_t text);
/*
 * Appends the rows of function i, which is *ret_start to *ret_end as linked; without rows nothing
 * is known of it. False: there is no room.
 */
bool gopcln_run(const struct gopcln *g, uint32_t i, uint64_t *ret_start, uint64_t *ret_end,
		struct cfi_rows *rows);

#endif
