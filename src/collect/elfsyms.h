/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of one ELF file: its symbol table, that of its separate debug file, or what it exports. */
#ifndef IOTOP_COLLECT_ELFSYMS_H
#define IOTOP_COLLECT_ELFSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elfsyms;

/*
 * Reads the file behind fd (which stays open and the caller's). root: a directory in which debug files are looked for first
 * (of a process in another mount namespace), -1: none; path: where in it the file is. The file is another user's: whatever
 * is wrong in it gives fewer symbols, or -ENOEXEC when it is no ELF file at all.
 */
int elfsyms_read(int fd, int root, const char *path, struct elfsyms **ret);
void elfsyms_free(struct elfsyms *e);
/* Bytes it takes. */
size_t elfsyms_size(const struct elfsyms *e);
/* As linked (mangled), owned by e; NULL: no function is there. offset: in the file, as the maps of a process count. */
const char *elfsyms_name(const struct elfsyms *e, uint64_t offset);

/*
 * Opens a regular file for reading, and nothing else: a device or a pipe is not touched. root: symbolic links are resolved
 * inside it; AT_FDCWD: as usual. Returns the descriptor or -errno.
 */
int elfsyms_open_file(int root, const char *path);

#endif
