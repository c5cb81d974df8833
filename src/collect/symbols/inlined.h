/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What DWARF says of an address: the functions that the compiler put into the one that is called,
 * and lines of source.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_INLINED_H
#define IOTOP_COLLECT_SYMBOLS_INLINED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct inlined;

/* Whether the file has debug information that is not too large. */
bool inlined_has(int fd);
/*
 * Reads it from a file of another user, fd (its own from here on): what is wrong in it tells less.
 * 0 or -errno.
 */
int inlined_open(int fd, struct inlined **ret);
void inlined_close(struct inlined *in);
/* Appends a name: frames, and lines of source, are told apart by what no name has. */
void inlined_put_name(struct buf *out, const char *name);
/*
 * Puts frames into out, which is empty: innermost first, a line each: a name and, behind a tab,
 * file and line where they are known. function: what the symbols call the one that is called, NULL:
 * nothing. Without a name for that one nothing is put.
 */
void inlined_put(struct inlined *in, uint64_t address, const char *function, struct buf *out);

#endif
