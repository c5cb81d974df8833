/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where things of the kernel are, by name: what programs compare addresses with, and the functions
 * of the layers.
 */
#ifndef IOTOP_COLLECT_BPF_ADDRESSES_H
#define IOTOP_COLLECT_BPF_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/abi.h"
#include "collect/bpf/functions.h"

/* 0: not in this kernel. */
struct addresses {
	uint64_t at[ABI_ADDRESS_COUNT];	/* 0, too, where the kernel hides them */
	uint64_t function[LAYER_FUNCTIONS_MAX];	/* by place in layer_functions, made odd: hidden
						 * ones are not 0 */
	uint64_t modules;	/* addresses_modules() when they were looked for */
};

/* From the text of /proc/kallsyms, all but `modules'. Of several of one name the first. */
void addresses_find(const char *kallsyms, struct addresses *ret);
/*
 * A number, not 0, that changes with the modules that are loaded and with where they are; the text
 * of /proc/modules.
 */
uint64_t addresses_modules(const char *modules);
/*
 * Those of this machine, whose /proc is there; nothing is found where it cannot be read. The kernel
 * takes tens of ms to write its symbols down: they are read once, and again when modules have come
 * or gone. Valid until the next call.
 */
const struct addresses *addresses_of_kernel(const char *proc);
/* Gives them to programs that are not loaded yet; at: of a skeleton's rodata. */
void addresses_set(const char *proc, const __u64 at[ABI_ADDRESS_COUNT]);

#endif
