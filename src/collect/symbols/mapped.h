/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The opener's files: what processes have mapped as code. A file is opened when its mapping is
 * first seen, so that its names can be read when it was deleted or its process ended; how many stay
 * open is bounded.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_MAPPED_H
#define IOTOP_COLLECT_SYMBOLS_MAPPED_H

#include "collect/helper/file.h"
#include "collect/symbols/parser_client.h"

struct mapped;

/* All are borrowed; fetched: see debugfile_fetched(), -1: none. */
struct mapped *mapped_new(const char *proc, int fetched, struct parser *parser);
void mapped_free(struct mapped *m);
/*
 * Fills size and mtime of the file that a process maps so; pid_dir: its folder in /proc. They stay
 * 0 when it cannot be opened.
 */
void mapped_see(struct mapped *m, int pid_dir, struct helper_file *f);
/*
 * Appends n texts, one for each offset in the file; empty: no name is known. n is at most
 * HELPER_NAMES_MAX. 0, or why it cannot be read: errno; ESTALE: it was replaced.
 */
int mapped_names(struct mapped *m, const struct helper_file *f, const uint64_t *offsets, size_t n,
		 struct buf *out);
/*
 * Appends the file's unwind table from this row on, as MESSAGE_UNWIND has it: with an errno where
 * there is none.
 */
void mapped_unwind(struct mapped *m, const struct helper_file *f, uint32_t from, struct buf *out);

#endif
