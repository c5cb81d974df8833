/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files whose unwind tables are there, or asked for. Private to unwind.c. */
#ifndef IOTOP_COLLECT_STACKS_UNWIND_FILES_H
#define IOTOP_COLLECT_STACKS_UNWIND_FILES_H

#include <stdbool.h>

#include "base/hash.h"
#include "collect/helper/file.h"
#include "collect/stacks/unwind_maps.h"
#include "collect/symbols/elffile.h"

/* Rows in the programs' memory. Several files may have the same. */
struct unwind_table {
	uint32_t page, npages;
	uint32_t n;		/* rows */
	uint64_t base, hash;
	unsigned files;		/* that have it */
};

struct unwind_file {
	struct {
		uint64_t dev, ino, path;	/* path: its hash */
		uint64_t size, mtime;
	} key;
	struct helper_file at;	/* where it was seen first, with a path of its own */
	struct unwind_table *table;	/* NULL: there is none */
	struct elf_loads loads;
	bool settled;		/* whether there is one is known */
	int why;		/* there is none: errno; ENOMEM: no room */
	uint32_t got;		/* rows that came */
	unsigned users;		/* spaces that have it mapped */
	uint64_t used;		/* CLOCK_MONOTONIC ns */
};

struct unwind_files {
	struct helper *helper;
	struct unwind_maps *maps;
	struct hash by_key;
	struct unwind_table **tables;
	size_t n, cap;
	/* A file has settled. */
	void (*settled)(void *arg);
	void *arg;
};

void unwind_files_init(struct unwind_files *u, struct helper *helper, struct unwind_maps *maps,
		       void (*settled)(void *arg), void *arg);
/* After helper_cancel() of this owner. */
void unwind_files_release(struct unwind_files *u);
/* Never NULL; its table is asked for if it was not yet. It stays while it has users. */
struct unwind_file *unwind_file_get(struct unwind_files *u, const struct helper_file *f);
/* Those without users that were not used for so long (ns) go. */
void unwind_files_drop(struct unwind_files *u, uint64_t idle);

#endif
