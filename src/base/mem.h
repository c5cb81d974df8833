/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory from malloc() that is there or ends the program. */
#ifndef IOTOP_BASE_MEM_H
#define IOTOP_BASE_MEM_H

#include <stddef.h>

/* malloc and friends that do not return NULL, for what outlives an arena; free() releases. */
void *mem_alloc(size_t size);
void *mem_zalloc(size_t size);	/* zeroed */
void *mem_realloc(void *p, size_t size);
/*
 * Of an array with room for *cap items of `size` bytes, n of them in use: with room for one more,
 * where it was full twice as many.
 */
void *mem_grow(void *items, size_t n, size_t *cap, size_t size);
char *mem_strdup(const char *s);
/* n bytes, and a NUL behind them. */
char *mem_strndup(const char *s, size_t n);
/*
 * Gives back to the system what was freed in between; it takes about a millisecond for a hundred
 * megabytes. malloc() of the GNU C library does so by itself at the end of its heap only.
 */
void mem_trim(void);
void mem_exhausted(void) __attribute__((noreturn));
/* For _cleanup_(mem_freep): frees what the pointer variable holds. */
void mem_freep(void *p);

#endif
