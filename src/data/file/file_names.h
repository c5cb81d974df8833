/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths and mounts of the entries of files. Private to src/data/file. */
#ifndef IOTOP_DATA_FILE_FILE_NAMES_H
#define IOTOP_DATA_FILE_FILE_NAMES_H

#include "data/file/file_state.h"

/*
 * A file may be renamed, and the number of an inode go to another one. Takes the text, which is
 * clean; NULL: nothing new.
 */
void file_path_take(struct file_entry *e, char *clean);
/* Where a file system is mounted, as a row says it; NULL: it does not. */
void file_mount_learn(struct file_state *st, uint32_t sdev, const char *point, const char *fs);
/* For hash_clear(). */
void file_mount_forget(void *value, void *arg);
/*
 * The kernel tells the name of a file at its I/O, and at calls as long as there is room: who has it
 * not yet has it of others with the same file.
 */
void file_names_share(struct file_state *st);

#endif
