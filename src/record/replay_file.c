// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens a file with samples. It is not trusted: nothing in it is executed. */
#include "record/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "record/recording.h"
#include "record/recording_files.h"
#include "record/segment.h"

#define TEXT_MAX (2 << 20)	/* bytes of one text or blob */
#define SCHEMA_NS (2 * NSEC_PER_SEC)	/* to read what tables there are */
#define CHECK_NS (NSEC_PER_SEC / 2)	/* to check the pages of the file */
#define CHECK_PAGES (64 << 20)	/* at most: checking takes a bit of memory for each */
#define PROGRESS_STEPS 1000	/* of SQLite's machine, from one look at the clock to the next */

static int foreign(const char *path, struct err *err)
{
	return err_set(err, EINVAL, _("%s is not a recording of iotop"), path);
}

int replay_damaged(const struct replay *r, const char *what, struct err *err)
{
	return err_set(err, EINVAL, _("%s is damaged or cut off: %s"), r->path, what);
}

int replay_failed(const struct replay *r, struct err *err)
{
	int code = r->db ? sqlite3_errcode(r->db) : SQLITE_INTERNAL;

	if (code == SQLITE_NOTADB)
		return foreign(r->path, err);
	/* Read-only: a journal came while we read, which is another one's to recover. */
	if (r->guard->mode == GUARD_READ && (code == SQLITE_BUSY || code == SQLITE_READONLY))
		return err_set(err, EBUSY, _("%s is being written: try again"), r->path);
	/* SQLite's own message may quote the file. */
	return replay_damaged(r, sqlite3_errstr(code), err);
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

static int is_late(void *arg)
{
	const struct replay *r = arg;

	return r->deadline && clock_mono() > r->deadline;
}

/* Opens the database that the guard lets through. */
static int connect_db(struct replay *r)
{
	static const char settings[] =
		/* No temporary files, no memory that vanishes when the file is cut off. */
		"PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;"
		"PRAGMA cell_size_check = ON; PRAGMA ignore_check_constraints = ON;";
	int code = guard_connect(r->guard, &r->db);

	if (code != SQLITE_OK)
		return code;
	sqlite3_busy_timeout(r->db, r->patience);
	sqlite3_progress_handler(r->db, PROGRESS_STEPS, is_late, r);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(r->db, SQLITE_LIMIT_LENGTH, TEXT_MAX);
	sqlite3_limit(r->db, SQLITE_LIMIT_ATTACHED, 0);
	return sqlite3_exec(r->db, settings, NULL, NULL, NULL);
}

/* Goes on with a private copy, in which SQLite takes back what a killed recorder had begun. */
static int connect_copy(struct replay *r, struct err *err)
{
	struct guard *copy;
	int result;

	sqlite3_close(r->db);
	r->db = NULL;
	result = recording_copy(r->path, r->guard, &copy, err);
	if (result < 0)
		return result;
	guard_free(r->guard);
	r->guard = copy;
	return connect_db(r) == SQLITE_OK ? 0 : replay_failed(r, err);
}

static int no_sample(const struct replay *r, struct err *err)
{
	return err_set(err, ENODATA, _("%s holds no sample"), r->path);
}

/*
 * A segment whose recorder has not made its tables yet, or was killed right then. Only before they
 * are made it has a journal.
 */
static bool is_unborn(const struct replay *r, int code)
{
	int schema = 0;

	if (!r->guard->wal)
		return false;
	if (code != SQLITE_OK)
		return !faccessat(r->guard->folder, r->guard->names[GUARD_JOURNAL], F_OK,
				  AT_SYMLINK_NOFOLLOW);
	return pragma(r, "PRAGMA schema_version", &schema) == SQLITE_OK && !schema;
}

static int check_format(struct replay *r, int *ret_version, struct err *err)
{
	int application = 0, version = 0, result;
	int code = pragma(r, "PRAGMA application_id", &application);

	/* To roll a journal back takes writing. */
	if (!r->guard->wal &&
	    ((code & 0xff) == SQLITE_READONLY || (code & 0xff) == SQLITE_CANTOPEN)) {
		result = connect_copy(r, err);
		if (result < 0)
			return result;
		code = pragma(r, "PRAGMA application_id", &application);
	}
	if (code != SQLITE_OK || application != RECORDING_APPLICATION)
		return is_unborn(r, code)  ? no_sample(r, err)
		       : code != SQLITE_OK ? replay_failed(r, err)
					   : foreign(r->path, err);
	if (pragma(r, "PRAGMA user_version", &version) != SQLITE_OK)
		return replay_failed(r, err);
	if (version > SEGMENT_VERSION)
		return err_set(
			err, EINVAL,
			_("%s was made by a newer iotop (format %d, this one reads up to %d)"),
			r->path, version, SEGMENT_VERSION);
	*ret_version = version;
	return 0;
}

int replay_check_pages(struct replay *r, struct err *err)
{
	int pages = 0, code;
	bool good = true;
	sqlite3_stmt *stmt;

	if (pragma(r, "PRAGMA page_count", &pages) != SQLITE_OK)
		return replay_failed(r, err);
	if (pages > CHECK_PAGES)
		return 0;
	r->deadline = clock_mono() + CHECK_NS;
	code = sqlite3_prepare_v2(r->db, "PRAGMA quick_check(1)", -1, &stmt, NULL);
	while (code == SQLITE_OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(stmt, 0);

		good = good && text && !strcmp(text, "ok");
		code = SQLITE_OK;
	}
	sqlite3_finalize(stmt);
	r->deadline = 0;
	if (!good)
		return replay_damaged(r, _("its pages do not fit together"), err);
	return code == SQLITE_DONE || code == SQLITE_INTERRUPT ? 0 : replay_failed(r, err);
}

/* Whether it is a plain table: a view or a virtual table would run code of the file's. */
static bool is_table(struct replay *r, const char *name)
{
	sqlite3_stmt *stmt;
	bool yes = false;

	if (sqlite3_prepare_v2(r->db,
		"SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table' AND rootpage > 0",
		-1, &stmt,
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

/*
 * The fields of a table that the file has; generated columns are not listed. Rows are in order by
 * the primary key: without it all would be read and sorted for each sample.
 */
static int list_fields(struct replay *r, struct reader *t, const struct table_info *info,
		       bool *ret_ordered, struct err *err)
{
	char sql[64];
	sqlite3_stmt *stmt;
	int code, keys = 0;

	snprintf(sql, sizeof(sql), "PRAGMA table_info(\"%s\")", info->name);
	if (sqlite3_prepare_v2(r->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return replay_failed(r, err);
	while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(stmt, 1);
		const struct field *f = name ? find_field(info, name) : NULL;

		if (name && (!strcmp(name, "sample") || !strcmp(name, "row")))
			keys += sqlite3_column_int(stmt, 5) != 0;
		else if (f && t->nfields < (int)ARRAY_SIZE(t->fields))
			t->fields[t->nfields++] = f;
	}
	sqlite3_finalize(stmt);
	*ret_ordered = keys == 2;
	return code == SQLITE_DONE ? 0 : replay_failed(r, err);
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
		return replay_damaged(r, info->name, err);
	buf_puts(&sql, "SELECT \"row\"");
	for (int i = 0; i < t->nfields; i++)
		buf_printf(&sql, ", \"%s\"", t->fields[i]->name);
	buf_printf(&sql, " FROM \"%s\" WHERE \"sample\" = ? ORDER BY \"row\"", info->name);
	if (sqlite3_prepare_v2(r->db, sql.data, -1, &t->stmt, NULL) != SQLITE_OK)
		return replay_failed(r, err);
	return 0;
}

static void add_moment(struct replay *r, const struct moment *m)
{
	r->moments = mem_grow(r->moments, r->n, &r->cap, sizeof(*r->moments));
	r->moments[r->n++] = *m;
}

/* Their clock must go on. */
int replay_list_samples(struct replay *r, int64_t behind, struct err *err)
{
	size_t first = r->n;
	const char *sql = segment_is(r->version)
		? "SELECT id, mono, complete, real, mark FROM sample WHERE id > ? ORDER BY id"
		: "SELECT id, mono, complete, real, 0 FROM sample WHERE id > ? ORDER BY id";
	sqlite3_stmt *stmt;
	bool all = behind == SAMPLES_ALL;
	uint64_t mono = 0;
	int code;

	if (!is_table(r, "sample"))
		return foreign(r->path, err);
	if (sqlite3_prepare_v2(r->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return replay_failed(r, err);
	sqlite3_bind_int64(stmt, 1, behind);
	while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
		uint64_t at = (uint64_t)sqlite3_column_int64(stmt, 1);
		int complete = sqlite3_column_int(stmt, 2);

		if (r->n > first && at <= mono)
			break;
		mono = at;
		add_moment(r, &(struct moment){
			.id = sqlite3_column_int64(stmt, 0),
			.real = (uint64_t)sqlite3_column_int64(stmt, 3),
			.file = (uint32_t)r->file,
			.complete = complete || (all && r->n == first),
			.gap = complete == SEGMENT_BEGINS,
			.mark = (uint8_t)sqlite3_column_int(stmt, 4),
		});
	}
	sqlite3_finalize(stmt);
	if (code == SQLITE_ROW)
		return replay_damaged(r, _("its clock goes backwards"), err);
	if (code != SQLITE_DONE)
		return replay_failed(r, err);
	return all && r->n == first ? no_sample(r, err) : 0;
}

/*
 * With LAYER_CACHE there are devices of a greater number, or at least a layer below the file system
 * that has files.
 */
static bool lacks_cache(struct replay *r)
{
	static const char sql[] =
		"SELECT max(\"layer\") < 5 AND NOT total(\"layer\" = 3 AND \"fs\" IS NOT NULL)"
		" FROM \"layer\"";
	int yes = 0, code;

	if (!is_table(r, "layer"))
		return false;
	r->deadline = clock_mono() + SCHEMA_NS;
	code = pragma(r, sql, &yes);
	r->deadline = 0;
	return code == SQLITE_OK && yes;
}

/* A recorder says when it ends; that of an earlier iotop said nothing. */
static bool is_cut(struct replay *r)
{
	static const char sql[] = "SELECT count(*) FROM (SELECT 1 FROM \"ended\" LIMIT 1)";
	int ends = 0;

	return is_table(r, "ended") && pragma(r, sql, &ends) == SQLITE_OK && !ends;
}

int replay_prepare_tables(struct replay *r, struct err *err)
{
	int result = 0;

	/* An older recorder did not note what a sample lacks. */
	if (sqlite3_prepare_v2(r->db, "SELECT mono, boot, real, lacks FROM sample WHERE id = ?",
			       -1, &r->sample, NULL) != SQLITE_OK &&
	    sqlite3_prepare_v2(r->db, "SELECT mono, boot, real, NULL FROM sample WHERE id = ?", -1,
			       &r->sample, NULL) != SQLITE_OK)
		return replay_failed(r, err);
	for (int i = 0; i < TABLE_COUNT && result == 0; i++)
		result = prepare_table(r, i, err);
	r->all = r->n;
	r->cut = is_cut(r);
	r->no_cache = r->version < 2 && lacks_cache(r);
	return result;
}

/* What kind of file it is, and its tables, which SQLite reads first. */
static int open_db(struct replay *r, int *ret_version, struct err *err)
{
	int result;

	r->deadline = clock_mono() + SCHEMA_NS;
	if (connect_db(r) != SQLITE_OK)
		return replay_failed(r, err);
	result = check_format(r, ret_version, err);
	if (result == 0)
		is_table(r, "sample");
	r->deadline = 0;
	return result;
}

int replay_open_file(struct replay *r, struct guard *guard, const char *path, struct err *err)
{
	int result;

	r->guard = guard;
	free(r->path);
	r->path = mem_strdup(path);
	r->version = 0;
	result = open_db(r, &r->version, err);
	if (result == 0 && segment_is(r->version))
		sqlite3_limit(r->db, SQLITE_LIMIT_LENGTH, PACKED_MAX);
	return result;
}

void replay_close_file(struct replay *r)
{
	sqlite3_finalize(r->sample);
	sqlite3_finalize(r->packed);
	for (size_t i = 0; i < TABLE_COUNT; i++)
		sqlite3_finalize(r->tables[i].stmt);
	sqlite3_close(r->db);
	guard_free(r->guard);
	r->sample = r->packed = NULL;
	r->chunk.first = 0;
	memset(r->tables, 0, sizeof(r->tables));
	r->db = NULL;
	r->guard = NULL;
}
