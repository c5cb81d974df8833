/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where file systems are mounted, by their device. */
#ifndef IOTOP_COLLECT_BLOCK_MOUNTPATH_H
#define IOTOP_COLLECT_BLOCK_MOUNTPATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "bpf/abi.h"
#include "data/sample.h"

/* A line of mountinfo. */
struct mountpath_mount {
	uint32_t dev;		/* major << 20 | minor */
	uint32_t line;
	const char *root;	/* the folder of the file system that is mounted */
	const char *point, *fs;
	const char *options;	/* of an overlay: its folders are among them; else NULL */
};

/* The mounts of a process. */
struct mountpath {
	struct buf text;	/* its mountinfo, as it was parsed last */
	struct arena arena;	/* owns what follows */
	struct mountpath_mount *mounts;	/* by device and line */
	size_t n;
	bool ready;		/* arena was made */
	bool watched;		/* our own: `changes' is a descriptor that tells of them */
	int changes;
	unsigned rounds;
};

/* What follows folder in path, "" for folder itself; NULL: path is not below it. */
const char *mountpath_below(const char *path, const char *folder);
/* Reads our own again if they may have changed; what cannot be read is empty. */
void mountpath_read(struct mountpath *m, const char *proc);
/* Reads those of a process; what cannot be read stays as it was. False: it could not. */
bool mountpath_read_of(struct mountpath *m, const char *proc, uint32_t tgid);
void mountpath_release(struct mountpath *m);
/*
 * The path of a file whose names the programs took down; sdev: the number of its file system. In
 * the sample's arena; NULL: it has none any more. Where its file system is mounted nowhere that we
 * see, its number comes before the path that the file has there: 7:2:/folder/file.
 */
const char *mountpath_name(const struct mountpath *m, struct sample *s, uint32_t sdev,
			   const struct abi_names *names);
/*
 * The same by these mounts of another process, in out: false where they do not have it, and as long
 * as the names do not reach up to the root.
 */
bool mountpath_here(const struct mountpath *m, uint32_t sdev, const struct abi_names *names,
		    struct buf *out);
/*
 * The path below an overlay, in out, of a file that lies in one of its folders; path: of the file,
 * as who mounted the overlay sees it. False: there is no such overlay.
 */
bool mountpath_overlaid(const struct mountpath *m, const char *path, struct buf *out);
/* The mount that shows most of a file system; NULL: it is mounted nowhere that we see. */
const struct mountpath_mount *mountpath_of(const struct mountpath *m, uint32_t sdev);
/* A mount whose texts are in a sample, for the next file of it. Empty at first, of one sample. */
struct mountpath_told {
	const struct mountpath_mount *mount;
	const char *point, *fs;	/* of the sample; NULL: it is mounted nowhere that we see */
};
/* Where a file system is mounted and its kind. */
void mountpath_tell(const struct mountpath *m, struct sample *s, uint32_t sdev,
		    struct mountpath_told *told);

#endif
