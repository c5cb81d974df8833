/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the files of a recording. Owner, links and mode are those of the descriptor that SQLite
 * then works with, never those of a path that is opened once more.
 */
#ifndef IOTOP_RECORD_RECORDING_FILES_H
#define IOTOP_RECORD_RECORDING_FILES_H

#include <stdbool.h>

#include "record/sqlite_guard.h"

/* An empty file of the effective user's for a new recording; made where there is none. */
int recording_create(const char *path, struct guard **ret, bool *ret_created, struct err *err);

/* A recording that is to be read; path may be a link. */
int recording_open(const char *path, struct guard **ret, struct err *err);

/*
 * A copy of a recording whose recorder was killed, and of the journal with which SQLite takes back
 * the sample that it was writing. The copies have no name: nothing is left of them when iotop ends,
 * however it does.
 */
int recording_copy(const char *path, const struct guard *original, struct guard **ret,
		   struct err *err);

#endif
