// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/perfmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/sorted.h"

#define NAME_MAX_LEN 1024

struct entry {
	uint64_t start, size;
	size_t name;	/* offset in names; grows by line */
};

struct perfmap {
	struct entry *v;
	size_t n, cap;
	struct buf names;
};

/* Ascending, of one address the last line first. */
static int by_start(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->name > y->name ? -1 : x->name < y->name;
}

static void line_add(struct perfmap *m, const char *p, const char *end)
{
	struct entry e;
	char *after;

	e.start = strtoull(p, &after, 16);
	if (after == p || *after != ' ')
		return;
	p = after + 1;
	e.size = strtoull(p, &after, 16);
	if (after == p || *after != ' ' || !e.size || after + 1 >= end)
		return;
	p = after + 1;
	e.name = m->names.len;
	buf_putn(&m->names, p, MIN((size_t)(end - p), (size_t)NAME_MAX_LEN));
	buf_putc(&m->names, '\0');
	m->v = mem_grow(m->v, m->n, &m->cap, sizeof(*m->v));
	m->v[m->n++] = e;
}

/* One entry an address: a search then costs the same whatever the list holds. */
static void sort(struct perfmap *m)
{
	size_t n = 0;

	if (m->n)
		qsort(m->v, m->n, sizeof(*m->v), by_start);
	for (size_t i = 0; i < m->n; i++)
		if (!n || m->v[n - 1].start != m->v[i].start)
			m->v[n++] = m->v[i];
	m->n = m->cap = n;
	m->v = mem_realloc(m->v, n * sizeof(*m->v));
	buf_trim(&m->names);
}

struct perfmap *perfmap_parse(const char *text)
{
	struct perfmap *m = mem_zalloc(sizeof(*m));

	while (text && *text) {
		const char *end = strchr(text, '\n');

		if (*text != '\n')
			line_add(m, text, end ? end : text + strlen(text));
		text = end ? end + 1 : NULL;
	}
	sort(m);
	return m;
}

void perfmap_free(struct perfmap *m)
{
	if (!m)
		return;
	free(m->v);
	buf_release(&m->names);
	free(m);
}

size_t perfmap_size(const struct perfmap *m)
{
	return sizeof(*m) + m->cap * sizeof(*m->v) + m->names.cap;
}

const char *perfmap_name(const struct perfmap *m, uint64_t address)
{
	size_t n = sorted_upto(m->v, m->n, sizeof(*m->v), address);

	return n && address - m->v[n - 1].start < m->v[n - 1].size
		       ? m->names.data + m->v[n - 1].name
		       : NULL;
}
