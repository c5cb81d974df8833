/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pointers of tracepoints that the verifier shall not trust. */
#ifndef IOTOP_BPF_COMMON_CAST_H
#define IOTOP_BPF_COMMON_CAST_H

#include <stdbool.h>

#include "bpf/abi.h"

/*
 * Fixed before the programs are loaded: numbers and pointers of any type can be cast. Only in
 * programs themselves and what is inlined in them.
 */
const volatile bool has_cast;

/*
 * A pointer that the verifier does not trust: of each that is read through one that it trusts newer
 * kernels look for a trusted variant by name, through all their types, a millisecond each time.
 * Costs nothing when it runs.
 */
static void *(*const kernel_cast)(const void *obj, __u32 btf_id) = (void *)ABI_CAST;
#define UNTRUSTED(type, pointer) \
	((struct type *)kernel_cast((const void *)(pointer), ABI_TYPE(ABI_TYPE_##type)))

/* A member of the struct at an address: loaded, or where that is not allowed read by probe_read. */
#define READ_CAST(type, at, ...)                                           \
	(has_cast ? UNTRUSTED(type, at)->CAST_PATH(__VA_ARGS__)            \
		  : BPF_CORE_READ((const struct type *)(at), __VA_ARGS__))
#define CAST_PATH(...) CAST_PATH_(__VA_ARGS__, 2, 1)(__VA_ARGS__)
#define CAST_PATH_(a, b, n, ...) CAST_PATH_##n
#define CAST_PATH_1(a) a
#define CAST_PATH_2(a, b) a->b

#endif
