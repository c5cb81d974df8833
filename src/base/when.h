/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moments as people write them. */
#ifndef IOTOP_BASE_WHEN_H
#define IOTOP_BASE_WHEN_H

#include <stdint.h>

/*
 * "-15m" and "-1h30m" (before now), "now", "03:12" and "03:12:30" (the last time it was that late),
 * "today 14:00", "yesterday 14:00", "2026-01-31 14:00", "2026-01-31T14:00:05" with or without Z or
 * +02:00. Without a zone it is the local one. All times are CLOCK_REALTIME ns. Returns 0, or
 * -EINVAL.
 */
int when_parse(const char *text, uint64_t now, uint64_t *ret);

#endif
