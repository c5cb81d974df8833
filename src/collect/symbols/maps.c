// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"

#define MAPPINGS_MAX 16384

void maps_init(struct maps *m)
{
	*m = (struct maps){ .n = 0 };
	arena_init(&m->arena);
}

void maps_release(struct maps *m)
{
	arena_release(&m->arena);
	free(m->v);
	*m = (struct maps){ .n = 0 };
}

/* A hexadecimal number that ends with `end`; *p moves behind it. */
static int hex(const char **p, char end, uint64_t *ret)
{
	uint64_t v = 0;
	const char *s = *p;

	for (; *s && *s != end; s++) {
		const char *digits = "0123456789abcdef", *d = strchr(digits, *s);

		if (!d || v >> 60)
			return -1;
		v = v << 4 | (uint64_t)(d - digits);
	}
	if (s == *p || *s != end)
		return -1;
	*p = s + 1;
	*ret = v;
	return 0;
}

/* "start-end perms offset major:minor inode   path" */
static int line_parse(const char *p, const char *end, struct mapping *ret, struct arena *a)
{
	uint64_t major, minor;
	char *after;

	if (hex(&p, '-', &ret->start) || hex(&p, ' ', &ret->end) || strnlen(p, 5) < 5 ||
	    p[2] != 'x' || p[4] != ' ')
		return -1;
	p += 5;
	if (hex(&p, ' ', &ret->offset) || hex(&p, ':', &major) || hex(&p, ' ', &minor))
		return -1;
	ret->dev = major << 32 | minor;
	ret->ino = strtoull(p, &after, 10);
	if (after == p || ret->end <= ret->start)
		return -1;
	for (p = after; p < end && *p == ' ';)
		p++;
	ret->path = arena_strndup(a, p, p < end ? (size_t)(end - p) : 0);
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	return ORDER(x->start, y->start);
}

void maps_parse(struct maps *m, const char *text)
{
	m->n = 0;
	arena_reset(&m->arena);
	while (text && *text && m->n < MAPPINGS_MAX) {
		const char *end = strchr(text, '\n');
		struct mapping line;

		if (!line_parse(text, end ? end : text + strlen(text), &line, &m->arena)) {
			m->v = mem_grow(m->v, m->n, &m->cap, sizeof(*m->v));
			m->v[m->n++] = line;
		}
		text = end ? end + 1 : NULL;
	}
	if (m->n)
		qsort(m->v, m->n, sizeof(*m->v), by_start);
}

const struct mapping *maps_find(const struct maps *m, uint64_t address)
{
	size_t n = sorted_upto(m->v, m->n, sizeof(*m->v), address);

	return n && address < m->v[n - 1].end ? &m->v[n - 1] : NULL;
}
