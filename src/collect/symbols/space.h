/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The opener's address spaces of processes: which file is where, and what runtimes tell of the code
 * they made.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_SPACE_H
#define IOTOP_COLLECT_SYMBOLS_SPACE_H

#include <stdbool.h>

#include "collect/helper/file.h"
#include "collect/symbols/mapped.h"
#include "collect/symbols/parser_client.h"

struct spaces;
struct space;

/* All are borrowed. */
struct spaces *spaces_new(const char *proc, struct mapped *files, struct parser *parser);
void spaces_free(struct spaces *s);
/*
 * The executable mappings of a process, read when it is first asked for; never NULL. *ret_missed:
 * this was the first time, and the process had ended: it has no mappings. Valid until the next
 * call.
 */
struct space *space_get(struct spaces *s, const struct space_key *key, bool *ret_missed);
/*
 * What lies at an address: false is nothing that is known, or that is code. *ret: the file, with an
 * empty path where the code is in no file; its strings are the space's. *ret_offset: in the file,
 * or the address itself.
 */
bool space_place(struct spaces *s, struct space *space, uint64_t address, struct helper_file *ret,
		 uint64_t *ret_offset);
/* Reads the mappings again, if that was not done just now. */
void space_again(struct spaces *s, struct space *space);
/* The i-th mapping, ascending, as a file; an empty path: it is of none. False: there is none. */
bool space_mapping(const struct space *space, size_t i, struct helper_file *ret);
/*
 * Appends n texts for code that is in no file, from what its runtime tells (perf-PID.map); empty:
 * no name.
 */
void space_names(struct spaces *s, struct space *space, const uint64_t *addresses, size_t n,
		 struct buf *out);

#endif
