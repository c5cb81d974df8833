// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/mem.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool exhausted;

/* After what atexit() has: on the screen that is left then nobody would see it. */
static __attribute__((destructor)) void say_why(void)
{
	static const char text[] = "iotop: out of memory\n";

	if (exhausted && write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		exhausted = false;	/* there is nobody to tell */
}

void mem_exhausted(void)
{
	exhausted = true;
	exit(1);
}

void mem_trim(void)
{
#ifdef M_ARENA_MAX	/* of the C library of GNU */
	malloc_trim(0);
#endif
}

void *mem_alloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		mem_exhausted();
	return p;
}

void *mem_zalloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		mem_exhausted();
	return p;
}

void *mem_realloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		mem_exhausted();
	return p;
}

void *mem_grow(void *items, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return items;
	*cap = *cap ? 2 * *cap : 64;
	return mem_realloc(items, *cap * size);
}

char *mem_strdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(mem_alloc(n), s, n);
}

char *mem_strndup(const char *s, size_t n)
{
	char *copy = memcpy(mem_alloc(n + 1), s, n);

	copy[n] = '\0';
	return copy;
}

void mem_freep(void *p)
{
	free(*(void **)p);
}
