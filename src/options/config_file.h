/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the settings are kept: $XDG_CONFIG_HOME/iotop/config, else ~/.config/iotop/config. */
#ifndef IOTOP_OPTIONS_CONFIG_FILE_H
#define IOTOP_OPTIONS_CONFIG_FILE_H

#include "base/buf.h"
#include "base/err.h"

/* For free(); NULL: neither variable names a folder. */
char *config_file_path(void);
/*
 * Adds the text of a regular file; a FIFO does not block. 0, -ENOENT when there is no file, or
 * -EINVAL and what is wrong, valid until the next call.
 */
int config_file_read(const char *path, struct buf *ret, const char **ret_problem);
/* Replaces the file, folders included; *ret_path (may be NULL) is for free(). */
int config_file_write(const char *text, char **ret_path, struct err *err);

/*
 * Where debuginfod-find(1) keeps what it has fetched: $DEBUGINFOD_CACHE_PATH, else in
 * $XDG_CACHE_HOME, else ~/.cache, debuginfod_client; as config_file_path().
 */
char *debuginfod_cache_path(void);

/* Where texts of prompts are kept: $XDG_STATE_HOME/iotop/history; as config_file_path(). */
char *history_file_path(void);
/* Replaces that file. 0 or -errno. */
int history_file_write(const char *text);

#endif
