/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a sample about files. */
#ifndef IOTOP_DATA_SAMPLE_FILE_H
#define IOTOP_DATA_SAMPLE_FILE_H

#include "data/sample_id.h"

/* In place of the inode, for I/O of no file. */
enum no_file {
	NO_FILE = 1,		/* direct I/O of a disk, and what is not known */
	NO_FILE_METADATA,	/* of a file system */
	NO_FILE_DEVICE,		/* cached pages of a disk itself */
	NO_FILE_BELOW,		/* what a stacked disk does for I/O at itself */
	NO_FILE_OTHER,		/* of files for which there was no room */
};

/* As people know the number of an inode: that of a subvolume of btrfs may be above it (bit 62). */
static inline uint64_t ino_shown(uint64_t ino)
{
	return ino >> 62 & 1 ? ino & ((1ull << 48) - 1) : ino;
}

enum file_flag {
	FILE_DELETED = 1u << 0,	/* it has no name any more */
};

/*
 * I/O by file; off unless asked for. Without a file system, and with an enum no_file as its inode,
 * it is of no file. Latency is from when a bio was queued; of one with pages of several tasks it is
 * with one of them.
 */
struct sample_file {
	struct task_id cause;
	uint32_t dev;		/* the disk */
	uint32_t sdev;		/* the file system's device; 0: none */
	uint64_t ino;
	const char *path;	/* NULL unknown */
	uint64_t read, write;	/* bytes at the disk */
	uint64_t rios, wios;
	uint64_t done, lat_ns;	/* completed, and the sum of their times */
	uint64_t untimed;	/* completed; a limit held them back for a time that is not known */
	uint64_t max_ns;	/* longest that completed since the sample before: not cumulative */
	struct blob hist;	/* uint64_t counts; bucket 0 and the last are those of
				 * data/histogram.h, eight of these are one of the others. Zeroes at
				 * the end may be left away */
	uint32_t flags;		/* enum file_flag */
	const char *mount, *fs;	/* where its file system is mounted, and of which kind that is;
				 * NULL: nowhere that we see */
	const char *seen;	/* the path by which the cause sees it, where that is another one */
};

/*
 * Pages of a file that are dirty now and were not handed in to be written yet; of one that several
 * dirtied the cause is RESIDUAL_UNATTRIBUTED. Of SRC_FILES.
 */
struct sample_dirty {
	struct task_id cause;
	uint32_t dev;		/* the disk of the file system, 0: not known */
	uint32_t sdev;		/* with ino: as in sample_file */
	uint64_t ino;
	const char *path, *mount, *fs;	/* as in sample_file */
	const char *comm;	/* of the cause */
	uint32_t flags;		/* enum file_flag */
	uint64_t bytes;		/* not cumulative */
	const char *seen;	/* as in sample_file */
};

#endif
