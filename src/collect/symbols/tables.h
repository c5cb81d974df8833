/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol tables that the parser holds, by the numbers that the opener gave them. Bounded in
 * memory.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_TABLES_H
#define IOTOP_COLLECT_SYMBOLS_TABLES_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct ehframe;
struct elfsyms_debug;
struct tables;

struct tables *tables_new(void);
void tables_free(struct tables *t);
/*
 * Reads the symbols of the ELF file behind fd, which stays the caller's. 0 or -errno. Where it has
 * none of its own, *ret_debug says which debug file belongs to it (see elfsyms.h), else it is
 * empty.
 */
int tables_elf(struct tables *t, uint32_t number, int fd, struct elfsyms_debug *ret_debug);
/* Adds the symbols of a debug file; -EINVAL: it belongs to another file. */
int tables_debug(struct tables *t, uint32_t number, int fd);
/* Reads a perf-PID.map, in place of what this number was before. */
int tables_perf(struct tables *t, uint32_t number, int fd);
/*
 * The unwind table of the ELF file behind fd (-1: the one that was read last, if it has this
 * number), valid until the next call. NULL, and why in *ret_errno.
 */
const struct ehframe *tables_unwind(struct tables *t, uint32_t number, int fd, int *ret_errno);
bool tables_has(struct tables *t, uint32_t number);
/*
 * The frames at an offset in the file (an address, in a perf map), as inlined_put(), readable where
 * names were mangled; none: *out stays empty.
 */
void tables_name(struct tables *t, uint32_t number, uint64_t at, struct buf *out);
/* No more names are asked for now: what takes much memory goes. */
void tables_named(struct tables *t);

#endif
