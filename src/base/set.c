// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/set.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* Room for one more of n items; arrays grow when n is a power of two. */
static void *with_room(void *items, size_t n, size_t size)
{
	return n & (n - 1) ? items : mem_realloc(items, (n ? 2 * n : 1) * size);
}

static int compare_numbers(const void *pa, const void *pb)
{
	const uint32_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static int compare_texts(const void *pa, const void *pb)
{
	const char *const *a = pa, *const *b = pb;

	return strcmp(*a, *b);
}

void number_set_add(struct number_set *s, uint32_t number)
{
	s->items = with_room(s->items, s->n, sizeof(*s->items));
	s->items[s->n++] = number;
}

void number_set_sort(struct number_set *s)
{
	size_t kept = 0;

	if (!s->n)
		return;
	qsort(s->items, s->n, sizeof(*s->items), compare_numbers);
	for (size_t i = 1; i < s->n; i++)
		if (s->items[i] != s->items[kept])
			s->items[++kept] = s->items[i];
	s->n = kept + 1;
}

bool number_set_has(const struct number_set *s, uint32_t number)
{
	return s->n && bsearch(&number, s->items, s->n, sizeof(*s->items), compare_numbers);
}

void number_set_release(struct number_set *s)
{
	free(s->items);
	*s = (struct number_set){ 0 };
}

void text_set_add(struct text_set *s, const char *text)
{
	s->items = with_room(s->items, s->n, sizeof(*s->items));
	s->items[s->n++] = mem_strdup(text);
}

void text_set_sort(struct text_set *s)
{
	if (s->n)
		qsort(s->items, s->n, sizeof(*s->items), compare_texts);
}

bool text_set_has(const struct text_set *s, const char *text)
{
	return s->n && bsearch(&text, s->items, s->n, sizeof(*s->items), compare_texts);
}

void text_set_release(struct text_set *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->items[i]);
	free(s->items);
	*s = (struct text_set){ 0 };
}
