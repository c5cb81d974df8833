// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the samples of a segment. What the file says of them is checked. */
#include <errno.h>
#include <string.h>

#include "base/i18n.h"
#include "record/columns.h"
#include "record/pack.h"
#include "record/replay.h"
#include "record/segment.h"

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
	const struct field *known;
	struct delta_table *t;

	bool like = kind & SEGMENT_LIKE;

	kind &= ~SEGMENT_LIKE;
	if (!name || kind < FIELD_U32 || kind > FIELD_BLOB || (like && kind != FIELD_U64))
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
	known = find_field(t->info, name, kind);
	/* Of which other field, is not known. */
	if (known && like && !known->like)
		known = NULL;
	if (field != (int)t->nfields || t->nfields == DELTA_FIELDS)
		return false;
	t->fields[t->nfields++] = (struct delta_field){ known, (enum field_kind)kind, like };
	return true;
}

int replay_prepare_packed(struct replay *r, struct err *err)
{
	static const char sql[] = "SELECT \"table\", \"field\", \"name\", \"kind\" FROM \"layout\""
				  " ORDER BY \"table\", \"field\"";
#define FROM " FROM \"packed\" WHERE \"sample\" <= ? ORDER BY \"sample\" DESC LIMIT 1"
	static const char read[] = "SELECT \"size\", \"data\", \"sample\", \"form\"" FROM,
			  read_old[] = "SELECT \"size\", \"data\", \"sample\", \"size\" > 0" FROM;
#undef FROM
	sqlite3_stmt *stmt;
	bool good = true;
	int code;

	memset(&r->layout, 0, sizeof(r->layout));
	r->layout.plain = r->version == SEGMENT_OLDEST;
	r->layout.apart = r->version < SEGMENT_FORMS;
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
	    sqlite3_prepare_v2(r->db, r->version < SEGMENT_FORMS ? read_old : read, -1, &r->packed,
			       NULL) != SQLITE_OK)
		return replay_failed(r, err);
	return 0;
}

/* The row that was read, unpacked. */
static bool take_chunk(struct replay *r, int form)
{
	sqlite3_int64 size = sqlite3_column_int64(r->packed, 0);
	const void *data = sqlite3_column_blob(r->packed, 1);
	size_t len = (size_t)sqlite3_column_bytes(r->packed, 1);
	struct replay_chunk *c = &r->chunk;
	struct buf columns = { 0 }, *to = form & SEGMENT_COLUMNS ? &columns : &c->bytes;
	enum pack how = form & ~SEGMENT_COLUMNS;
	bool good;

	buf_reset(&c->bytes);
	c->first = c->next = 0;
	c->at = 0;
	/* Before there were forms, size was 0 of what was not packed. */
	if (how == PACK_NONE && r->version < SEGMENT_FORMS)
		size = (sqlite3_int64)len;
	good = size >= 0 && size <= PACKED_MAX && bytes_unpack(to, data, len, (size_t)size, how);
	if (good && form & SEGMENT_COLUMNS)
		good = columns_join(&c->bytes, columns.data, columns.len, &r->layout);
	buf_release(&columns);
	if (good)
		c->first = c->next = sqlite3_column_int64(r->packed, 2);
	return c->first > 0;
}

/* The chunk that a sample is in. */
static int read_chunk(struct replay *r, const struct moment *m, struct err *err)
{
	int code, result = 0, form = -1;

	sqlite3_bind_int64(r->packed, 1, m->id);
	code = sqlite3_step(r->packed);
	if (code == SQLITE_ROW)
		form = sqlite3_column_int(r->packed, 3);
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		result = replay_failed(r, err);
	else if (form < 0 || (form & ~SEGMENT_COLUMNS) > PACK_XZ)
		result = replay_damaged(r, "packed", err);
	else if (bytes_lack(form & ~SEGMENT_COLUMNS))
		result = err_set(err, ENOTSUP, _("%s: this iotop was built without %s"), r->path,
				 bytes_lack(form & ~SEGMENT_COLUMNS));
	else if (!take_chunk(r, form))
		result = replay_damaged(r, "packed", err);
	sqlite3_reset(r->packed);
	return result;
}

/* The next sample of the chunk, which has a length before it but in version 4. */
static bool next_bytes(struct replay *r, const char **ret, size_t *ret_len)
{
	struct replay_chunk *c = &r->chunk;
	const unsigned char *p = (const unsigned char *)c->bytes.data + c->at;
	size_t left = c->bytes.len - c->at, len = left;

	if (r->version > SEGMENT_OLDEST) {
		if (left < 4)
			return false;
		len = p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
		p += 4;
		if (len > left - 4)
			return false;
	}
	*ret = (const char *)p;
	*ret_len = len;
	c->at = (size_t)((const char *)p - c->bytes.data) + len;
	c->next++;
	return left > 0;
}

/* False: the chunk does not have it. */
static bool find_bytes(struct replay *r, int64_t id, const char **ret, size_t *ret_len)
{
	struct replay_chunk *c = &r->chunk;
	bool found = c->first && id >= c->first;

	if (found && id < c->next) {
		c->next = c->first;
		c->at = 0;
	}
	while (found && c->next <= id)
		found = next_bytes(r, ret, ret_len);
	return found;
}

int replay_read_packed(struct replay *r, const struct moment *m, struct err *err)
{
	const char *bytes;
	int result;
	size_t len;

	if (!find_bytes(r, m->id, &bytes, &len)) {
		result = read_chunk(r, m, err);
		if (result < 0)
			return result;
		if (!find_bytes(r, m->id, &bytes, &len))
			return replay_damaged(r, "packed", err);
	}
	if (m->complete)
		arena_reset(&r->texts);
	if (!delta_get(bytes, len, &r->layout, r->spare, m->complete ? NULL : r->state, &r->texts))
		return replay_damaged(r, "packed", err);
	return 0;
}

bool replay_knows_all(const struct replay *r)
{
	for (unsigned t = 0; t < r->layout.n; t++) {
		if (!r->layout.tables[t].info)
			return false;
		for (unsigned f = 0; f < r->layout.tables[t].nfields; f++)
			if (!r->layout.tables[t].fields[f].field)
				return false;
	}
	return true;
}

bool replay_kept(struct replay *r, uint64_t *ret_interval)
{
	sqlite3_stmt *stmt;
	bool yes;

	/* Version 4 does not have the table. */
	if (sqlite3_prepare_v2(r->db, "SELECT \"interval\" FROM \"kept\"", -1, &stmt, NULL) !=
	    SQLITE_OK)
		return false;
	yes = sqlite3_step(stmt) == SQLITE_ROW;
	*ret_interval = yes ? (uint64_t)sqlite3_column_int64(stmt, 0) : 0;
	sqlite3_finalize(stmt);
	return yes;
}
