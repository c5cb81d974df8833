// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "collect/collect.h"
#include "collect/recording.h"

struct recorder {
	char *path;
	sqlite3 *db;
	sqlite3_stmt *sample;
	sqlite3_stmt *tables[TABLE_COUNT];
	uint64_t samples;	/* written */
};

static int failed(const struct recorder *r, struct err *err)
{
	int code = sqlite3_extended_errcode(r->db);

	if ((code & 0xff) == SQLITE_FULL || code == SQLITE_IOERR_WRITE)
		return err_set(err, ENOSPC, _("%s: no space left; the recording ends after %llu samples"), r->path,
			       (unsigned long long)r->samples);
	return err_set(err, EIO, "%s: %s", r->path, sqlite3_errmsg(r->db));
}

/* An empty file of our own at path. */
static int claim(const char *path, bool *ret_created, struct err *err)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	*ret_created = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, errno, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size) {
		close(fd);
		return err_set(err, EEXIST, _("%s exists and is not empty: a recording starts a new file"), path);
	}
	close(fd);
	return 0;
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
		   "PRAGMA journal_mode = TRUNCATE;"
		   /* A tool that watches I/O should not wait for the disk at every sample. */
		   "PRAGMA synchronous = OFF;"
		   "BEGIN;"
		   "PRAGMA application_id = %d;"
		   "PRAGMA user_version = %d;"
		   "CREATE TABLE \"sample\" (\"id\" INTEGER PRIMARY KEY, \"mono\" INTEGER NOT NULL, \"boot\" INTEGER NOT NULL,"
		   " \"real\" INTEGER NOT NULL);",
		   RECORDING_APPLICATION, RECORDING_VERSION);
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		const struct table_info *t = &sample_tables[i];

		buf_printf(sql, "CREATE TABLE \"%s\" (\"sample\" INTEGER NOT NULL, \"row\" INTEGER NOT NULL", t->name);
		for (unsigned f = 0; f < t->nfields; f++)
			buf_printf(sql, ", \"%s\" %s", t->fields[f].name, field_types[t->fields[f].kind]);
		buf_puts(sql, ", PRIMARY KEY (\"sample\", \"row\")) WITHOUT ROWID;");
	}
	buf_puts(sql, "COMMIT;");
}

static int prepare(struct recorder *r, struct err *err)
{
	if (sqlite3_prepare_v2(r->db, "INSERT INTO \"sample\" VALUES (?, ?, ?, ?)", -1, &r->sample, NULL) != SQLITE_OK)
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

static void recorder_free(struct recorder *r)
{
	sqlite3_finalize(r->sample);
	for (size_t i = 0; i < TABLE_COUNT; i++)
		sqlite3_finalize(r->tables[i]);
	sqlite3_close(r->db);
	free(r->path);
	free(r);
}

/* ":memory:" and the like are names of files here. */
static char *plain_path(const char *path)
{
	char *p = mem_alloc(strlen(path) + 3);

	strcpy(p, path[0] == '/' ? "" : "./");
	return strcat(p, path);
}

int recorder_open(const char *path, struct recorder **ret, struct err *err)
{
	_cleanup_(buf_release) struct buf schema = { 0 };
	struct recorder *r;
	bool created;
	int result = claim(path, &created, err);

	if (result < 0)
		return result;
	r = mem_alloc(sizeof(*r));
	*r = (struct recorder){ .path = plain_path(path) };
	put_schema(&schema);
	if (sqlite3_open_v2(r->path, &r->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
	    sqlite3_exec(r->db, schema.data, NULL, NULL, NULL) != SQLITE_OK)
		result = failed(r, err);
	else
		result = prepare(r, err);
	if (result < 0) {
		sqlite3_exec(r->db, "ROLLBACK; PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
		recorder_free(r);
		if (created)
			unlink(path);
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

static int write_table(struct recorder *r, const struct sample *s, enum sample_table table, sqlite3_int64 id)
{
	const struct table_info *info = &sample_tables[table];
	sqlite3_stmt *stmt = r->tables[table];
	const char *row = s->tables[table].rows;
	int result = SQLITE_OK;

	sqlite3_bind_int64(stmt, 1, id);
	for (size_t i = 0; i < s->tables[table].n && result == SQLITE_OK; i++, row += info->size) {
		sqlite3_bind_int64(stmt, 2, (sqlite3_int64)i);
		for (unsigned f = 0; f < info->nfields && result == SQLITE_OK; f++)
			result = bind_field(stmt, (int)f + 3, &info->fields[f], row);
		if (result == SQLITE_OK)
			result = run(stmt);
	}
	return result;
}

static int write_sample(struct recorder *r, const struct sample *s)
{
	sqlite3_int64 id = (sqlite3_int64)r->samples + 1;
	int result = sqlite3_exec(r->db, "BEGIN", NULL, NULL, NULL);

	sqlite3_bind_int64(r->sample, 1, id);
	sqlite3_bind_int64(r->sample, 2, (sqlite3_int64)s->mono);
	sqlite3_bind_int64(r->sample, 3, (sqlite3_int64)s->boot);
	sqlite3_bind_int64(r->sample, 4, (sqlite3_int64)s->real);
	if (result == SQLITE_OK)
		result = run(r->sample);
	for (int i = 0; i < TABLE_COUNT && result == SQLITE_OK; i++)
		result = write_table(r, s, i, id);
	if (result == SQLITE_OK)
		result = sqlite3_exec(r->db, "COMMIT", NULL, NULL, NULL);
	return result;
}

int recorder_write(struct recorder *r, const struct sample *s, struct err *err)
{
	if (write_sample(r, s) != SQLITE_OK) {
		int result = failed(r, err);

		if (!sqlite3_get_autocommit(r->db))
			sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
		return result;
	}
	r->samples++;
	return 0;
}

int recorder_close(struct recorder *r, struct err *err)
{
	int result = 0;

	if (!r)
		return 0;
	/* Takes the empty journal away. */
	if (sqlite3_exec(r->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) != SQLITE_OK)
		result = failed(r, err);
	recorder_free(r);
	return result;
}
