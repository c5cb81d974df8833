/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files, by the processes whose I/O they are behind. */
#ifndef IOTOP_DATA_FILE_FILE_H
#define IOTOP_DATA_FILE_FILE_H

#include "data/model.h"

/* Of struct sample_file, hist. */
#define FILE_BUCKETS 56

/* uint64_t only: see struct entity. */
struct file_counters {
	uint64_t read, write;	/* bytes at the disk */
	uint64_t rios, wios;
	uint64_t done, lat_ns;	/* completed, and the sum of their times */
	uint64_t untimed;	/* as in sample_file: with any no time is known */
	uint64_t rcalls, wcalls, rcall_bytes, wcall_bytes;	/* what calls asked for */
	uint64_t hits, misses;	/* bytes that read calls had from the page cache, from a disk */
	uint64_t opens, fsyncs;
	uint64_t calls_ns;	/* sum of the times of all of these calls */
	uint64_t hist[FILE_BUCKETS];
	uint64_t max_ns;	/* a maximum */
};

#define FILE_COUNTERS_MAX 1
#define FILE_COUNTERS_SUM (sizeof(struct file_counters) / sizeof(uint64_t) - FILE_COUNTERS_MAX)

struct file_part;

/* One process at one file; a group says what it is of. Texts are clean. */
struct file_row {
	struct row row;
	const char *path;	/* as it is reached here, or what there is in its place */
	const char *seen;	/* by its process, where that is another path; else NULL */
	const char *dir, *ext;	/* folder, NULL: no name is known; extension, NULL: none */
	const char *mount, *fs;	/* as in sample_file */
	const char *state;	/* "deleted"; NULL: nothing to say */
	const char *comm;	/* of the process, or of what is none ([journal]) */
	const char *cgroup, *cgroup_path;	/* NULL: not known */
	const char *disk;	/* with most of its I/O; NULL: several, or not known */
	uint64_t dirty;		/* bytes, not written yet */
	uint64_t ino;		/* 0: it is no file, or several */
	uint64_t pid;		/* 0: no process, or several */
	uint64_t file, process;	/* numbers that tell files, and processes, apart */
	uint32_t sdev;		/* with ino: as in sample_file; of a group of the first */
	uint32_t is_block;	/* the file is a disk */
	const struct file_part *disks;	/* where it has its I/O, in no order */
	size_t ndisks;
};

extern const struct column file_columns[];
extern const struct entity entity_file;

/* As entity's group_key and group. */
const char *file_group_key(const struct row *row, enum group_by by, struct arena *a);
void file_group(struct row *group, enum group_by by, uint64_t *sum, struct arena *a);

/* As entity's urgency: the time of calls, and what is dirty. */
uint64_t file_urgency(const struct row *row, enum span span);

/* What rows are taken apart by. */
enum file_split {
	FILE_BY_PROCESS,
	FILE_BY_FILE,
	FILE_BY_DISK,
};

/* A process, a file or a disk, as far as it has part in some rows. */
struct file_part {
	const char *name;
	const char *state;		/* of a file, as in its row; NULL */
	uint64_t key;			/* tells it from the others */
	uint64_t pid;			/* of a process, 0: none */
	uint64_t now_read, now_write;	/* bytes of the interval */
	uint64_t read, write;		/* since the start, as what follows */
	uint64_t done, lat_ns, untimed, max_ns;	/* of disks: not known, 0 */
	uint64_t calls_ns;		/* the same */
};

/*
 * Of a row, or of the members of a group, those with most bytes at the disk in the interval first,
 * without any those with the longest calls; in a.
 */
const struct file_part *file_parts(const struct row *row, enum file_split by, struct arena *a,
				   size_t *ret_n);
/* Time within which p percent of the requests in a histogram ended, ns; 0: it is empty. */
uint64_t file_percentile(const uint64_t hist[FILE_BUCKETS], double p);

#endif
