/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of a replay: replay.c opens and checks the file, replay_rows.c reads it. */
#ifndef IOTOP_RECORD_REPLAY_H
#define IOTOP_RECORD_REPLAY_H

#include <sqlite3.h>

#include "collect/collect.h"
#include "record/sqlite_guard.h"

/* A table of ours and what of it the file has. */
struct reader {
	sqlite3_stmt *stmt;		/* NULL: the file has no such table */
	const struct field *fields[64];	/* in the order of the statement's columns */
	int nfields;
};

/* One of the samples of the file. */
struct moment {
	int64_t id;
	uint64_t real;			/* CLOCK_REALTIME ns */
	bool complete;			/* begins anew: nothing is taken from the sample before */
};

struct replay {
	char *path;
	struct guard *guard;		/* the files that SQLite may touch for db */
	sqlite3 *db;
	uint64_t deadline;		/* of what SQLite does now, clock_mono(); 0: none */
	sqlite3_stmt *sample;
	struct moment *moments;		/* in order */
	size_t n, next;
	struct sample *state;		/* as of the sample before at, all rows */
	struct sample *news;		/* what one sample has, and the state that is being made */
	struct sample *spare;
	size_t at;			/* the moment that may be added to state; 0: state is
					 * empty */
	size_t all;			/* samples of the file; n may be limited */
	bool cut;			/* the recorder did not end it */
	int version;			/* of its format */
	bool no_cache;			/* its layers are numbered without LAYER_CACHE */
	bool *gone;			/* of the rows of news' table that is being read */
	size_t capgone;
	struct reader tables[TABLE_COUNT];
};

/* Says that the file is not what it should be. */
int replay_damaged(const struct replay *r, const char *what, struct err *err);
/* Says what SQLite failed with. */
int replay_failed(const struct replay *r, struct err *err);

#endif
