/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOTOP_RECORD_SEGMENT_TABLES_H
#define IOTOP_RECORD_SEGMENT_TABLES_H

#include <sqlite3.h>

/* Makes those of a new segment, and says in it which fields there are. Returns a code of SQLite. */
int segment_create_tables(sqlite3 *db);

#endif
