/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that lives as long as one sample, one model or one view. */
#ifndef IOTOP_BASE_ARENA_H
#define IOTOP_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macro.h"
#include "base/mem.h"

/*
 * A growing region; everything allocated from it is freed at once. Memory is zeroed and aligned for
 * any type. Allocation never fails: when the system has none left the program ends with one line
 * (mem_exhausted()).
 */
struct arena {
	struct arena_block *head;
	struct arena_block *spare;	/* of the round before, to be used again */
	size_t used;	/* bytes handed out */
	bool sealable, sealed;
};

void arena_init(struct arena *a);
/* For an arena that is sealed one day. */
void arena_init_sealable(struct arena *a);
/*
 * From now on (until it is opened, or reset) nothing in it is written, and nothing allocated: in a
 * debug build who does so is ended by SIGSEGV.
 */
void arena_seal(struct arena *a);
void arena_open(struct arena *a);
void arena_release(struct arena *a);
/*
 * Forgets everything; the blocks that were in use stay for the next round, those that it does not
 * need go at its end.
 */
void arena_reset(struct arena *a);
void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) _printf_(2, 3);
/*
 * Texts one after the other, up to a NULL; for what is made for every row, where printf takes most
 * of the time.
 */
char *arena_concat(struct arena *a, ...) __attribute__((sentinel));
/* A text that is the same for the same numbers and text, and for no others. */
char *arena_key(struct arena *a, const uint64_t *v, size_t n, const char *text);
#define arena_new(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))

#endif
