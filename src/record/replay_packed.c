// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the samples of a segment. What the file says of them is checked. */
#include <errno.h>
#include <string.h>

#include "base/i18n.h"
#include "record/pack.h"
#include "record/replay.h"

static const struct table_info *find_table(const char *name)
{
	for (size_t i = 0; i < TABLE_COUNT; i++)
		if (!strcmp(sample_tables[i].name, name))
			return &sample_tables[i];
	return NULL;
}

/* A field by its name; one of another kind is another field. */
static const struct field *find_field(const struct table_info *info, const char *name, int kind)
{
	for (unsigned i = 0; info && i < info->nfields; i++)
		if (!strcmp(info->fields[i].name, name) && (int)info->fields[i].kind == kind)
			return &info->fields[i];
	return NULL;
}

/* One row of the table `layout'; false: it makes no sense there. */
static bool add_layout(struct delta_layout *l, int table, int field, const char *name, int kind)
{
	struct delta_table *t;

	if (!name || kind < FIELD_U32 || kind > FIELD_BLOB)
		return false;
	if (field < 0) {
		if (table != (int)l->n || l->n == DELTA_TABLES)
			return false;
		l->tables[l->n++].info = find_table(name);
		return true;
	}
	if (!l->n || table != (int)l->n - 1)
		return false;
	t = &l->tables[table];
	if (field != (int)t->nfields || t->nfields == DELTA_FIELDS)
		return false;
	t->fields[t->nfields++] =
		(struct delta_field){ find_field(t->info, name, kind), (enum field_kind)kind };
	return true;
}

int replay_prepare_packed(struct replay *r, struct err *err)
{
	static const char sql[] = "SELECT \"table\", \"field\", \"name\", \"kind\" FROM \"layout\""
				  " ORDER BY \"table\", \"field\"";
	static const char read[] =
		"SELECT \"size\", \"data\" FROM \"packed\" WHERE \"sample\" = ?";
	sqlite3_stmt *stmt;
	bool good = true;
	int code;

	memset(&r->layout, 0, sizeof(r->layout));
	if (sqlite3_prepare_v2(r->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return replay_failed(r, err);
	while (good && (code = sqlite3_step(stmt)) == SQLITE_ROW)
		good = add_layout(
			&r->layout, sqlite3_column_int(stmt, 0), sqlite3_column_int(stmt, 1),
			(const char *)sqlite3_column_text(stmt, 2), sqlite3_column_int(stmt, 3));
	sqlite3_finalize(stmt);
	if (!good)
		return replay_damaged(r, "layout", err);
	if (code != SQLITE_DONE ||
	    sqlite3_prepare_v2(r->db, read, -1, &r->packed, NULL) != SQLITE_OK)
		return replay_failed(r, err);
	return 0;
}

/* The bytes of the row that was read, as delta_get() wants them. */
static bool bytes_of(struct replay *r, const void **ret, size_t *ret_len)
{
	sqlite3_int64 size = sqlite3_column_int64(r->packed, 0);

	*ret = sqlite3_column_blob(r->packed, 1);
	*ret_len = (size_t)sqlite3_column_bytes(r->packed, 1);
	if (!size)
		return true;
	buf_reset(&r->bytes);
	if (size < 0 || size > PACKED_MAX || !bytes_unpack(&r->bytes, *ret, *ret_len, (size_t)size))
		return false;
	*ret = r->bytes.data;
	*ret_len = (size_t)size;
	return true;
}

int replay_read_packed(struct replay *r, const struct moment *m, struct err *err)
{
	int code, result = 0;
	const void *bytes;
	size_t len;

	sqlite3_bind_int64(r->packed, 1, m->id);
	code = sqlite3_step(r->packed);
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		result = replay_failed(r, err);
	else if (code == SQLITE_ROW && sqlite3_column_int(r->packed, 0) && !bytes_can_unpack())
		result = err_set(err, ENOTSUP, _("%s: this iotop was built without zlib"), r->path);
	else if (code == SQLITE_DONE || !bytes_of(r, &bytes, &len) ||
		 !delta_get(bytes, len, &r->layout, r->spare, m->complete ? NULL : r->state))
		result = replay_damaged(r, "packed", err);
	sqlite3_reset(r->packed);
	return result;
}
