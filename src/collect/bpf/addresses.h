/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses of kernel symbols: those that programs compare addresses with, and the functions of the
 * layers.
 */
#ifndef IOTOP_COLLECT_BPF_ADDRESSES_H
#define IOTOP_COLLECT_BPF_ADDRESSES_H

#include <stdint.h>
#include <stdio.h>

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

/*
 * Reads /proc/kallsyms, into all but `modules': line by line, for the whole is 5 MB or more. Of
 * several symbols of one name the first counts.
 */
void addresses_find(FILE *kallsyms, struct addresses *ret);
/*
 * A number, not 0, that changes with the loaded modules and their addresses; modules: text of
 * /proc/modules.
 */
uint64_t addresses_modules(const char *modules);
/*
 * They will be asked for: a thread reads them meanwhile, with the privileges that are effective
 * now. proc: valid until then.
 */
void addresses_begin(const char *proc);
/*
 * Addresses of this machine; all 0 where /proc/kallsyms cannot be read. The kernel takes tens of ms
 * to write it: it is read once, and again after modules were loaded or unloaded. Valid until the
 * next call.
 */
const struct addresses *addresses_of_kernel(const char *proc);
/* Sets them in the rodata of a skeleton, before loading. */
void addresses_set(const char *proc, const __u64 at[ABI_ADDRESS_COUNT]);

#endif
