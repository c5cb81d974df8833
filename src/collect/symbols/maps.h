/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lies where in a process: the executable lines of /proc/PID/maps. */
#ifndef IOTOP_COLLECT_SYMBOLS_MAPS_H
#define IOTOP_COLLECT_SYMBOLS_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct mapping {
	uint64_t start, end;
	uint64_t offset;	/* in the file, of start */
	uint64_t dev, ino;	/* as the line says: major << 32 | minor */
	const char *path;	/* raw, as the kernel writes it (a line break is \012); "" for
				 * anonymous memory */
};

struct maps {
	struct arena arena;	/* owns the paths */
	struct mapping *v;	/* ascending */
	size_t n, cap;
};

void maps_init(struct maps *m);
void maps_release(struct maps *m);
/* Lines that make no sense are skipped; more than a process can have code are not taken. */
void maps_parse(struct maps *m, const char *text);
/* NULL: nothing executable is there. */
const struct mapping *maps_find(const struct maps *m, uint64_t address);

#endif
