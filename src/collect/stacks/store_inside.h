/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the stack store: for stackstore.c and stackmap.c, and for tests that have no kernel
 * programs.
 */
#ifndef IOTOP_COLLECT_STACKS_STORE_INSIDE_H
#define IOTOP_COLLECT_STACKS_STORE_INSIDE_H

#include "bpf/abi.h"
#include "collect/stacks/store.h"

/* Whether somebody waits for keys: a sample then waits for less. */
void stackstore_impatient(struct stackstore *s, bool impatient);
void stackstore_meet(struct stackstore *s, const struct abi_space *space);
/*
 * The id under which a stack of this hash is known; 0: it is not. taken: the kernel took it since
 * the last round.
 */
uint64_t stackstore_known(struct stackstore *s, uint64_t hash, bool taken);
/*
 * A stack that is not known yet; what its addresses mean is asked for. stackstore_add() of many
 * takes less time when all were asked for before.
 */
void stackstore_want(struct stackstore *s, uint64_t hash, const struct abi_stack *from);
/*
 * The id of the stack; from: NULL when it was asked for. Waits for what was asked for, but not for
 * long: it is told later then.
 */
uint64_t stackstore_add(struct stackstore *s, uint64_t hash, const struct abi_stack *from);
bool stackstore_wanted(const struct stackstore *s, uint64_t hash);
/* Kernel maps with room for so many stacks have come; negative: have gone. */
void stackstore_room(struct stackstore *s, long stacks);
/* The kernel did not take it for so many rounds: it need not have it any more. */
bool stackstore_idle(struct stackstore *s, uint64_t hash, unsigned rounds);
/* Processes that had ended before they were met. */
uint64_t stackstore_missed(const struct stackstore *s);
/* Frames that have no names because their file had to be forgotten. */
uint64_t stackstore_forgotten(const struct stackstore *s);

#endif
