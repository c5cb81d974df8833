/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where file systems are mounted, by their device. */
#ifndef IOTOP_COLLECT_BLOCK_MOUNTPATH_H
#define IOTOP_COLLECT_BLOCK_MOUNTPATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "bpf/abi.h"
#include "data/sample.h"

struct mountpath {
	struct buf text;	/* /proc/self/mountinfo */
};

/* Reads it again; what cannot be read is empty. */
void mountpath_read(struct mountpath *m, const char *proc);
void mountpath_release(struct mountpath *m);
/*
 * The path of a file whose names the programs took down; sdev: the number of its file system. In
 * the sample's arena; NULL: it has none any more.
 */
const char *mountpath_name(const struct mountpath *m, struct sample *s, uint32_t sdev,
			   const struct abi_names *names);

#endif
