// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/sample.h"

#include <string.h>

#include "base/i18n.h"
#include "base/seal.h"

#define ROWS_SLACK 256	/* rows of a table that are kept in any case */

const char source_unrecorded[] = N_("not recorded");

const char *source_name(enum source s)
{
	static const char *const names[SRC_COUNT] = {
		"block", "tasks", "taskio", "delayacct", "waits", "throttle", "taskstats", "disks",
		"system", "cmdline", "names", "hist", "files", "stacks", "offcpu", "layers",
		"callers", "memstall", "mounts", "memory", "events",
		"calls", "pattern",
	};

	if (!s || (s & (s - 1)) || s >= 1u << SRC_COUNT)
		return "unknown";
	return names[__builtin_ctz(s)];
}

struct sample *sample_new(void)
{
	struct sample *s = mem_zalloc(sizeof(*s));

	arena_init_sealable(&s->arena);
	return s;
}

static size_t rows_bytes(const struct sample *s, size_t table)
{
	return s->tables[table].cap * sample_tables[table].size;
}

static void set_sealed(struct sample *s, bool sealed)
{
	for (size_t i = 0; s->sealed != sealed && i < TABLE_COUNT; i++)
		seal_set(s->tables[i].rows, rows_bytes(s, i), sealed);
	s->sealed = sealed;
}

void sample_seal(struct sample *s)
{
	arena_seal(&s->arena);
	set_sealed(s, true);
}

void sample_free(struct sample *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < TABLE_COUNT; i++)
		seal_free(s->tables[i].rows, rows_bytes(s, i));
	arena_release(&s->arena);
	free(s);
}

/* Room for cap rows, or fewer than before. */
static void rows_resize(struct sample_rows *t, size_t cap, size_t size)
{
	t->rows = seal_realloc(t->rows, t->cap * size, cap * size);
	t->cap = cap;
}

void sample_reset(struct sample *s)
{
	arena_reset(&s->arena);
	set_sealed(s, false);
	s->mono = s->boot = s->real = s->counted = 0;
	s->gap = false;
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		struct sample_rows *t = &s->tables[i];

		/* What a storm of tasks needed once is given back. */
		if (t->cap > ROWS_SLACK && t->cap / 4 > t->n)
			rows_resize(t, MAX(t->n * 2, ROWS_SLACK), sample_tables[i].size);
		t->n = 0;
		t->lacks = 0;
	}
}

void *sample_add(struct sample *s, enum sample_table table)
{
	struct sample_rows *t = &s->tables[table];
	size_t size = sample_tables[table].size;

	if (s->sealed)
		seal_broken();
	if (t->n == t->cap)
		rows_resize(t, t->cap ? t->cap + t->cap / 2 : 16, size);
	return memset((char *)t->rows + size * t->n++, 0, size);
}

void *sample_add_rows(struct sample *to, enum sample_table table, const void *rows, size_t n)
{
	struct sample_rows *t = &to->tables[table];
	size_t size = sample_tables[table].size;
	char *first;

	if (to->sealed)
		seal_broken();
	if (t->n + n > t->cap)
		rows_resize(t, MAX(t->n + n, t->cap ? t->cap + t->cap / 2 : 16), size);
	first = (char *)t->rows + size * t->n;
	if (n)
		memcpy(first, rows, n * size);
	t->n += n;
	return first;
}

/* Texts and histograms become its own. */
static void own_row(struct sample *s, const struct table_info *info, char *row)
{
	for (unsigned i = 0; i < info->nfields; i++) {
		const struct field *f = &info->fields[i];
		void *p = row + f->off;
		struct blob *blob = p;
		const char **str = p;

		if (f->kind < FIELD_STR)
			continue;
		if (f->kind == FIELD_STR && *str)
			*str = arena_strdup(&s->arena, *str);
		else if (f->kind == FIELD_BLOB && blob->data)
			blob->data =
				memcpy(arena_alloc(&s->arena, blob->len), blob->data, blob->len);
	}
}

void *sample_copy_row(struct sample *to, enum sample_table table, const void *row)
{
	char *copy = sample_add_rows(to, table, row, 1);

	own_row(to, &sample_tables[table], copy);
	return copy;
}

void sample_copy(struct sample *to, const struct sample *from)
{
	to->mono = from->mono;
	to->boot = from->boot;
	to->real = from->real;
	to->gap = from->gap;
	for (size_t t = 0; t < TABLE_COUNT; t++) {
		const struct sample_rows *rows = &from->tables[t];

		for (size_t i = 0; i < rows->n; i++)
			sample_copy_row(to, (enum sample_table)t,
					(const char *)rows->rows + i * sample_tables[t].size);
		to->tables[t].lacks = rows->lacks;
	}
}

const char *sample_str(struct sample *s, const char *str, size_t n)
{
	return str ? arena_strndup(&s->arena, str, n) : NULL;
}

void sample_lose(struct sample *s, const char *name, uint64_t count)
{
	struct sample_loss *row;

	sample_each(s, LOSS, struct sample_loss, l) {
		if (!strcmp(l->name, name)) {
			l->count += count;
			return;
		}
	}
	row = sample_add_row(s, LOSS, struct sample_loss);
	row->name = arena_strdup(&s->arena, name);
	row->count = count;
}

void sample_source(struct sample *s, enum source source, enum source_state state,
		   const char *reason)
{
	static const int rank[] = { [SOURCE_OFF] = 0, [SOURCE_PART] = 1, [SOURCE_ON] = 2 };
	struct sample_source *row = NULL;

	sample_each(s, SOURCE, struct sample_source, r) {
		if (r->source == (uint32_t)source)
			row = r;
	}
	if (row && rank[row->state] >= rank[state])
		return;
	if (!row)
		row = sample_add_row(s, SOURCE, struct sample_source);
	row->source = source;
	row->state = state;
	row->reason = state == SOURCE_ON || !reason ? NULL : arena_strdup(&s->arena, reason);
}

const char *const layer_op_names[LAYER_OP_COUNT] = {
	[LAYER_READ] = "read",
	[LAYER_WRITE] = "write",
	[LAYER_OPEN] = "open",
	[LAYER_FSYNC] = "fsync",
	[LAYER_SYNC] = "sync",
	[LAYER_DISCARD] = "discard",
	[LAYER_FLUSH] = "flush",
	[LAYER_OTHER] = "other",
	[LAYER_COMMIT] = "commit",
	[LAYER_DATA] = "data",
	[LAYER_JOURNAL] = "journal",
	[LAYER_JOINED] = "joined",
	[LAYER_FAULT] = "fault",
	[LAYER_RANGE] = "range",
};

const char *residual_name(uint32_t residual)
{
	switch (residual) {
	case RESIDUAL_JOURNAL:
		return "[journal]";
	case RESIDUAL_METADATA:
		return "[metadata]";
	case RESIDUAL_SWAP:
		return "[swap]";
	case RESIDUAL_OUTSIDE:
		return "[outside]";
	default:
		return "[unattributed]";
	}
}

const char *io_op_name(uint32_t op)
{
	static const char *const names[OP_COUNT] = {
		[OP_READ] = "read",   [OP_WRITE] = "write", [OP_DISCARD] = "discard",
		[OP_FLUSH] = "flush", [OP_OTHER] = "other",
	};

	return op < OP_COUNT ? names[op] : "other";
}
