// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Segments of some samples each: the first is whole, the others are differences to the one before
 * (delta.h). The oldest segment goes as a whole.
 */
#include "record/flight.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "record/delta.h"

#define SEGMENT 60		/* samples */
#define LATE_BYTES (4u << 20)	/* of command lines and names of stacks; then they begin anew */

struct moment {
	uint64_t real;
	size_t at;	/* in the bytes of its segment */
	unsigned mark;
};

struct segment {
	struct segment *next;
	uint64_t first;	/* number of its first sample */
	size_t n;
	struct buf bytes;
	struct moment moments[SEGMENT];
};

struct flight {
	uint64_t keep_ns;
	size_t max_bytes, bytes;
	struct segment *oldest, *newest;
	uint64_t end, mono;		/* number of the next sample; of the newest one */
	struct sample *late;
	struct hash late_keys[TABLE_COUNT];
	struct delta_layout layout;
	struct sample *state[2];	/* as read last, and the one that is being made */
	uint64_t read;			/* number of the sample in state[0], + 1; 0: none */
};

struct flight *flight_new(uint64_t keep_ns, size_t max_bytes)
{
	struct flight *f = mem_zalloc(sizeof(*f));

	f->keep_ns = keep_ns;
	f->max_bytes = max_bytes;
	delta_layout_init(&f->layout);
	f->late = sample_new();
	f->state[0] = sample_new();
	f->state[1] = sample_new();
	for (size_t i = 0; i < TABLE_COUNT; i++)
		hash_init(&f->late_keys[i], 0, sample_tables[i].key);
	return f;
}

static void drop_oldest(struct flight *f)
{
	struct segment *s = f->oldest;

	f->oldest = s->next;
	if (!f->oldest)
		f->newest = NULL;
	f->bytes -= sizeof(*s) + s->bytes.cap;
	buf_release(&s->bytes);
	free(s);
}

static void late_clear(struct flight *f)
{
	sample_reset(f->late);
	for (size_t i = 0; i < TABLE_COUNT; i++)
		hash_clear(&f->late_keys[i], hash_free_value, NULL);
}

void flight_free(struct flight *f)
{
	if (!f)
		return;
	while (f->oldest)
		drop_oldest(f);
	late_clear(f);
	sample_free(f->late);
	sample_free(f->state[0]);
	sample_free(f->state[1]);
	free(f);
}

/* Its texts are the arena's. */
static void late_add(struct flight *f, size_t table, const char *row)
{
	const struct table_info *info = &sample_tables[table];
	char *copy, *key;

	if (hash_get(&f->late_keys[table], row))
		return;
	key = memcpy(mem_alloc(info->key), row, info->key);
	hash_put(&f->late_keys[table], key);
	copy = memcpy(sample_add(f->late, table), row, info->size);
	for (unsigned i = 0; i < info->nfields; i++) {
		const char **text = (const char **)(void *)(copy + info->fields[i].off);

		if (info->fields[i].kind == FIELD_STR && *text)
			*text = arena_strdup(&f->late->arena, *text);
	}
}

static void late_take(struct flight *f, const struct sample *late)
{
	if (f->late->arena.used > LATE_BYTES)
		late_clear(f);
	for (size_t t = 0; t < TABLE_COUNT; t++)
		for (size_t i = 0; sample_tables[t].late && i < late->tables[t].n; i++)
			late_add(f, t,
				 (const char *)late->tables[t].rows + i * sample_tables[t].size);
}

static struct segment *segment_new(struct flight *f)
{
	struct segment *s = mem_zalloc(sizeof(*s));

	s->first = f->end;
	if (f->newest)
		f->newest->next = s;
	else
		f->oldest = s;
	/* Nothing is added to the one before any more. */
	if (f->newest) {
		f->bytes -= f->newest->bytes.cap;
		buf_trim(&f->newest->bytes);
		f->bytes += f->newest->bytes.cap;
	}
	f->newest = s;
	f->bytes += sizeof(*s);
	return s;
}

static uint64_t newest_of(const struct segment *s)
{
	return s->n ? s->moments[s->n - 1].real : 0;
}

/* The segment that is being written stays in any case. */
static void drop_old(struct flight *f, uint64_t real)
{
	while (f->oldest != f->newest &&
	       (f->bytes > f->max_bytes || newest_of(f->oldest) + f->keep_ns < real))
		drop_oldest(f);
}

void flight_add(struct flight *f, const struct sample *s, const struct sample *before,
		const struct sample *late)
{
	struct segment *g = f->newest;
	size_t cap;

	/* Where samples were not added, or one is huge, it begins anew. */
	if (!g || g->n == SEGMENT || !before || before->mono != f->mono ||
	    g->bytes.len > f->max_bytes / 4) {
		g = segment_new(f);
		before = NULL;
	}
	cap = g->bytes.cap;
	g->moments[g->n++] = (struct moment){ s->real, g->bytes.len, 0 };
	delta_put(&g->bytes, s, before);
	f->bytes += g->bytes.cap - cap;
	f->end++;
	f->mono = s->mono;
	late_take(f, late);
	drop_old(f, s->real);
}

uint64_t flight_first(const struct flight *f)
{
	return f->oldest ? f->oldest->first : f->end;
}

uint64_t flight_end(const struct flight *f)
{
	return f->end;
}

static struct segment *find(const struct flight *f, uint64_t number)
{
	struct segment *s = f->oldest;

	while (number >= s->first + s->n)
		s = s->next;
	return s;
}

uint64_t flight_time(const struct flight *f, uint64_t number)
{
	const struct segment *s = find(f, number);

	return s->moments[number - s->first].real;
}

void flight_set_mark(struct flight *f, unsigned mark)
{
	f->newest->moments[f->newest->n - 1].mark = mark;
}

unsigned flight_mark(const struct flight *f, uint64_t number)
{
	const struct segment *s = find(f, number);

	return s->moments[number - s->first].mark;
}

/* Brings state[0] to the sample. */
static void go_to(struct flight *f, uint64_t number)
{
	const struct segment *s = find(f, number);
	uint64_t from = f->read > s->first && f->read <= number ? f->read : s->first;

	for (; from <= number; from++) {
		struct sample *made = f->state[1];
		size_t i = from - s->first, at = s->moments[i].at,
		       end = i + 1 < s->n ? s->moments[i + 1].at : s->bytes.len;

		sample_reset(made);
		delta_get(s->bytes.data + at, end - at, &f->layout, made,
			  from == s->first ? NULL : f->state[0], NULL);
		f->state[1] = f->state[0];
		f->state[0] = made;
	}
	f->read = number + 1;
}

const struct sample *flight_read(struct flight *f, uint64_t number)
{
	if (f->read != number + 1)
		go_to(f, number);
	return f->state[0];
}

const struct sample *flight_late(const struct flight *f)
{
	return f->late;
}

size_t flight_bytes(const struct flight *f)
{
	return f->bytes;
}
