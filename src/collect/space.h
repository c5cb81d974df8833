/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Address spaces of processes: which file is where. Private to the symbol code. */
#ifndef IOTOP_COLLECT_SPACE_H
#define IOTOP_COLLECT_SPACE_H

#include "collect/symbols.h"
#include "collect/symfile.h"

struct spaces;
struct space;

/* proc is borrowed, files too. */
struct spaces *spaces_new(const char *proc, struct symfiles *files);
void spaces_free(struct spaces *s);
void spaces_round(struct spaces *s);
uint64_t spaces_missed(const struct spaces *s);

/* Never NULL; when the process has ended before it was met, it has no mappings. Valid until spaces_round(). */
struct space *space_get(struct spaces *s, uint32_t tgid, uint64_t start, uint64_t mm);
void space_place(struct spaces *s, struct space *space, uint64_t address, struct place *ret);
/* A name for code that is in no file, from what its runtime tells; valid until the next call. */
const char *space_name(struct spaces *s, uint32_t number, uint64_t address);

#endif
