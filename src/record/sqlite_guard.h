/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What SQLite may touch. SQLite opens a database and what lies beside it by path, and does what a
 * journal says: a crafted one makes it remove any file. Here it is never told a path: it gets a
 * name that no file system has, and its system calls for this name and for that of the journal
 * are answered with descriptors that were checked. While a guard exists every other file is
 * refused, whatever a database or a journal says.
 */
#ifndef IOTOP_RECORD_SQLITE_GUARD_H
#define IOTOP_RECORD_SQLITE_GUARD_H

#include <sqlite3.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/err.h"

enum guard_file {
	GUARD_DB,
	GUARD_JOURNAL,
	GUARD_WAL,	/* of a segment of a store: what is not in the database yet */
	GUARD_SHM,	/* likewise: where in there is what; locks */
	GUARD_FILES,
};

enum guard_mode {
	GUARD_READ,	/* database and journal are read; nothing is changed, made or removed */
	GUARD_COPY,	/* both are copies of our own that have no name: SQLite may write them */
	GUARD_RECORD,	/* both are written; the journal is made and removed */
};

/* The files of one database; the guard owns the descriptors and the names. */
struct guard {
	enum guard_mode mode;
	int folder;		/* where they are; -1: GUARD_COPY */
	char *names[GUARD_FILES];	/* in that folder; NULL: GUARD_COPY */
	int db;			/* checked; READ, RECORD: -1 once SQLite has it */
	int journal;		/* GUARD_COPY: of the copy; -1: there is none */
	uid_t owner;		/* whose the journal of a GUARD_RECORD must be, and any WAL */
	mode_t writable;	/* bits of S_IWGRP | S_IWOTH that these may have */
	bool wal;		/* there may be one */
	bool no_frame;		/* what there is of one is not worth a look: GUARD_READ */
	const char *refused;	/* why the journal was refused last (N_()), or NULL */
	char path[32];		/* the name SQLite knows */
	struct guard *next;
};

/* Takes over both descriptors, also where it fails. name may be NULL for a GUARD_COPY. */
struct guard *guard_new(enum guard_mode mode, int folder, const char *name, int db);
/* After the database was closed. Takes NULL. */
void guard_free(struct guard *g);
/* As sqlite3_open_v2(): ret_db is to be closed in any case. */
int guard_connect(struct guard *g, sqlite3 **ret_db);

/* Why a file is not used (N_()), or NULL: only one of this owner that nobody else can change is. */
const char *guard_refusal(const struct stat *st, uid_t owner, mode_t writable);
/* The descriptor, moved behind those of the standard streams, which SQLite does not take. */
int guard_move_fd(int fd);

#endif
