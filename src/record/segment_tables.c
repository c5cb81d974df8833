// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of a segment (segment.h). */
#include "record/segment_tables.h"

#include "base/buf.h"
#include "data/sample.h"
#include "record/recording.h"
#include "record/segment.h"

static int kind_of(const struct field *f)
{
	return (int)f->kind | (f->like ? SEGMENT_LIKE : 0);
}

static void put_layout(struct buf *sql)
{
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		const struct table_info *t = &sample_tables[i];

		buf_printf(sql, "INSERT INTO \"layout\" VALUES (%zu, -1, '%s', 0);", i, t->name);
		for (unsigned f = 0; f < t->nfields; f++)
			buf_printf(sql, "INSERT INTO \"layout\" VALUES (%zu, %u, '%s', %d);", i, f,
				   t->fields[f].name, kind_of(&t->fields[f]));
	}
}

int segment_create_tables(sqlite3 *db)
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
		" \"size\" INTEGER NOT NULL, \"form\" INTEGER NOT NULL, \"data\" BLOB NOT NULL);"
		"CREATE TABLE \"layout\" (\"table\" INTEGER NOT NULL, \"field\" INTEGER NOT NULL,"
		" \"name\" TEXT NOT NULL, \"kind\" INTEGER NOT NULL,"
		" PRIMARY KEY (\"table\", \"field\")) WITHOUT ROWID;"
		"CREATE TABLE \"kept\" (\"interval\" INTEGER NOT NULL);",
		RECORDING_APPLICATION, SEGMENT_VERSION);
	put_layout(&sql);
	buf_puts(&sql, "COMMIT;");
	code = sqlite3_exec(db, sql.data, NULL, NULL, NULL);
	buf_release(&sql);
	return code;
}
