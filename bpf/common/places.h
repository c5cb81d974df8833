/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free places in an array: user space pushes them in their order, a program takes one. */
#ifndef IOTOP_BPF_COMMON_PLACES_H
#define IOTOP_BPF_COMMON_PLACES_H

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "bpf/abi.h"
#include "bpf/common/op.h"

#define FREE_PLACES(NAME, ENTRIES)                \
	struct {                                  \
		__uint(type, BPF_MAP_TYPE_QUEUE); \
		__uint(max_entries, ENTRIES);     \
		__type(value, __u32);             \
	} NAME SEC(".maps")

/* Takes a place and counts it, before anything is written there. False: none is free. */
_always_ bool place_take(void *queue, volatile struct abi_places *places, __u32 *ret)
{
	if (bpf_map_pop_elem(queue, ret))
		return false;
	add(places->taken, 1);
	return true;
}

/* Gives back the place just taken: another CPU was faster with the same. */
_always_ void place_return(void *queue, volatile struct abi_places *places, const __u32 *place)
{
	bpf_map_push_elem(queue, place, 0);
	add(places->back, 1);
}

#endif
