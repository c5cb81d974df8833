// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "record/pack.h"
#include "record/recording.h"
#include "record/sqlite_guard.h"

struct segment {
	const struct store_folder *folder;
	char name[40];
	struct guard *guard;
	sqlite3 *db;
	sqlite3_stmt *sample, *packed;
	struct buf bytes;	/* of the newest sample, packed */
};

static int failed(const struct segment *s, struct err *err)
{
	int code = s->db ? sqlite3_extended_errcode(s->db) : SQLITE_INTERNAL;

	if (s->guard->refused)
		return err_set(err, EACCES, "%s/%s-wal %s", s->folder->path, s->name,
			       _(s->guard->refused));
	if ((code & 0xff) == SQLITE_FULL || code == SQLITE_IOERR_WRITE ||
	    code == SQLITE_IOERR_SHMSIZE)
		return err_set(err, ENOSPC,
			       _("%s: no space left: nothing is kept until there is some"),
			       s->folder->path);
	return err_set(err, EIO, "%s/%s: %s", s->folder->path, s->name, sqlite3_errstr(code));
}

/*
 * Of a power loss only the WAL's last pages are lost (NORMAL): a tool that watches I/O should not
 * wait for the disk at every sample.
 */
static const char settings[] = "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512;"
			       "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;";

static int connect_db(struct segment *s)
{
	int code = guard_connect(s->guard, &s->db);

	if (code != SQLITE_OK)
		return code;
	sqlite3_busy_timeout(s->db, 2000);
	return sqlite3_exec(s->db, settings, NULL, NULL, NULL);
}

static void put_layout(struct buf *sql)
{
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		const struct table_info *t = &sample_tables[i];

		buf_printf(sql, "INSERT INTO \"layout\" VALUES (%zu, -1, '%s', 0);", i, t->name);
		for (unsigned f = 0; f < t->nfields; f++)
			buf_printf(sql, "INSERT INTO \"layout\" VALUES (%zu, %u, '%s', %d);", i, f,
				   t->fields[f].name, t->fields[f].kind);
	}
}

static int create_tables(struct segment *s)
{
	struct buf sql = { 0 };
	int code;

	buf_printf(
		&sql,
		"BEGIN;"
		"PRAGMA application_id = %d;"
		"PRAGMA user_version = %d;"
		"CREATE TABLE \"sample\" (\"id\" INTEGER PRIMARY KEY, \"mono\" INTEGER NOT NULL,"
		" \"boot\" INTEGER NOT NULL, \"real\" INTEGER NOT NULL,"
		" \"complete\" INTEGER NOT NULL, \"mark\" INTEGER NOT NULL);"
		"CREATE TABLE \"packed\" (\"sample\" INTEGER PRIMARY KEY,"
		" \"size\" INTEGER NOT NULL, \"data\" BLOB NOT NULL);"
		"CREATE TABLE \"layout\" (\"table\" INTEGER NOT NULL, \"field\" INTEGER NOT NULL,"
		" \"name\" TEXT NOT NULL, \"kind\" INTEGER NOT NULL,"
		" PRIMARY KEY (\"table\", \"field\")) WITHOUT ROWID;",
		RECORDING_APPLICATION, SEGMENT_VERSION);
	put_layout(&sql);
	buf_puts(&sql, "COMMIT;");
	code = sqlite3_exec(s->db, sql.data, NULL, NULL, NULL);
	buf_release(&sql);
	return code;
}

static int prepare(struct segment *s)
{
	static const char sample[] = "INSERT INTO \"sample\" VALUES (NULL, ?, ?, ?, ?, ?)",
			  packed[] = "INSERT INTO \"packed\" VALUES (last_insert_rowid(), ?, ?)";
	int code = sqlite3_prepare_v2(s->db, sample, -1, &s->sample, NULL);

	return code ? code : sqlite3_prepare_v2(s->db, packed, -1, &s->packed, NULL);
}

/* Without this a name may be lost with the power, and all that was synced under it. */
static void sync_folder(const struct store_folder *f)
{
	fsync(f->fd);
}

static void release(struct segment *s)
{
	sqlite3_finalize(s->sample);
	sqlite3_finalize(s->packed);
	sqlite3_close(s->db);
	guard_free(s->guard);
	buf_release(&s->bytes);
	free(s);
}

static int segment_open(const struct store_folder *folder, const char *name, bool create,
			struct segment **ret, struct err *err)
{
	struct segment *s = mem_zalloc(sizeof(*s));
	int r;

	s->folder = folder;
	snprintf(s->name, sizeof(s->name), "%s", name);
	r = store_file_open(folder, name, true, create, &s->guard, err);
	if (r < 0)
		free(s);
	else
		*ret = s;
	return r;
}

int segment_create(const struct store_folder *folder, const char *name, struct segment **ret,
		   struct err *err)
{
	struct segment *s;
	int r = segment_open(folder, name, true, &s, err);

	if (r < 0)
		return r;
	if (connect_db(s) || create_tables(s) || prepare(s)) {
		r = failed(s, err);
		release(s);
		store_file_remove(folder, name);
		return r;
	}
	sync_folder(folder);
	*ret = s;
	return 0;
}

static int run(sqlite3_stmt *stmt)
{
	int code = sqlite3_step(stmt);

	sqlite3_reset(stmt);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int insert(struct segment *s, const struct sample *clocks, enum segment_complete complete,
		  unsigned mark, const struct buf *data)
{
	int code = sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL);
	size_t size = data->len;
	bool packed;

	sqlite3_bind_int64(s->sample, 1, (sqlite3_int64)clocks->mono);
	sqlite3_bind_int64(s->sample, 2, (sqlite3_int64)clocks->boot);
	sqlite3_bind_int64(s->sample, 3, (sqlite3_int64)clocks->real);
	sqlite3_bind_int64(s->sample, 4, complete);
	sqlite3_bind_int64(s->sample, 5, mark);
	buf_reset(&s->bytes);
	packed = bytes_pack(&s->bytes, data);
	if (packed)
		data = &s->bytes;
	sqlite3_bind_int64(s->packed, 1, (sqlite3_int64)(packed ? size : 0));
	sqlite3_bind_blob(s->packed, 2, data->data, (int)data->len, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = run(s->sample);
	if (code == SQLITE_OK)
		code = run(s->packed);
	if (code == SQLITE_OK)
		code = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
	return code;
}

int segment_write(struct segment *s, const struct sample *clocks, enum segment_complete complete,
		  unsigned mark, const struct buf *data, struct err *err)
{
	int r;

	if (insert(s, clocks, complete, mark, data) == SQLITE_OK)
		return 0;
	r = failed(s, err);
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

uint64_t segment_bytes(const struct segment *s)
{
	uint64_t ret = 0;
	struct stat st;

	for (unsigned i = 0; i < GUARD_FILES; i++)
		if (i != GUARD_SHM &&
		    !fstatat(s->folder->fd, s->guard->names[i], &st, AT_SYMLINK_NOFOLLOW))
			ret += (uint64_t)st.st_size;
	return ret;
}

void segment_close(struct segment *s)
{
	if (!s)
		return;
	/* Who reads it keeps it in WAL mode: segment_finish() comes back to it. */
	sqlite3_busy_timeout(s->db, 0);
	sqlite3_exec(s->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	release(s);
}

void segment_finish(const struct store_folder *folder, const char *name)
{
	struct err err = { "" };
	struct segment *s;

	if (segment_open(folder, name, false, &s, &err) < 0)
		return;
	if (guard_connect(s->guard, &s->db) == SQLITE_OK)
		segment_close(s);
	else
		release(s);
}
