/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The unwind table of one ELF file, made from its .eh_frame. */
#ifndef IOTOP_COLLECT_SYMBOLS_EHFRAME_H
#define IOTOP_COLLECT_SYMBOLS_EHFRAME_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/abi_unwind.h"
#include "collect/symbols/elffile.h"

struct ehframe {
	struct abi_unwind_row *rows;	/* ascending; the last one is ABI_UNWIND_NONE */
	size_t n;
	uint64_t base;			/* what their pc is relative to, as linked */
	struct elf_loads loads;
};

/*
 * Reads the file behind fd, which stays the caller's. It is another user's: what is wrong in it
 * gives rows that say so, or none. -ENOEXEC: no ELF file of this machine (struct cfi_machine);
 * -ENODATA: it has no .eh_frame; -EFBIG, -ETIME: it takes more than a file may.
 */
int ehframe_read(int fd, unsigned machine, struct ehframe **ret);
/* The same of what lies in memory as a file would. */
int ehframe_read_memory(void *image, size_t size, unsigned machine, struct ehframe **ret);
void ehframe_free(struct ehframe *e);

#endif
