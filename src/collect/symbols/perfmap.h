/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that a runtime made at run time, from the list it writes: perf-PID.map. */
#ifndef IOTOP_COLLECT_SYMBOLS_PERFMAP_H
#define IOTOP_COLLECT_SYMBOLS_PERFMAP_H

#include <stddef.h>
#include <stdint.h>

struct perfmap;

/*
 * Lines "start size name", hexadecimal; what makes no sense is skipped, the last line for an
 * address counts.
 */
struct perfmap *perfmap_parse(const char *text);
void perfmap_free(struct perfmap *m);
/* Bytes it takes. */
size_t perfmap_size(const struct perfmap *m);
const char *perfmap_name(const struct perfmap *m, uint64_t address);

#endif
