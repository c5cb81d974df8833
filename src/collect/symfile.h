/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files whose code was seen in stacks. Opened at first sight, read when a name is wanted, bounded in memory. */
#ifndef IOTOP_COLLECT_SYMFILE_H
#define IOTOP_COLLECT_SYMFILE_H

#include <stdint.h>

#include "collect/maps.h"

struct symfiles;

struct symfiles *symfiles_new(void);
void symfiles_free(struct symfiles *f);
/*
 * The number of the file behind a mapping of the process whose folder in /proc is pid_dir; 0 for memory without a file.
 * The file itself is opened, not what has its name by now.
 */
uint32_t symfile_get(struct symfiles *f, int pid_dir, const struct mapping *m);
/* The same for the same file in any run: of its path and size and time. */
uint64_t symfile_id(const struct symfiles *f, uint32_t file);
/* As linked; NULL: no symbol is there. Valid until the next call. */
const char *symfile_name(struct symfiles *f, uint32_t file, uint64_t offset);
/* Its name without folders; raw. */
const char *symfile_label(const struct symfiles *f, uint32_t file);

#endif
