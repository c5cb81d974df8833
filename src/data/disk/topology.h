/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lies on what: the stack of block devices of one sample. */
#ifndef IOTOP_DATA_DISK_TOPOLOGY_H
#define IOTOP_DATA_DISK_TOPOLOGY_H

#include "base/hash.h"
#include "data/sample.h"

/* A device. The order of below is the kernel's, that of above the sample's. */
struct topo_node {
	uint32_t dev;			/* hash key */
	const struct sample_disk *disk;
	struct topo_node **below, **above;
	size_t nbelow, nabove;
	void *user;			/* the caller's */
};

/* Nodes live in the arena given to topology_build(), the disks in the sample. */
struct topology {
	struct topo_node *nodes;	/* in the order of the sample */
	size_t n;
	struct hash by_dev;
};

void topology_build(struct topology *t, struct arena *a, const struct sample *s);
void topology_release(struct topology *t);
struct topo_node *topology_find(const struct topology *t, uint32_t dev);

/*
 * Amplification: bytes at the devices directly below for each byte at the node. bytes(node, arg)
 * are those of the interval. What is shared with other stacked devices is divided by their bytes.
 * NaN: nothing below, no bytes, or others than stacked devices use what is below (a file system is
 * mounted there, it has partitions), so that nobody knows.
 */
double topology_amplification(const struct topo_node *node,
			      uint64_t (*bytes)(const struct topo_node *node, const void *arg),
			      const void *arg);

#endif
