/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the symbols of a stripped file are kept: opened here, looked into elsewhere. */
#ifndef IOTOP_COLLECT_SYMBOLS_DEBUGFILE_H
#define IOTOP_COLLECT_SYMBOLS_DEBUGFILE_H

#include <stdbool.h>

#include "collect/symbols/elfsyms.h"

/*
 * Offers the files that may be the separate debug file of the one at path: by build id, then by
 * debug link; in root (-1: none), then in ours. take(arg, fd) is true when it was the one, and ends
 * it; fd stays ours.
 */
bool debugfile_find(const struct elfsyms_debug *wanted, int root, const char *path,
		    bool (*take)(void *arg, int fd), void *arg);

/*
 * Opens a regular file for reading, and nothing else: a device or a pipe is not touched, and a file
 * that its owner has leased (fcntl(2), F_SETLEASE) is not waited for. root: symbolic links are
 * resolved inside it; AT_FDCWD: as usual. Returns the descriptor or -errno.
 */
int debugfile_open(int root, const char *path);

#endif
