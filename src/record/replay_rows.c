// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the samples of a recording. The file is not trusted: types, ranges, sizes and keys are
 * checked.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "record/lacking.h"
#include "record/replay.h"

#define TEXT_MAX (1 << 20)	/* bytes of one text */
#define BLOB_MAX (64 << 10)
#define ROWS_MAX (8u << 20)	/* of a table in one sample */

static bool read_number(sqlite3_stmt *stmt, int at, const struct field *f, void *to)
{
	sqlite3_int64 v = sqlite3_column_int64(stmt, at);

	if (sqlite3_column_type(stmt, at) != SQLITE_INTEGER)
		return false;
	if (f->kind == FIELD_U32) {
		if (v < 0 || v > UINT32_MAX || (f->max && v > f->max))
			return false;
		*(uint32_t *)to = (uint32_t)v;
	} else {
		memcpy(to, &v, sizeof(v));
	}
	return true;
}

static bool read_text(struct sample *s, sqlite3_stmt *stmt, int at, void *to)
{
	int type = sqlite3_column_type(stmt, at);
	const void *text;
	int len;

	if (type != SQLITE_TEXT && type != SQLITE_BLOB)
		return false;
	text = sqlite3_column_blob(stmt, at);
	len = sqlite3_column_bytes(stmt, at);
	if (len > TEXT_MAX)
		return false;
	*(const char **)to = sample_str(s, text ? text : "", (size_t)len);
	return true;
}

static bool read_blob(struct sample *s, sqlite3_stmt *stmt, int at, void *to)
{
	const void *data;
	void *copy;
	int len;

	if (sqlite3_column_type(stmt, at) != SQLITE_BLOB)
		return false;
	data = sqlite3_column_blob(stmt, at);
	len = sqlite3_column_bytes(stmt, at);
	if (len > BLOB_MAX || len % sizeof(uint64_t))
		return false;
	copy = arena_alloc(&s->arena, (size_t)len);
	if (len)
		memcpy(copy, data, (size_t)len);
	*(struct blob *)to = (struct blob){ .data = copy, .len = (size_t)len };
	return true;
}

static bool read_field(struct sample *s, sqlite3_stmt *stmt, int at, const struct field *f,
		       char *row)
{
	void *to = row + f->off;

	if (sqlite3_column_type(stmt, at) == SQLITE_NULL)
		return true;
	if (f->kind == FIELD_STR)
		return read_text(s, stmt, at, to);
	if (f->kind == FIELD_BLOB)
		return read_blob(s, stmt, at, to);
	return read_number(stmt, at, f, to);
}

/* Texts that must be there are. */
static void complete(const struct table_info *info, char *row)
{
	for (unsigned i = 0; i < info->nfields; i++) {
		const struct field *f = &info->fields[i];
		const char **str = (const char **)(row + f->off);

		if (f->kind == FIELD_STR && f->required && !*str)
			*str = "";
	}
}

/* Numbers of layers as they are now. Before version 3, iowait was taken for the waits for I/O. */
static void convert(const struct replay *r, enum sample_table table, char *row)
{
	uint32_t *layer = table == TABLE_LAYER	  ? &((struct sample_layer *)(void *)row)->layer
			  : table == TABLE_CALLER ? &((struct sample_caller *)(void *)row)->layer
						  : NULL;

	if (r->no_cache && layer && *layer >= LAYER_CACHE && *layer < LAYER_DEVICE)
		++*layer;
	if (r->version < 3 && table == TABLE_TASK)
		((struct sample_task *)(void *)row)->wait_ns =
			((struct sample_task *)(void *)row)->iowait_ns;
}

static void note_gone(struct replay *r, size_t i, bool gone)
{
	if (i >= r->capgone) {
		r->capgone = r->capgone ? r->capgone * 2 : 256;
		r->gone = mem_realloc(r->gone, r->capgone * sizeof(*r->gone));
	}
	r->gone[i] = gone;
}

/* The rows that the file has of a table in one sample, with those that are gone. */
static int read_rows(struct replay *r, enum sample_table table, struct err *err)
{
	const struct table_info *info = &sample_tables[table];
	const struct reader *t = &r->tables[table];
	struct sample *s = r->news;
	int64_t before = INT64_MIN;
	int code;

	while ((code = sqlite3_step(t->stmt)) == SQLITE_ROW) {
		int64_t number = sqlite3_column_int64(t->stmt, 0);
		char *row = sample_add(s, table);

		/* A page that is linked to twice would give its rows without end. */
		if ((s->tables[table].n > 1 && number <= before) || s->tables[table].n > ROWS_MAX)
			return replay_damaged(r, info->name, err);
		before = number;
		for (int i = 0; i < t->nfields; i++) {
			if (!read_field(s, t->stmt, i + 1, t->fields[i], row))
				return replay_damaged(r, info->name, err);
		}
		complete(info, row);
		convert(r, table, row);
		note_gone(r, s->tables[table].n - 1, number < 0);
	}
	return code == SQLITE_DONE ? 0 : replay_failed(r, err);
}

static int read_table(struct replay *r, enum sample_table table, int64_t id, struct err *err)
{
	sqlite3_stmt *stmt = r->tables[table].stmt;
	int result;

	if (!stmt)
		return 0;
	sqlite3_bind_int64(stmt, 1, id);
	result = read_rows(r, table, err);
	sqlite3_reset(stmt);
	return result;
}

static char *row_at(const struct sample *s, enum sample_table table, size_t i)
{
	return (char *)s->tables[table].rows + i * sample_tables[table].size;
}

/*
 * The rows of the state before, but those that changed as they are now, without those that are
 * gone; then what is new. Rows are told apart by their keys everywhere: of several with one key in
 * the file the first counts.
 */
static void add_news(struct replay *r, enum sample_table table, bool anew)
{
	const struct sample *news = r->news, *before = r->state;
	struct hash keys;

	hash_init(&keys, 0, sample_tables[table].key);
	for (size_t i = 0; i < news->tables[table].n; i++) {
		if (!hash_get(&keys, row_at(news, table, i)))
			hash_put(&keys, row_at(news, table, i));
	}
	for (size_t i = 0; !anew && i < before->tables[table].n; i++) {
		const char *now = hash_del(&keys, row_at(before, table, i));

		if (!now)
			sample_copy_row(r->spare, table, row_at(before, table, i));
		else if (!r->gone[(size_t)(now - row_at(news, table, 0)) /
				  sample_tables[table].size])
			sample_copy_row(r->spare, table, now);
	}
	for (size_t i = 0; i < news->tables[table].n; i++) {
		if (hash_get(&keys, row_at(news, table, i)) == row_at(news, table, i) &&
		    !r->gone[i])
			sample_copy_row(r->spare, table, row_at(news, table, i));
	}
	hash_release(&keys);
}

/* Bit f: the file has no column for field f. */
static uint64_t lacking(const struct replay *r, enum sample_table table)
{
	const struct table_info *info = &sample_tables[table];
	uint64_t bits = 0;

	for (unsigned f = 0; f < info->nfields; f++)
		bits |= 1ull << f;
	for (int i = 0; i < r->tables[table].nfields; i++)
		bits &= ~(1ull << (r->tables[table].fields[i] - info->fields));
	return bits;
}

/* Brings the state from the sample before to this one. */
static int advance(struct replay *r, size_t at, struct err *err)
{
	const struct moment *m = &r->moments[at];
	struct sample *swap = r->state;
	int result = 0;

	if (m->same && r->at == at) {
		r->at = at + 1;
		return 0;
	}
	r->at = 0;
	sample_reset(r->spare);
	if (r->packed)
		result = replay_read_packed(r, m, err);
	for (int i = 0; !r->packed && i < TABLE_COUNT && result == 0; i++) {
		/* Texts of the tables before are copied already. */
		sample_reset(r->news);
		result = read_table(r, i, m->id, err);
		if (result < 0)
			return result;
		if (sample_tables[i].key)
			add_news(r, i, m->complete);
		for (size_t j = 0; !sample_tables[i].key && j < r->news->tables[i].n; j++)
			sample_copy_row(r->spare, i, row_at(r->news, i, j));
		r->spare->tables[i].lacks = lacking(r, i);
	}
	if (result < 0)
		return result;
	r->state = r->spare;
	r->spare = swap;
	r->at = at + 1;
	return 0;
}

/* Of packed ones what they lack is in the state. */
static int read_clocks(struct replay *r, struct sample *s, struct err *err)
{
	const char *lacks;

	if (r->packed) {
		s->mono = r->state->mono;
		s->boot = r->state->boot;
		s->real = r->state->real;
		return 0;
	}
	sqlite3_bind_int64(r->sample, 1, r->moments[r->next].id);
	if (sqlite3_step(r->sample) != SQLITE_ROW) {
		sqlite3_reset(r->sample);
		return replay_failed(r, err);
	}
	s->mono = (uint64_t)sqlite3_column_int64(r->sample, 0);
	s->boot = (uint64_t)sqlite3_column_int64(r->sample, 1);
	s->real = (uint64_t)sqlite3_column_int64(r->sample, 2);
	lacks = (const char *)sqlite3_column_text(r->sample, 3);
	if (lacks)
		lacking_read(s, lacks, (size_t)sqlite3_column_bytes(r->sample, 3));
	sqlite3_reset(r->sample);
	return 0;
}

/* Brings the state to the next moment. */
static int go_to_next(struct replay *r, struct err *err)
{
	int result = replay_choose_file(r, r->moments[r->next].file, err);
	size_t from = r->next;

	while (from != r->at && !r->moments[from].complete)
		from--;
	for (; from <= r->next && result == 0; from++)
		result = advance(r, from, err);
	return result;
}

int replay_read_next(struct replay *r, struct sample *s, struct sample *late, struct err *err)
{
	int result = -ENODATA;

	while (result < 0) {
		if (r->next >= r->n)
			return 0;
		result = go_to_next(r, err);
		if (result < 0 && !r->files.n)
			return result;
		if (result < 0)
			replay_skip_file(r, err);
	}
	result = read_clocks(r, s, err);
	if (result < 0)
		return result;
	s->gap = r->moments[r->next].gap;
	for (int i = 0; i < TABLE_COUNT; i++) {
		s->tables[i].lacks |= r->state->tables[i].lacks;
		for (size_t j = 0; j < r->state->tables[i].n; j++)
			sample_copy_row(sample_tables[i].late ? late : s, i,
					row_at(r->state, i, j));
	}
	r->next++;
	if (r->files.n && !r->host_known)
		replay_note_host(r, s);
	return 1;
}

int replay_next(struct replay *r, struct sample *s, struct sample *late, struct err *err)
{
	while (r->next && r->next == r->at && r->next < r->n && r->moments[r->next].same)
		r->at = ++r->next;
	return replay_read_next(r, s, late, err);
}
