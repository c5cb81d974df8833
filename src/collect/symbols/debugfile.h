/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the symbols of a stripped file are kept: opened here, looked into elsewhere. */
#ifndef IOTOP_COLLECT_SYMBOLS_DEBUGFILE_H
#define IOTOP_COLLECT_SYMBOLS_DEBUGFILE_H

#include <stdbool.h>

#include "collect/symbols/elfsyms.h"

/* Where debug files are looked for. */
struct debugfile_places {
	int root;		/* of the process; -1: ours */
	const char *path;	/* of the file that has no symbols, in there */
	int fetched;		/* see debugfile_fetched(); -1: none */
};

/*
 * Offers the files that may be the separate debug file of another: by build id, then by debug link;
 * in the process's root, then in ours. take(arg, fd) is true when it was the one, and ends it; fd
 * stays ours.
 */
bool debugfile_find(const struct elfsyms_debug *wanted, const struct debugfile_places *places,
		    bool (*take)(void *arg, int fd), void *arg);

/*
 * Opens the folder in which debuginfod-find(1) keeps what it has fetched: BUILD-ID/debuginfo. Only
 * files of who runs this program are taken, in a folder of theirs. -1: it is not there, or not
 * theirs, or folder is NULL. To be called with no privilege effective.
 */
int debugfile_fetched(const char *folder);

/*
 * Opens a regular file for reading, and nothing else: a device or a pipe is not touched, and a file
 * that its owner has leased (fcntl(2), F_SETLEASE) is not waited for. root: symbolic links are
 * resolved inside it; AT_FDCWD: as usual. Returns the descriptor or -errno.
 */
int debugfile_open(int root, const char *path);

#endif
