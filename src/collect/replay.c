// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a recording. The file is not trusted: types, ranges, sizes and keys are checked, and nothing in it is executed. */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "collect/collect.h"
#include "collect/recording.h"

#define TEXT_MAX (1 << 20)	/* bytes of one text */
#define BLOB_MAX (64 << 10)
#define ROWS_MAX (8u << 20)	/* of one sample */

/* A table of ours and what of it the file has. */
struct reader {
	sqlite3_stmt *stmt;		/* NULL: the file has no such table */
	const struct field *fields[64];	/* in the order of the statement's columns */
	int nfields;
};

struct replay {
	char *path;
	sqlite3 *db;
	sqlite3_stmt *sample;
	int64_t *ids;			/* of all samples, in order */
	size_t n, next;
	struct reader tables[TABLE_COUNT];
};

static int foreign(const char *path, struct err *err)
{
	return err_set(err, EINVAL, _("%s is not a recording of iotop"), path);
}

static int damaged(const struct replay *r, const char *what, struct err *err)
{
	return err_set(err, EINVAL, _("%s is damaged or cut off: %s"), r->path, what);
}

static int failed(const struct replay *r, struct err *err)
{
	int code = sqlite3_errcode(r->db);

	if (code == SQLITE_NOTADB)
		return foreign(r->path, err);
	if (code == SQLITE_BUSY)
		return err_set(err, EBUSY, _("%s is being written: try again"), r->path);
	return damaged(r, sqlite3_errmsg(r->db), err);
}

static int pragma(const struct replay *r, const char *sql, int *ret)
{
	sqlite3_stmt *stmt;
	int code = sqlite3_prepare_v2(r->db, sql, -1, &stmt, NULL);

	if (code == SQLITE_OK) {
		code = sqlite3_step(stmt);
		if (code == SQLITE_ROW)
			*ret = sqlite3_column_int(stmt, 0);
		sqlite3_finalize(stmt);
	}
	return code == SQLITE_ROW ? SQLITE_OK : code;
}

static int connect_db(struct replay *r, int flags)
{
	int code;

	sqlite3_close(r->db);
	r->db = NULL;
	code = sqlite3_open_v2(r->path, &r->db, flags, NULL);
	if (code != SQLITE_OK)
		return code;
	sqlite3_busy_timeout(r->db, 1000);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(r->db, SQLITE_LIMIT_LENGTH, 2 * TEXT_MAX);
	return SQLITE_OK;
}

static int check_format(struct replay *r, struct err *err)
{
	int application = 0, version = 0;
	int code = pragma(r, "PRAGMA application_id", &application);

	/* A recorder that was killed left a journal to be rolled back, which takes writing. */
	if ((code & 0xff) == SQLITE_READONLY || (code & 0xff) == SQLITE_CANTOPEN) {
		code = connect_db(r, SQLITE_OPEN_READWRITE);
		if (code == SQLITE_OK)
			code = pragma(r, "PRAGMA application_id", &application);
	}
	if (code != SQLITE_OK)
		return failed(r, err);
	if (application != RECORDING_APPLICATION)
		return foreign(r->path, err);
	if (pragma(r, "PRAGMA user_version", &version) != SQLITE_OK)
		return failed(r, err);
	if (version > RECORDING_VERSION)
		return err_set(err, EINVAL, _("%s was made by a newer iotop (format %d, this one reads up to %d)"), r->path, version,
			       RECORDING_VERSION);
	return 0;
}

/* Whether it is a plain table: a view or a virtual table would run code of the file's. */
static bool is_table(struct replay *r, const char *name)
{
	sqlite3_stmt *stmt;
	bool yes = false;

	if (sqlite3_prepare_v2(r->db, "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table' AND rootpage > 0", -1, &stmt,
			       NULL) != SQLITE_OK)
		return false;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	yes = sqlite3_step(stmt) == SQLITE_ROW;
	sqlite3_finalize(stmt);
	return yes;
}

static const struct field *find_field(const struct table_info *info, const char *name)
{
	for (unsigned i = 0; i < info->nfields; i++) {
		if (!strcmp(info->fields[i].name, name))
			return &info->fields[i];
	}
	return NULL;
}

/* The fields of a table that the file has; generated columns are not listed. */
static int list_fields(struct replay *r, struct reader *t, const struct table_info *info, bool *ret_ordered, struct err *err)
{
	char sql[64];
	sqlite3_stmt *stmt;
	int code, keys = 0;

	snprintf(sql, sizeof(sql), "PRAGMA table_info(\"%s\")", info->name);
	if (sqlite3_prepare_v2(r->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return failed(r, err);
	while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(stmt, 1);
		const struct field *f = name ? find_field(info, name) : NULL;

		if (name && (!strcmp(name, "sample") || !strcmp(name, "row")))
			keys++;
		else if (f && t->nfields < (int)ARRAY_SIZE(t->fields))
			t->fields[t->nfields++] = f;
	}
	sqlite3_finalize(stmt);
	*ret_ordered = keys == 2;
	return code == SQLITE_DONE ? 0 : failed(r, err);
}

static int prepare_table(struct replay *r, enum sample_table table, struct err *err)
{
	_cleanup_(buf_release) struct buf sql = { 0 };
	const struct table_info *info = &sample_tables[table];
	struct reader *t = &r->tables[table];
	bool ordered = false;
	int result;

	if (!is_table(r, info->name))
		return 0;
	result = list_fields(r, t, info, &ordered, err);
	if (result < 0)
		return result;
	if (!ordered)
		return damaged(r, info->name, err);
	buf_puts(&sql, "SELECT 0");
	for (int i = 0; i < t->nfields; i++)
		buf_printf(&sql, ", \"%s\"", t->fields[i]->name);
	buf_printf(&sql, " FROM \"%s\" WHERE \"sample\" = ? ORDER BY \"row\"", info->name);
	if (sqlite3_prepare_v2(r->db, sql.data, -1, &t->stmt, NULL) != SQLITE_OK)
		return failed(r, err);
	return 0;
}

/* The ids of all samples; their clock must go on. */
static int list_samples(struct replay *r, struct err *err)
{
	sqlite3_stmt *stmt;
	size_t cap = 0;
	uint64_t mono = 0;
	int code;

	if (!is_table(r, "sample"))
		return foreign(r->path, err);
	if (sqlite3_prepare_v2(r->db, "SELECT id, mono FROM sample ORDER BY id", -1, &stmt, NULL) != SQLITE_OK)
		return failed(r, err);
	while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
		uint64_t at = (uint64_t)sqlite3_column_int64(stmt, 1);

		if (r->n && at <= mono)
			break;
		mono = at;
		if (r->n == cap) {
			cap = cap ? cap * 2 : 64;
			r->ids = mem_realloc(r->ids, cap * sizeof(*r->ids));
		}
		r->ids[r->n++] = sqlite3_column_int64(stmt, 0);
	}
	sqlite3_finalize(stmt);
	if (code == SQLITE_ROW)
		return damaged(r, _("its clock goes backwards"), err);
	if (code != SQLITE_DONE)
		return failed(r, err);
	return r->n ? 0 : err_set(err, ENODATA, _("%s holds no sample"), r->path);
}

static int prepare(struct replay *r, struct err *err)
{
	int result = list_samples(r, err);

	if (result < 0)
		return result;
	if (sqlite3_prepare_v2(r->db, "SELECT mono, boot, real FROM sample WHERE id = ?", -1, &r->sample, NULL) != SQLITE_OK)
		return failed(r, err);
	for (int i = 0; i < TABLE_COUNT && result == 0; i++)
		result = prepare_table(r, i, err);
	return result;
}

int replay_open(const char *path, struct replay **ret, struct err *err)
{
	struct replay *r;
	struct stat st;
	int result;

	/* A name like ":memory:" is a file here; a pipe would never end. */
	if (stat(path, &st) < 0 || access(path, R_OK) < 0)
		return err_set(err, errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return foreign(path, err);
	r = mem_alloc(sizeof(*r));
	memset(r, 0, sizeof(*r));
	r->path = mem_alloc(strlen(path) + 3);
	strcat(strcpy(r->path, path[0] == '/' ? "" : "./"), path);
	if (connect_db(r, SQLITE_OPEN_READONLY) != SQLITE_OK)
		result = failed(r, err);
	else
		result = check_format(r, err);
	if (result == 0)
		result = prepare(r, err);
	if (result < 0) {
		replay_close(r);
		return result;
	}
	*ret = r;
	return 0;
}

void replay_close(struct replay *r)
{
	if (!r)
		return;
	sqlite3_finalize(r->sample);
	for (size_t i = 0; i < TABLE_COUNT; i++)
		sqlite3_finalize(r->tables[i].stmt);
	sqlite3_close(r->db);
	free(r->ids);
	free(r->path);
	free(r);
}

size_t replay_count(const struct replay *r)
{
	return r->n;
}

void replay_seek(struct replay *r, size_t n)
{
	r->next = MIN(n, r->n);
}

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

static bool read_field(struct sample *s, sqlite3_stmt *stmt, int at, const struct field *f, char *row)
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

static int read_rows(struct replay *r, struct sample *s, enum sample_table table, struct err *err)
{
	const struct table_info *info = &sample_tables[table];
	const struct reader *t = &r->tables[table];
	int code;

	while ((code = sqlite3_step(t->stmt)) == SQLITE_ROW) {
		char *row = sample_add(s, table);

		if (s->tables[table].n > ROWS_MAX)
			return damaged(r, info->name, err);
		for (int i = 0; i < t->nfields; i++) {
			if (!read_field(s, t->stmt, i + 1, t->fields[i], row))
				return damaged(r, info->name, err);
		}
		complete(info, row);
	}
	return code == SQLITE_DONE ? 0 : failed(r, err);
}

/* Rows are told apart by their keys everywhere: of several with one key the first stays. */
static void drop_doubles(struct sample *s, enum sample_table table)
{
	const struct table_info *info = &sample_tables[table];
	struct sample_rows *rows = &s->tables[table];
	char *from = rows->rows, *to = from;
	struct hash keys;

	if (!info->key)
		return;
	hash_init(&keys, 0, info->key);
	for (size_t i = 0; i < rows->n; i++, from += info->size) {
		if (hash_get(&keys, from))
			continue;
		if (to != from)
			memcpy(to, from, info->size);
		hash_put(&keys, to);
		to += info->size;
	}
	rows->n = (size_t)(to - (char *)rows->rows) / info->size;
	hash_release(&keys);
}

static int read_table(struct replay *r, struct sample *s, enum sample_table table, struct err *err)
{
	sqlite3_stmt *stmt = r->tables[table].stmt;
	int result;

	if (!stmt)
		return 0;
	sqlite3_bind_int64(stmt, 1, r->ids[r->next]);
	result = read_rows(r, s, table, err);
	sqlite3_reset(stmt);
	if (result == 0)
		drop_doubles(s, table);
	return result;
}

int replay_next(struct replay *r, struct sample *s, struct err *err)
{
	int result = 0;

	if (r->next >= r->n)
		return 0;
	sqlite3_bind_int64(r->sample, 1, r->ids[r->next]);
	if (sqlite3_step(r->sample) != SQLITE_ROW) {
		sqlite3_reset(r->sample);
		return failed(r, err);
	}
	s->mono = (uint64_t)sqlite3_column_int64(r->sample, 0);
	s->boot = (uint64_t)sqlite3_column_int64(r->sample, 1);
	s->real = (uint64_t)sqlite3_column_int64(r->sample, 2);
	sqlite3_reset(r->sample);
	for (int i = 0; i < TABLE_COUNT && result == 0; i++)
		result = read_table(r, s, i, err);
	if (result < 0)
		return result;
	r->next++;
	return 1;
}
