/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of abi.h about files. abi.h brings it. */
#ifndef IOTOP_BPF_ABI_FILES_H
#define IOTOP_BPF_ABI_FILES_H

#include "bpf/abi_common.h"

/*
 * I/O of one owner at one disk, of one file. What is of no file has sdev 0, and in place of an
 * inode one of these (as enum no_file).
 */
#define ABI_NO_FILE 1	/* direct I/O of a disk, and what is not known */
#define ABI_FILE_METADATA 2	/* of a file system */
#define ABI_FILE_DEVICE 3	/* cached pages of a disk itself */
#define ABI_FILE_BELOW 4	/* what a stacked disk does for I/O at itself */
#define ABI_NO_FILES 8	/* no address of an inode is below */

/* Of a file in a subvolume; numbers of inodes do not reach that high. As ino_shown() has it. */
#define ABI_INO_OF_VOLUME(root, ino) ((ino) | 1ULL << 62 | ((root) & 0x3fff) << 48)

struct abi_file_key {
	__u64 ino;
	__u32 sdev;	/* of the file system */
	__u32 dev;	/* whole disk */
	__u32 owner;	/* an ref */
	__u32 spare;
};
_Static_assert(sizeof(struct abi_file_key) == 24, "abi_file_key");

#define ABI_FILE_NAME 256	/* longest name, with its NUL */
#define ABI_FILE_NAMES 1024
#define ABI_FILE_WHOLE 1	/* the names go up to the root of the file system */
#define ABI_FILE_DELETED 2	/* it has no name any more */

struct abi_names {
	__u32 count, flags;	/* flags: ABI_FILE_* */
	__u32 gen;		/* of the inode that had the number last */
	__u32 epoch;		/* of files: the interval in which they were read; of calls:
				 * the second in which they were sent, 0: not yet; of names in an
				 * overlay: the number of its file system */
	char name[ABI_FILE_NAMES];	/* the file's, that of its folder, and so on: each with
					 * its NUL */
};

/* Eight buckets of struct abi_hist are one: the first and the last stay what they are. */
#define ABI_FILE_BUCKETS 56

struct abi_file {
	__u64 read, write;	/* bytes, submitted */
	__u64 rios, wios;
	__u64 done, lat_ns;	/* completed, from when it was submitted, where that is known; what
				 * is of several owners is with one of them */
	__u64 untimed;		/* completed, submitted at a time that is not known: held back */
	__u64 max[2];		/* by the parity of the interval */
	__u32 hist[ABI_FILE_BUCKETS];
	struct abi_names at;
};
_Static_assert(sizeof(struct abi_file) == 1336, "abi_file");

/* A file with dirty pages, as a program lists it. */
struct abi_dirty {
	__u64 ino;		/* as in abi_file_key, with sdev */
	__u32 sdev, dev;	/* dev: whole disk of the file system, 0: not known */
	__u32 owner;		/* ref; ABI_UNATTRIBUTED where several dirtied it */
	__u32 pages;
	struct abi_names at;
};
_Static_assert(sizeof(struct abi_dirty) == 1064, "abi_dirty");
/* So many have their names, and those with many pages. */
#define ABI_DIRTY_NAMED 1024
#define ABI_DIRTY_MANY 64
#define ABI_DIRTY_RECORDS 64	/* by one run of the program at most */

/* I/O of files for which there was no room, by disk. */
struct abi_file_rest {
	__u64 read, write, rios, wios;
};

#endif
