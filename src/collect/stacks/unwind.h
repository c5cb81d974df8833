/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind tables for the programs that take stacks: made by helpers from .eh_frame of what a process
 * has mapped when its first stack was taken, and given to all programs in memory. Nothing here
 * waits. Where this is not to be had, stacks are walked by frame pointers alone.
 */
#ifndef IOTOP_COLLECT_STACKS_UNWIND_H
#define IOTOP_COLLECT_STACKS_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct bpf_object;
struct helper;
struct probe_list;
struct space_key;
struct unwind;
struct unwind_maps;

/* bytes: memory for tables. NULL, and the reason: there is none. The helper is borrowed. */
struct unwind *unwind_new(struct helper *helper, uint64_t bytes, struct err *err);
void unwind_free(struct unwind *u);
/* Before an object is loaded: its programs use these tables. 0 or -errno. */
int unwind_share(struct unwind *u, const struct bpf_object *obj);
/*
 * A stack of this space was taken first; changed: it has run code that is in none of its mappings.
 */
void unwind_see(struct unwind *u, const struct space_key *key, bool changed);
/* What the programs see; for tests. */
const struct unwind_maps *unwind_memory(const struct unwind *u);
/* A sample begins: what was not used for long goes where there is little room. */
void unwind_round(struct unwind *u);
/*
 * For --probes. u may be NULL: why says the reason, or is empty: switched off. refused: by the
 * kernel's verifier.
 */
void unwind_probe(const struct unwind *u, bool refused, const char *why, struct probe_list *list);

#endif
