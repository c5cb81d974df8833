/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of --probes. */
#ifndef IOTOP_COLLECT_PROBE_LIST_H
#define IOTOP_COLLECT_PROBE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/macro.h"

struct probe_line {
	const char *of;		/* the collector that the line belongs to; NULL: none, or the
				 * line is the collector's own */
	const char *what;
	bool ok;
	const char *text;
};

struct probe_list {
	struct arena arena;	/* owns the texts */
	struct probe_line *lines;
	size_t n, cap;
	const char *of;		/* of lines that are added now */
};

void probe_list_init(struct probe_list *list);
void probe_list_release(struct probe_list *list);
void probe_add(struct probe_list *list, const char *what, bool ok, const char *fmt, ...)
	_printf_(4, 5);
/* What a process of ours is allowed to do. */
void probe_process(struct probe_list *list, const char *what, uint32_t pid);
/* The page as a person or a program reads it. */
void probe_list_text(const struct probe_list *list, struct buf *out);
void probe_list_json(const struct probe_list *list, struct buf *out);

#endif
