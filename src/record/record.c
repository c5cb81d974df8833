// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "collect/collect.h"
#include "record/lacking.h"
#include "record/recording.h"
#include "record/recording_files.h"

/* A row as it was written last. The key follows. */
struct written {
	uint64_t hash;		/* of all its fields */
	uint64_t sample;	/* id of the last sample that has it */
	unsigned char key[];
};

struct recorder {
	char *path;
	struct guard *guard;	/* the files that SQLite may touch for db */
	sqlite3 *db;
	sqlite3_stmt *sample;
	sqlite3_stmt *tables[TABLE_COUNT];
	uint64_t samples;	/* written */
	uint64_t full;		/* id of the next sample that is full */
	struct hash written[TABLE_COUNT];	/* struct written, of tables with a key */
};

static int failed(const struct recorder *r, struct err *err)
{
	int code = r->db ? sqlite3_extended_errcode(r->db) : SQLITE_INTERNAL;

	if (r->guard->refused)
		return err_set(err, EACCES,
			       ngettext("%s-journal %s: the recording ends after %llu sample",
					"%s-journal %s: the recording ends after %llu samples",
					r->samples),
			       r->path, _(r->guard->refused), (unsigned long long)r->samples);
	if ((code & 0xff) == SQLITE_FULL || code == SQLITE_IOERR_WRITE)
		return err_set(err, ENOSPC,
			       ngettext("%s: no space left; the recording ends after %llu sample",
					"%s: no space left; the recording ends after %llu samples",
					r->samples),
			       r->path, (unsigned long long)r->samples);
	return err_set(err, EIO, "%s: %s", r->path, sqlite3_errstr(code));
}

static const char *const field_types[] = {
	[FIELD_U32] = "INTEGER",
	[FIELD_U64] = "INTEGER",
	[FIELD_I64] = "INTEGER",
	[FIELD_STR] = "TEXT",
	[FIELD_BLOB] = "BLOB",
};

static void put_schema(struct buf *sql)
{
	buf_printf(sql,
		   "PRAGMA temp_store = MEMORY;"
		   "PRAGMA journal_mode = TRUNCATE;"
		   /* A tool that watches I/O should not wait for the disk at every sample. */
		   "PRAGMA synchronous = OFF;"
		   "BEGIN;"
		   "PRAGMA application_id = %d;"
		   "PRAGMA user_version = %d;"
		   "CREATE TABLE \"sample\" (\"id\" INTEGER PRIMARY KEY, \"mono\" INTEGER NOT "
		   "NULL, \"boot\" INTEGER NOT NULL,"
		   " \"real\" INTEGER NOT NULL, \"complete\" INTEGER NOT NULL,"
		   " \"lacks\" TEXT);",
		   RECORDING_APPLICATION, RECORDING_VERSION);
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		const struct table_info *t = &sample_tables[i];

		buf_printf(sql, "CREATE TABLE \"%s\" (\"sample\" INTEGER NOT NULL, \"row\" INTEGER "
				"NOT NULL", t->name);
		for (unsigned f = 0; f < t->nfields; f++)
			buf_printf(sql, ", \"%s\" %s", t->fields[f].name,
				   field_types[t->fields[f].kind]);
		buf_puts(sql, ", PRIMARY KEY (\"sample\", \"row\")) WITHOUT ROWID;");
	}
	buf_puts(sql, "CREATE TABLE \"ended\" (\"sample\" INTEGER NOT NULL); COMMIT;");
}

static int prepare(struct recorder *r, struct err *err)
{
	if (sqlite3_prepare_v2(r->db, "INSERT INTO \"sample\" VALUES (?, ?, ?, ?, ?, ?)", -1,
			       &r->sample, NULL) != SQLITE_OK)
		return failed(r, err);
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		_cleanup_(buf_release) struct buf sql = { 0 };

		buf_printf(&sql, "INSERT INTO \"%s\" VALUES (?, ?", sample_tables[i].name);
		for (unsigned f = 0; f < sample_tables[i].nfields; f++)
			buf_puts(&sql, ", ?");
		buf_puts(&sql, ")");
		if (sqlite3_prepare_v2(r->db, sql.data, -1, &r->tables[i], NULL) != SQLITE_OK)
			return failed(r, err);
	}
	return 0;
}

static bool written_in(void *value, void *arg)
{
	return arg && ((struct written *)value)->sample == *(uint64_t *)arg;
}

static void written_drop(void *value, void *arg)
{
	free(value);
}

static void recorder_free(struct recorder *r)
{
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		hash_filter(&r->written[i], written_in, written_drop, NULL);
		hash_release(&r->written[i]);
	}
	sqlite3_finalize(r->sample);
	for (size_t i = 0; i < TABLE_COUNT; i++)
		sqlite3_finalize(r->tables[i]);
	sqlite3_close(r->db);
	guard_free(r->guard);
	free(r->path);
	free(r);
}

static int create_tables(struct recorder *r, struct err *err)
{
	_cleanup_(buf_release) struct buf schema = { 0 };

	put_schema(&schema);
	if (guard_connect(r->guard, &r->db) != SQLITE_OK)
		return failed(r, err);
	/* Somebody who reads the recording does not end it. */
	sqlite3_busy_timeout(r->db, 2000);
	if (sqlite3_exec(r->db, schema.data, NULL, NULL, NULL) != SQLITE_OK)
		return failed(r, err);
	return prepare(r, err);
}

int recorder_open(const char *path, struct recorder **ret, struct err *err)
{
	struct guard *guard;
	struct recorder *r;
	bool created;
	int result = recording_create(path, &guard, &created, err);

	if (result < 0)
		return result;
	r = mem_alloc(sizeof(*r));
	*r = (struct recorder){ .guard = guard, .path = mem_alloc(strlen(path) + 1), .full = 1 };
	strcpy(r->path, path);
	for (size_t i = 0; i < TABLE_COUNT; i++)
		hash_init(&r->written[i], offsetof(struct written, key), sample_tables[i].key);
	result = create_tables(r, err);
	if (result < 0) {
		sqlite3_exec(r->db, "ROLLBACK; PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
		if (created)
			unlinkat(guard->folder, guard->names[GUARD_DB], 0);
		recorder_free(r);
		return result;
	}
	*ret = r;
	return 0;
}

static bool is_utf8(const char *s)
{
	while (*s) {
		uint32_t point;
		int n = utf8_next(s, &point);

		if (n == 1 && point == 0xfffd)
			return false;
		s += n;
	}
	return true;
}

static int bind_field(sqlite3_stmt *stmt, int at, const struct field *f, const char *row)
{
	const void *p = row + f->off;
	const struct blob *blob = p;
	const char *str;

	switch (f->kind) {
	case FIELD_U32:
		return sqlite3_bind_int64(stmt, at, *(const uint32_t *)p);
	case FIELD_U64:
		return sqlite3_bind_int64(stmt, at, (sqlite3_int64)*(const uint64_t *)p);
	case FIELD_I64:
		return sqlite3_bind_int64(stmt, at, *(const int64_t *)p);
	case FIELD_STR:
		str = *(const char *const *)p;
		if (!str)
			return sqlite3_bind_null(stmt, at);
		if (is_utf8(str))
			return sqlite3_bind_text(stmt, at, str, -1, SQLITE_STATIC);
		return sqlite3_bind_blob(stmt, at, str, (int)strlen(str), SQLITE_STATIC);
	case FIELD_BLOB:
		if (!blob->data)
			return sqlite3_bind_null(stmt, at);
		return sqlite3_bind_blob(stmt, at, blob->data, (int)blob->len, SQLITE_STATIC);
	}
	return SQLITE_MISUSE;
}

static int run(sqlite3_stmt *stmt)
{
	int r = sqlite3_step(stmt);

	sqlite3_reset(stmt);
	return r == SQLITE_DONE ? SQLITE_OK : r;
}

static uint64_t hash_row(const struct table_info *info, const char *row)
{
	uint64_t hash = 0;

	for (unsigned i = 0; i < info->nfields; i++) {
		static const size_t sizes[] = { [FIELD_U32] = 4, [FIELD_U64] = 8, [FIELD_I64] = 8 };
		const struct field *f = &info->fields[i];
		const void *p = row + f->off;
		const struct blob *blob = p;
		const char *str;
		uint64_t part;

		if (f->kind == FIELD_STR) {
			str = *(const char *const *)p;
			part = str ? hash_bytes(str, strlen(str)) : 1;
		} else if (f->kind == FIELD_BLOB) {
			part = blob->data ? hash_bytes(blob->data, blob->len) : 1;
		} else {
			part = hash_bytes(p, sizes[f->kind]);
		}
		hash = hash_bytes(&(uint64_t[2]){ hash, part }, 16);
	}
	return hash;
}

/* Whether a row of a table with a key is to be written; notes that it is. */
static bool is_news(struct recorder *r, enum sample_table table, const char *row, uint64_t id)
{
	const struct table_info *info = &sample_tables[table];
	struct written *w = hash_get(&r->written[table], row);
	uint64_t hash = hash_row(info, row);
	bool news = id == r->full || !w || w->hash != hash;

	if (!w) {
		w = mem_alloc(sizeof(*w) + info->key);
		memcpy(w->key, row, info->key);
		hash_put(&r->written[table], w);
	}
	w->hash = hash;
	w->sample = id;
	return news;
}

/* A row for each that is not there any more, of its key only. */
static int write_gone(struct recorder *r, enum sample_table table, uint64_t id)
{
	const struct table_info *info = &sample_tables[table];
	sqlite3_stmt *stmt = r->tables[table];
	sqlite3_int64 number = -1;
	int result = SQLITE_OK;
	struct written *w;
	size_t i = 0;

	while (id != r->full && result == SQLITE_OK && (w = hash_next(&r->written[table], &i))) {
		_Alignas(uint64_t) char row[ROW_KEY_MAX];

		if (w->sample == id)
			continue;
		memcpy(row, w->key, info->key);
		sqlite3_clear_bindings(stmt);
		sqlite3_bind_int64(stmt, 1, (sqlite3_int64)id);
		sqlite3_bind_int64(stmt, 2, number--);
		for (unsigned f = 0; f < info->nfields && result == SQLITE_OK; f++) {
			if (info->fields[f].off < info->key)
				result = bind_field(stmt, (int)f + 3, &info->fields[f], row);
		}
		if (result == SQLITE_OK)
			result = run(stmt);
	}
	hash_filter(&r->written[table], written_in, written_drop, &id);
	return result;
}

static int write_table(struct recorder *r, const struct sample *s, enum sample_table table,
		       uint64_t id)
{
	const struct table_info *info = &sample_tables[table];
	sqlite3_stmt *stmt = r->tables[table];
	const char *row = s->tables[table].rows;
	int result = SQLITE_OK;

	sqlite3_bind_int64(stmt, 1, (sqlite3_int64)id);
	for (size_t i = 0; i < s->tables[table].n && result == SQLITE_OK; i++, row += info->size) {
		if (info->key && !is_news(r, table, row, id))
			continue;
		sqlite3_bind_int64(stmt, 2, (sqlite3_int64)i);
		for (unsigned f = 0; f < info->nfields && result == SQLITE_OK; f++)
			result = bind_field(stmt, (int)f + 3, &info->fields[f], row);
		if (result == SQLITE_OK)
			result = run(stmt);
	}
	if (result == SQLITE_OK && info->key)
		result = write_gone(r, table, id);
	return result;
}

static int write_sample(struct recorder *r, const struct sample *s, const struct sample *late)
{
	_cleanup_(buf_release) struct buf lacks = { 0 };
	uint64_t id = r->samples + 1;
	int result = sqlite3_exec(r->db, "BEGIN", NULL, NULL, NULL);

	sqlite3_bind_int64(r->sample, 1, (sqlite3_int64)id);
	sqlite3_bind_int64(r->sample, 2, (sqlite3_int64)s->mono);
	sqlite3_bind_int64(r->sample, 3, (sqlite3_int64)s->boot);
	sqlite3_bind_int64(r->sample, 4, (sqlite3_int64)s->real);
	sqlite3_bind_int64(r->sample, 5, id == r->full);
	lacking_put(&lacks, s, false);
	lacking_put(&lacks, late, true);
	sqlite3_bind_text(r->sample, 6, lacks.data, (int)lacks.len, SQLITE_TRANSIENT);
	if (result == SQLITE_OK)
		result = run(r->sample);
	for (int i = 0; i < TABLE_COUNT && result == SQLITE_OK; i++)
		result = write_table(r, sample_tables[i].late ? late : s, i, id);
	if (result == SQLITE_OK)
		result = sqlite3_exec(r->db, "COMMIT", NULL, NULL, NULL);
	return result;
}

int recorder_write(struct recorder *r, const struct sample *s, const struct sample *late,
		   struct err *err)
{
	if (write_sample(r, s, late) != SQLITE_OK) {
		int result = failed(r, err);

		if (!sqlite3_get_autocommit(r->db))
			sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
		/* Nothing of it is in the file: should there be a next one, then it tells all. */
		r->full = r->samples + 1;
		return result;
	}
	r->samples++;
	if (r->samples == r->full)
		r->full += RECORDING_FULL;
	return 0;
}

int recorder_close(struct recorder *r, struct err *err)
{
	static const char closing[] = "INSERT INTO \"ended\" SELECT id FROM sample"
				      " ORDER BY id DESC LIMIT 1;"
				      "PRAGMA journal_mode = DELETE";
	int result = 0;

	if (!r)
		return 0;
	/* Says that nothing is missing at the end, and takes the empty journal away. */
	if (sqlite3_exec(r->db, closing, NULL, NULL, NULL) != SQLITE_OK)
		result = failed(r, err);
	recorder_free(r);
	return result;
}
