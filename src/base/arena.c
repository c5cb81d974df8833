// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/seal.h"

#define BLOCK_MIN 4096
#define BLOCK_MAX (1u << 20)	/* blocks double up to here; larger requests get one of their own
				 * size */
#define ALIGN alignof(max_align_t)

struct arena_block {
	struct arena_block *next;	/* older */
	size_t size, used;		/* of data, bytes */
	alignas(max_align_t) char data[];
};

void arena_init(struct arena *a)
{
	*a = (struct arena){ 0 };
}

void arena_init_sealable(struct arena *a)
{
	*a = (struct arena){ .sealable = true };
}

static void blocks_seal(struct arena *a, bool sealed)
{
	struct arena_block *next;

	for (struct arena_block *b = a->head; a->sealed != sealed && b; b = next) {
		next = b->next;
		seal_set(b, sizeof(*b) + b->size, sealed);
	}
	a->sealed = sealed;
}

void arena_seal(struct arena *a)
{
	blocks_seal(a, true);
}

void arena_open(struct arena *a)
{
	blocks_seal(a, false);
}

static void blocks_free(const struct arena *a, struct arena_block *b)
{
	struct arena_block *next;

	for (; b; b = next) {
		next = b->next;
		if (a->sealable)
			seal_free(b, sizeof(*b) + b->size);
		else
			free(b);
	}
}

void arena_release(struct arena *a)
{
	blocks_free(a, a->head);
	blocks_free(a, a->spare);
	arena_init(a);
}

/* Memory given back each time would be mapped, and cleared by the kernel, each time anew. */
void arena_reset(struct arena *a)
{
	arena_open(a);
	blocks_free(a, a->spare);
	a->spare = a->head;
	a->head = NULL;
	a->used = 0;
}

/*
 * The first spare block that is large enough; NULL: none. They are newest first, that is largest
 * first.
 */
static struct arena_block *spare_take(struct arena *a, size_t size)
{
	for (struct arena_block **b = &a->spare; *b; b = &(*b)->next) {
		struct arena_block *found = *b;

		if (found->size < size)
			continue;
		*b = found->next;
		return found;
	}
	return NULL;
}

static struct arena_block *block_new(const struct arena *a, size_t size)
{
	size_t want = a->head ? MIN(a->head->size * 2, (size_t)BLOCK_MAX)
			      : BLOCK_MIN - sizeof(struct arena_block);
	struct arena_block *b;

	if (want < size)
		want = size;
	if (want > SIZE_MAX - sizeof(*b))
		mem_exhausted();
	b = a->sealable ? seal_realloc(NULL, 0, sizeof(*b) + want) : mem_alloc(sizeof(*b) + want);
	b->size = want;
	return b;
}

static struct arena_block *arena_grow(struct arena *a, size_t size)
{
	struct arena_block *b = spare_take(a, size);

	if (a->sealed)
		seal_broken();
	if (!b)
		b = block_new(a, size);
	b->next = a->head;
	b->used = 0;
	a->head = b;
	return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *b = a->head;
	void *p;

	if (size > SIZE_MAX / 2)
		mem_exhausted();
	size = (size + ALIGN - 1) / ALIGN * ALIGN;
	if (!b || b->size - b->used < size)
		b = arena_grow(a, size);
	p = b->data + b->used;
	b->used += size;
	a->used += size;
	return memset(p, 0, size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p;

	n = strnlen(s, n);
	p = arena_alloc(a, n + 1);
	return memcpy(p, s, n);
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, SIZE_MAX / 4);
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list args;
	char *p;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (n < 0)
		return arena_alloc(a, 1);
	p = arena_alloc(a, (size_t)n + 1);
	va_start(args, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, args);
	va_end(args);
	return p;
}

char *arena_concat(struct arena *a, ...)
{
	const char *text;
	size_t room = 1;
	va_list args;
	char *p, *to;

	va_start(args, a);
	while ((text = va_arg(args, const char *)))
		room += strlen(text);
	va_end(args);
	p = to = arena_alloc(a, room);
	va_start(args, a);
	while ((text = va_arg(args, const char *)))
		to = stpcpy(to, text);
	va_end(args);
	return p;
}

char *arena_key(struct arena *a, const uint64_t *v, size_t n, const char *text)
{
	char *p = arena_alloc(a, 16 * n + strlen(text) + 1), *to = p;

	for (size_t i = 0; i < n; i++)
		for (int shift = 60; shift >= 0; shift -= 4)
			*to++ = "0123456789abcdef"[v[i] >> shift & 15];
	strcpy(to, text);
	return p;
}
