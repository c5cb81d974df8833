/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory in which kernel programs find unwind tables and what processes have mapped
 * (bpf/abi_unwind.h), and which parts of it are free. Private to unwind.c.
 */
#ifndef IOTOP_COLLECT_STACKS_UNWIND_MAPS_H
#define IOTOP_COLLECT_STACKS_UNWIND_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "bpf/abi_unwind.h"
#include "collect/bpf/bpf.h"

/* Pieces of one array, each some entries in a row. */
struct unwind_room {
	unsigned char *taken;	/* of each entry */
	uint32_t n, used, top;	/* top: none behind it was ever taken */
};

/* What may still be read by a program that has just seen it. */
struct unwind_leaving {
	struct unwind_room *room;
	uint32_t first, n;
	uint64_t since;		/* CLOCK_MONOTONIC ns */
};

struct unwind_maps {
	int pages_fd, mappings_fd, spaces_fd;
	struct bpf_window pages_window, mappings_window, spaces_window;
	struct abi_unwind_page *pages;
	struct abi_unwind_mapping *mappings;
	struct abi_unwind_set *sets;
	struct unwind_room page_room, mapping_room;
	struct unwind_leaving *leaving;
	size_t nleaving, leaving_cap;
};

/* Tables may take so many bytes. 0, or -errno and the reason; close it in any case. */
int unwind_maps_open(struct unwind_maps *m, uint64_t bytes, struct err *err);
void unwind_maps_close(struct unwind_maps *m);
/* The maps of an object that is not loaded yet become these. 0 or -errno. */
int unwind_maps_share(const struct unwind_maps *m, const struct bpf_object *obj);

/* n entries in a row, filled with zero; -ENOMEM: there is no such room. */
int unwind_pages_take(struct unwind_maps *m, uint32_t n, uint32_t *ret_first);
int unwind_mappings_take(struct unwind_maps *m, uint32_t n, uint32_t *ret_first);
/* Given back; they are free when no program can be reading them any more. */
void unwind_leave(struct unwind_maps *m, struct unwind_room *room, uint32_t first, uint32_t n);
/* Once a round. */
void unwind_maps_round(struct unwind_maps *m);

#endif
