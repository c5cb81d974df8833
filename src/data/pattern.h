/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns that tasks and disks have alike: how large I/O is, and in which order it comes. The
 * getters are each entity's own.
 */
#ifndef IOTOP_DATA_PATTERN_H
#define IOTOP_DATA_PATTERN_H

#include "base/i18n.h"
#include "data/column.h"

static inline struct value pattern_share(uint64_t part, uint64_t of)
{
	return of ? value_f64(100.0 * (double)part / (double)of) : value_none();
}

#define PATTERN_SIZE(...)                                                                  \
	.kind = VAL_U64, .unit = UNIT_BYTES, .fold = FOLD_MEAN, .width = 7, .priority = 8, \
	__VA_ARGS__
#define PATTERN_SHARE(TABLE, row)                                                             \
	.kind = VAL_F64, .unit = UNIT_PERCENT, .fold = FOLD_MEAN, .flags = COL_HIDDEN,        \
	.width = 5, .priority = 8, .needs = SRC_BLOCK | SRC_PATTERN,                          \
	.reads = { COL_READS(TABLE, row, pattern_ios), COL_READS(TABLE, row, sequential) }

/* of sizes: their sources, as .needs or .either. */
#define PATTERN_COLUMNS(TABLE, row, ...)                                                      \
	{                                                                                     \
		COLUMN("rsize", N_("RSIZE"), N_("average size of a read")),                   \
		PATTERN_SIZE(.flags = COL_HIDDEN | COL_READ, .get = get_rsize, __VA_ARGS__),  \
	},                                                                                    \
	{                                                                                     \
		COLUMN("wsize", N_("WSIZE"), N_("average size of a write")),                  \
		PATTERN_SIZE(.flags = COL_HIDDEN | COL_WRITE, .get = get_wsize, __VA_ARGS__), \
	},                                                                                    \
	{                                                                                     \
		COLUMN("rand", N_("RAND%"), N_("share of reads and writes that are random: "  \
					       "not sequential")),                             \
		PATTERN_SHARE(TABLE, row), .get = get_rand,                                   \
	},                                                                                    \
	{                                                                                     \
		COLUMN("seq", N_("SEQ%"), N_("share of reads and writes that begin where the " \
					     "one before ended, or 64 KiB behind it at most")), \
		PATTERN_SHARE(TABLE, row), .get = get_seq,                                    \
	},                                                                                    \
	{                                                                                     \
		COLUMN("ra", N_("RA%"), N_("share of reads that read ahead")),                \
		PATTERN_SHARE(TABLE, row), .get = get_ra,                                     \
	},                                                                                    \
	{                                                                                     \
		COLUMN("sync", N_("SYNC%"), N_("share of writes for which somebody waits")),  \
		PATTERN_SHARE(TABLE, row), .get = get_sync,                                   \
	}

#endif
