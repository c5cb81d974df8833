/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks that the kernel programs took, kept by user space: from an id to frames, and on demand to
 * names. Ids of user stacks are the same for the same path in any process that runs the same files;
 * several hashes of the kernel's side can stand for one id.
 */
#ifndef IOTOP_COLLECT_STACKS_STORE_H
#define IOTOP_COLLECT_STACKS_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct abi_space;
struct abi_stack;
struct helper;
struct sample;
struct stackstore;

/* proc: "/proc", for the kernel's symbols; helper: names programs' code, borrowed. */
struct stackstore *stackstore_new(const char *proc, struct helper *helper);
/* Stacks of the kernel will be named: symbols_begin(). */
void stackstore_begin(struct stackstore *s);
void stackstore_free(struct stackstore *s);
/*
 * A sample begins: what was not used for long is dropped where there is much. interactive: somebody
 * waits for keys, and the sample waits for less.
 */
void stackstore_round(struct stackstore *s, bool interactive);
/* Kernel maps with room for so many stacks were opened; negative: closed. */
void stackstore_room(struct stackstore *s, long stacks);
/* An address space was seen for the first time: its mappings are read while its process exists. */
void stackstore_register(struct stackstore *s, const struct abi_space *space);

/*
 * The id under which a stack of this hash is known; 0: it is not. taken: the kernel took it since
 * the last round.
 */
uint64_t stackstore_known(struct stackstore *s, uint64_t hash, bool taken);
/*
 * Asks what the addresses of a stack that is not known mean, and returns at once. stackstore_add()
 * of many takes less time when all were asked for before.
 */
void stackstore_ask(struct stackstore *s, uint64_t hash, const struct abi_stack *from);
bool stackstore_asked(const struct stackstore *s, uint64_t hash);
/*
 * The id of the stack; from: NULL when it was asked for. Waits a short time for the answer: what
 * comes later is kept under the same id.
 */
uint64_t stackstore_add(struct stackstore *s, uint64_t hash, const struct abi_stack *from);
/* The kernel has not taken it for so many rounds: its map need not keep it. */
bool stackstore_idle(struct stackstore *s, uint64_t hash, unsigned rounds);

/*
 * The names of these stacks as rows of TABLE_FRAMES of `late` (data/sample.h). Ends at `until`
 * (CLOCK_MONOTONIC ns; 0: when all are told, or some seconds waited); returns how many have no row
 * yet. Ids that are not known add nothing.
 */
size_t stackstore_resolve(struct stackstore *s, struct sample *late, const uint64_t *ids,
			  size_t n, uint64_t until);
/* Why kernel stacks have no names; NULL: they have. */
const char *stackstore_kernel_reason(struct stackstore *s);
/* Why stacks have no names, those of the kernel or some of programs; NULL: they have. */
const char *stackstore_reason(struct stackstore *s);

/* Lost: processes that had ended before their mappings were read. */
uint64_t stackstore_missed(const struct stackstore *s);
/* Lost: frames without names because their file was dropped. */
uint64_t stackstore_forgotten(const struct stackstore *s);

#endif
