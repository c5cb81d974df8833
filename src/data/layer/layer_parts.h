/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of the layers that belong together: on the way of an operation, on a disk, of some tasks. */
#ifndef IOTOP_DATA_LAYER_LAYER_PARTS_H
#define IOTOP_DATA_LAYER_LAYER_PARTS_H

#include "data/join.h"
#include "data/layer/layer.h"

struct layer_parts {
	struct rows rows;	/* of layers, top down */
	/*
	 * What they are shares of, ns: the time of the calls among them, and of those that ended;
	 * of the row asked for where no call leads to it.
	 */
	uint64_t calls_ns, ended_ns;
};

/* What lies on the way of r's operation: from the calls down to the disk they lead to. In a. */
struct layer_parts layer_parts(const struct model *m, const struct layer_row *r, bool since_start,
			       struct arena *a);

/* The rows on a whole disk, and on the file systems that lie on it. In a. */
struct rows layer_on_disk(const struct model *m, uint32_t whole, struct arena *a);

/* Time by layer and operation. */
struct layer_sums {
	struct layer_counters at[LAYER_COUNT][LAYER_OP_COUNT];
};

/* Of n threads; the ids are unique. */
void layer_sums_of(const struct model *m, struct task_id *ids, size_t n, bool since_start,
		   struct layer_sums *ret);

/* A hash key: no padding. */
struct layer_file {
	uint64_t ino;
	uint32_t sdev, spare;
};

/* Of n files, each of them once, whoever used them. */
void layer_sums_of_files(const struct model *m, struct layer_file *files, size_t n,
			 bool since_start, struct layer_sums *ret);

#endif
