// SPDX-License-Identifier: GPL-2.0-or-later
#include "out/metrics/series.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

static const size_t values_of[SET_COUNT] = {
	[SET_DISK_OP] = DISK_OP_VALUES,
	[SET_DISK] = DISK_VALUES,
	[SET_LATENCY] = HIST_VALUES,
	[SET_CGROUP_IO] = CGROUP_IO_VALUES,
	[SET_CGROUP] = CGROUP_VALUES,
	[SET_CGROUP_DIRTY] = 1,
	[SET_UNATTRIBUTED] = 1,
	[SET_LAYER] = HIST_VALUES,
	[SET_FSYNC] = HIST_VALUES,
	[SET_BLOCKED] = 1,
	[SET_FINDING] = FINDING_VALUES,
	[SET_LOST] = 1,
	[SET_SOURCE] = SOURCE_VALUES,
	[SET_PROGRAM] = PROGRAM_VALUES,
	[SET_PROCESS] = PROCESS_VALUES,
	[SET_SELF] = SELF_VALUES,
	[SET_BUILD] = 1,
};

size_t series_values(enum series_set set)
{
	return values_of[set];
}

void series_init(struct series_table *t, const size_t lines_of[SET_COUNT])
{
	memset(t, 0, sizeof(*t));
	hash_init(&t->hash, offsetof(struct series, key), sizeof(uint64_t));
	memcpy(t->lines_of, lines_of, sizeof(t->lines_of));
}

static void series_free(struct series *s)
{
	free(s->labels);
	free(s);
}

void series_release(struct series_table *t)
{
	for (size_t i = 0; i < SET_COUNT; i++) {
		for (size_t k = 0; k < t->sets[i].n; k++)
			series_free(t->sets[i].items[k]);
		free(t->sets[i].items);
	}
	hash_release(&t->hash);
}

/*
 * Names of control groups are chosen by users: where two texts have the same hash, the next number
 * is tried. *ret_key: that of the series, or the one it would get.
 */
static struct series *look_up(const struct series_table *t, enum series_set set,
			      const char *labels, uint64_t *ret_key)
{
	uint64_t key = hash_bytes(labels, strlen(labels)) ^ (uint64_t)set << 56;
	struct series *s;

	while ((s = hash_get(&t->hash, &key)) && (s->set != set || strcmp(s->labels, labels)))
		key++;
	*ret_key = key;
	return s;
}

struct series *series_find(const struct series_table *t, enum series_set set, const char *labels)
{
	uint64_t key;

	return look_up(t, set, labels, &key);
}

static void list_add(struct series_list *l, struct series *s)
{
	l->items = mem_grow(l->items, l->n, &l->cap, sizeof(struct series *));
	l->items[l->n++] = s;
}

struct series *series_get(struct series_table *t, enum series_set set, const char *labels)
{
	uint64_t key;
	struct series *s = look_up(t, set, labels, &key);

	if (!s) {
		s = mem_zalloc(sizeof(*s) + values_of[set] * sizeof(uint64_t));
		s->key = key;
		s->set = set;
		s->labels = mem_strdup(labels);
		hash_put(&t->hash, s);
		list_add(&t->sets[set], s);
		t->lines += t->lines_of[set];
	}
	s->tick = t->tick;
	return s;
}

/* Their keys may follow each other: what is left is put in anew. */
void series_drop(struct series_table *t, bool (*drop)(struct series *s, void *arg), void *arg)
{
	hash_release(&t->hash);
	hash_init(&t->hash, offsetof(struct series, key), sizeof(uint64_t));
	t->lines = 0;
	for (size_t i = 0; i < SET_COUNT; i++) {
		struct series_list *l = &t->sets[i];
		size_t n = l->n;

		l->n = 0;
		for (size_t k = 0; k < n; k++) {
			struct series *s = l->items[k];

			if (drop(s, arg)) {
				series_free(s);
				continue;
			}
			look_up(t, (enum series_set)i, s->labels, &s->key);
			hash_put(&t->hash, s);
			l->items[l->n++] = s;
			t->lines += t->lines_of[i];
		}
	}
}

void label_put(struct buf *b, const char *name, const char *value)
{
	if (b->len)
		buf_putc(b, ',');
	buf_puts(b, name);
	buf_putc(b, '=');
	utf8_quote(b, false, value);
}
