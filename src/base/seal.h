/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that can be made read-only. In a debug build (configure --enable-debug, or with a
 * sanitizer) it is pages of its own and the kernel ends the program that writes to it; else it
 * comes from malloc and sealing costs nothing. Sizes are those that were asked for, in bytes.
 */
#ifndef IOTOP_BASE_SEAL_H
#define IOTOP_BASE_SEAL_H

#include <stdbool.h>
#include <stdlib.h>

#ifdef IOTOP_DEBUG
/* As mem_realloc(); p: NULL, or memory of `old` bytes that is not sealed. */
void *seal_realloc(void *p, size_t old, size_t size);
void seal_free(void *p, size_t size);
/* Nothing happens for NULL. */
void seal_set(void *p, size_t size, bool sealed);
#else
#include "base/arena.h"

static inline void *seal_realloc(void *p, _unused_ size_t old, size_t size)
{
	return mem_realloc(p, size);
}

static inline void seal_free(void *p, _unused_ size_t size)
{
	free(p);
}

static inline void seal_set(_unused_ void *p, _unused_ size_t size, _unused_ bool sealed)
{
}
#endif

/* Aborts: somebody adds to what is sealed. For checks that every build makes. */
void seal_broken(void) __attribute__((noreturn));

#endif
