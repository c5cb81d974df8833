/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files and address spaces that places refer to, by numbers of this process: whichever helper
 * is asked gets the whole description. Both are bounded: what was not used for long goes, and its
 * number means nothing any more.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_KNOWN_H
#define IOTOP_COLLECT_SYMBOLS_KNOWN_H

#include <stdbool.h>

#include "base/hash.h"
#include "collect/helper/file.h"

struct known_file {
	/* What is replaced under the same inode is another file. */
	struct {
		uint64_t dev, ino, path;	/* path: its hash */
		uint64_t size, mtime;
	} key;
	struct helper_file at;	/* where it was seen last; path is its own, and terminated */
	uint32_t number;
	unsigned round;		/* of its last use */
	bool bad;		/* a helper hung on it: nobody is asked again */
};

struct known_space {
	struct space_key key;
	uint32_t number;
	unsigned round;
	bool bad;
};

#define KNOWN_BAD_DEVICES 16

struct known {
	struct hash files, file_numbers, spaces, space_numbers;
	uint32_t numbers;	/* given so far; 0 is none */
	unsigned round;
	uint64_t bad[KNOWN_BAD_DEVICES];	/* devices on which a helper hung, newest first */
};

void known_init(struct known *k);
void known_release(struct known *k);
/* A new round: where there are many, those that were not used for long go. */
void known_round(struct known *k);

/* Never NULL; valid until known_round(). */
struct known_file *known_file(struct known *k, const struct helper_file *f);
struct known_space *known_space(struct known *k, const struct space_key *key);
/* NULL: it was not used for long, and had to go. */
struct known_file *known_file_use(struct known *k, uint32_t number);
struct known_space *known_space_use(struct known *k, uint32_t number);
/* A helper hung on it: no other file of a device without a disk is tried then. */
void known_file_bad(struct known *k, struct known_file *f);

#endif
