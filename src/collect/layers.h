/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of the collector of layers, shared by the files layers*.c. */
#ifndef IOTOP_COLLECT_LAYERS_H
#define IOTOP_COLLECT_LAYERS_H

#include "bpf/abi.h"
#include "collect/bpf.h"
#include "data/sample.h"

struct layers_bpf;

struct layers {
	struct layers_bpf *skel;
	struct bpf_hooks hooks;
	uint32_t stripes;
	unsigned layers;	/* 1 << enum layer */
	uint64_t min_ns;	/* --min-latency */
	/* Maps, as memory shared with the kernel programs. */
	struct abi_layer_place *places;
	struct abi_layer *stats;
	struct bpf_window place_window, stat_window;
};

/* The system calls that are looked at, by number. */
void layers_calls(struct abi_call calls[static ABI_CALLS]);

/* Everything the programs counted. interval: the number of the one that just ended. list: of what still runs, NULL: there is none. */
void layers_read(struct layers *l, struct sample *s, uint32_t interval, struct bpf_link *list);

#endif
