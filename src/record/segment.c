// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "record/block.h"
#include "record/columns.h"
#include "record/segment_tables.h"
#include "record/sqlite_guard.h"

/* A block has at most so many samples, and bytes before they are packed. */
#define BLOCK_SAMPLES 96
#define BLOCK_BYTES   (1u << 20)

struct segment {
	const struct store_folder *folder;
	char name[STORE_NAME];
	bool hidden; /* nobody reads it yet: samples need no row of their own */
	struct guard *guard;
	sqlite3 *db;
	sqlite3_stmt *sample, *packed, *drop;
	struct delta_layout layout;
	struct block block;  /* the one that is packed */
	struct buf chunk;    /* the samples of the next one */
	sqlite3_int64 first; /* sample in it */
	unsigned samples;    /* so many */
	bool loose;	     /* samples stay rows of their own: a block could not be written */
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
 * A tool that watches I/O should not wait for the disk at every sample (NORMAL): store.c brings the
 * WAL there.
 */
static const char settings[] = "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512;"
			       "PRAGMA auto_vacuum = INCREMENTAL;"
			       "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;";

/* What has no name yet is thrown away when anything happens, and synced as a whole at its end. */
static const char settings_packed[] = "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512;"
				      "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF;"
				      "PRAGMA synchronous = OFF;";

static int connect_db(struct segment *s)
{
	int code = guard_connect(s->guard, &s->db);

	if (code != SQLITE_OK)
		return code;
	sqlite3_busy_timeout(s->db, 2000);
	return sqlite3_exec(s->db, s->hidden ? settings_packed : settings, NULL, NULL, NULL);
}

static int prepare(struct segment *s)
{
	static const char sample[] = "INSERT INTO \"sample\" VALUES (NULL, ?, ?, ?, ?, ?)",
			  packed[] = "INSERT INTO \"packed\" VALUES (?, ?, ?, ?)",
			  drop[] = "DELETE FROM \"packed\" WHERE \"sample\" BETWEEN ? AND ?";
	int code = sqlite3_prepare_v2(s->db, sample, -1, &s->sample, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_prepare_v2(s->db, packed, -1, &s->packed, NULL);
	return code ? code : sqlite3_prepare_v2(s->db, drop, -1, &s->drop, NULL);
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
	sqlite3_finalize(s->drop);
	sqlite3_close(s->db);
	guard_free(s->guard);
	block_end(&s->block);
	buf_release(&s->chunk);
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

static int create(const struct store_folder *folder, const char *name, bool hidden,
		  struct segment **ret, struct err *err)
{
	struct segment *s;
	int r = segment_open(folder, name, true, &s, err);

	if (r < 0)
		return r;
	s->hidden = hidden;
	delta_layout_init(&s->layout);
	if (connect_db(s) || segment_create_tables(s->db) || prepare(s) ||
	    (hidden && sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL))) {
		r = failed(s, err);
		release(s);
		store_file_remove(folder, name);
		return r;
	}
	*ret = s;
	return 0;
}

int segment_create(const struct store_folder *folder, const char *name, struct segment **ret,
		   struct err *err)
{
	int r = create(folder, name, false, ret, err);

	if (r == 0)
		sync_folder(folder);
	return r;
}

int segment_create_packed(const struct store_folder *folder, const char *name, struct segment **ret,
			  struct err *err)
{
	char other[STORE_NAME];

	snprintf(other, sizeof(other), "%s" STORE_UNFINISHED, name);
	store_file_remove(folder, other);
	return create(folder, other, true, ret, err);
}

static int run(sqlite3_stmt *stmt)
{
	int code = sqlite3_step(stmt);

	sqlite3_reset(stmt);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int put_row(struct segment *s, sqlite3_int64 sample, size_t size, int form,
		   const struct buf *data)
{
	sqlite3_bind_int64(s->packed, 1, sample);
	sqlite3_bind_int64(s->packed, 2, (sqlite3_int64)size);
	sqlite3_bind_int(s->packed, 3, form);
	sqlite3_bind_blob(s->packed, 4, data->data, (int)data->len, SQLITE_STATIC);
	return run(s->packed);
}

/* What was packed becomes a row, in the place of those of single samples. */
static int write_block(struct segment *s)
{
	const struct block *b = &s->block;
	const struct buf *data;
	int code = SQLITE_OK;

	if (!block_is_begun(b))
		return SQLITE_OK;
	data = block_wait(&s->block);
	if (!data)
		return SQLITE_INTERNAL;
	if (!s->hidden) {
		sqlite3_bind_int64(s->drop, 1, b->first);
		sqlite3_bind_int64(s->drop, 2, b->last);
		code = run(s->drop);
	}
	if (code == SQLITE_OK)
		code = put_row(s, b->first, b->columns.len, (int)b->how | SEGMENT_COLUMNS, data);
	block_end(&s->block);
	return code;
}

/* What was gathered is packed. */
static int begin_block(struct segment *s)
{
	int code = write_block(s);

	if (code == SQLITE_OK && s->samples) {
		block_begin(&s->block, &s->chunk, s->first, s->first + s->samples - 1, &s->layout);
		s->samples = 0;
	}
	return code;
}

static int write_all(struct segment *s)
{
	int code = begin_block(s);

	return code == SQLITE_OK ? write_block(s) : code;
}

static int write_sample(struct segment *s, const struct sample *clocks,
			enum segment_complete complete, unsigned mark)
{
	sqlite3_bind_int64(s->sample, 1, (sqlite3_int64)clocks->mono);
	sqlite3_bind_int64(s->sample, 2, (sqlite3_int64)clocks->boot);
	sqlite3_bind_int64(s->sample, 3, (sqlite3_int64)clocks->real);
	sqlite3_bind_int64(s->sample, 4, complete);
	sqlite3_bind_int64(s->sample, 5, mark);
	return run(s->sample);
}

static int insert(struct segment *s, const struct sample *clocks, enum segment_complete complete,
		  unsigned mark, const struct buf *data)
{
	int code = SQLITE_OK;
	sqlite3_int64 id;
	size_t at;

	if (s->samples == BLOCK_SAMPLES || s->chunk.len + data->len > BLOCK_BYTES)
		code = begin_block(s);
	else if (!s->hidden && block_is_begun(&s->block) && block_is_done(&s->block))
		code = write_block(s);
	if (code == SQLITE_OK)
		code = write_sample(s, clocks, complete, mark);
	if (code != SQLITE_OK)
		return code;
	id = sqlite3_last_insert_rowid(s->db);
	if (!s->samples++)
		s->first = id;
	at = s->chunk.len;
	columns_put_length(&s->chunk, data->len);
	buf_putn(&s->chunk, data->data, data->len);
	if (s->hidden)
		return SQLITE_OK;
	return put_row(s, id, s->chunk.len - at, PACK_NONE,
		       &(struct buf){ s->chunk.data + at, s->chunk.len - at, 0 });
}

/* Samples that were written stay so, in rows of their own. */
static void roll_back(struct segment *s)
{
	s->loose = true;
	block_end(&s->block);
	buf_reset(&s->chunk);
	s->samples = 0;
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

int segment_write(struct segment *s, const struct sample *clocks, enum segment_complete complete,
		  unsigned mark, const struct buf *data, struct err *err)
{
	int code = s->hidden ? SQLITE_OK : sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL), r;

	if (code == SQLITE_OK)
		code = insert(s, clocks, complete, mark, data);
	if (code == SQLITE_OK && !s->hidden)
		code = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
	if (code == SQLITE_OK)
		return 0;
	r = failed(s, err);
	roll_back(s);
	return r;
}

bool segment_pack(struct segment *s)
{
	if (block_is_begun(&s->block) && !block_is_done(&s->block))
		return false;
	if (!s->samples)
		return true;
	if (s->hidden) {
		begin_block(s);
	} else if (sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL) || begin_block(s) ||
		   sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL)) {
		roll_back(s);
	}
	return false;
}

int segment_end_packed(struct segment *s, uint64_t interval, struct err *err)
{
	char sql[80];
	int r = 0, fd;

	snprintf(sql, sizeof(sql), "INSERT INTO \"kept\" VALUES (%" PRIu64 "); COMMIT", interval);
	if (write_all(s) || sqlite3_exec(s->db, sql, NULL, NULL, NULL)) {
		r = failed(s, err);
		segment_discard(s);
		return r;
	}
	fd = openat(s->folder->fd, s->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	release(s);
	if (fd < 0)
		return 0;
	/* Who waits for the disk later waits for less. */
	sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
	close(fd);
	return 0;
}

void segment_discard(struct segment *s)
{
	char name[STORE_NAME];

	if (!s)
		return;
	snprintf(name, sizeof(name), "%s", s->name);
	store_file_remove(s->folder, name);
	release(s);
}

/* SQLite holds no lock of this file that closing it would drop. */
int segment_open_wal(const struct segment *s)
{
	return openat(s->folder->fd, s->guard->names[GUARD_WAL],
		      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
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

/* Of all that was written here: readers need no more than blocks. */
static void end_blocks(struct segment *s)
{
	if (sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL))
		return;
	if (write_all(s) ||
	    (!s->loose &&
	     sqlite3_exec(s->db, "INSERT INTO \"kept\" VALUES (0)", NULL, NULL, NULL)) ||
	    sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL))
		roll_back(s);
	else
		sqlite3_exec(s->db, "PRAGMA incremental_vacuum", NULL, NULL, NULL);
}

void segment_close(struct segment *s)
{
	if (!s)
		return;
	if (s->packed)
		end_blocks(s);
	/*
	 * Who reads it keeps it in WAL mode: segment_finish() comes back to it. One page changes,
	 * its header: a journal of that on the disk would be in the way of readers, if we were
	 * killed just then.
	 */
	sqlite3_busy_timeout(s->db, 0);
	sqlite3_exec(s->db, "PRAGMA journal_mode = MEMORY", NULL, NULL, NULL);
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
