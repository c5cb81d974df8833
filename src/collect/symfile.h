/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files whose code was seen in stacks. Opened at first sight, read when a name is wanted, bounded in memory. */
#ifndef IOTOP_COLLECT_SYMFILE_H
#define IOTOP_COLLECT_SYMFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/maps.h"

struct symfiles;

/* proc is borrowed. */
struct symfiles *symfiles_new(const char *proc);
void symfiles_free(struct symfiles *f);
/* A new round: where there are many files, those that were not used for long go, and their numbers mean nothing any more. */
void symfiles_round(struct symfiles *f);
/* Files that were gone when a name was wanted: forgotten, or closed in favour of others and not to be opened again. */
uint64_t symfiles_forgotten(const struct symfiles *f);
/*
 * The number of the file behind a mapping of the process tgid, whose folder in /proc is pid_dir; 0 for memory without a file.
 * The file itself is opened, not what has its name by now.
 */
uint32_t symfile_get(struct symfiles *f, int pid_dir, uint32_t tgid, const struct mapping *m);
/* Whether it is still there; it is in use then. */
bool symfile_known(struct symfiles *f, uint32_t file);
/* The same for the same file in any run: of its path and size and time. */
uint64_t symfile_id(struct symfiles *f, uint32_t file);
/* As linked; NULL: no symbol is there. Valid until the next call. */
const char *symfile_name(struct symfiles *f, uint32_t file, uint64_t offset);
/* Its name without folders; raw. NULL: it had to go. */
const char *symfile_label(const struct symfiles *f, uint32_t file);

#endif
