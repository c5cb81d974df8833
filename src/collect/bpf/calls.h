/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of kernel functions (kfuncs), bound by BTF id before a program is loaded. As externals of
 * the object libbpf would search missing ones in the modules, which takes CAP_SYS_ADMIN, and would
 * load none of the programs.
 */
#ifndef IOTOP_COLLECT_BPF_CALLS_H
#define IOTOP_COLLECT_BPF_CALLS_H

struct bpf_program;

/* Most functions that a program calls. */
#define BPF_CALLS_MAX 8

/* The BTF id of the function for ABI_CAST, or a negative errno. */
int bpf_calls_cast(void);
/*
 * Makes calls of ABI_CALL(n) calls of the n-th of names (NULL: none; fewer than BPF_CALLS_MAX end
 * with NULL), those of ABI_CAST calls of `cast`, and of ABI_TYPE(n) the numbers of types. Returns
 * the first name that the kernel lacks, or NULL.
 */
const char *bpf_calls_bind(struct bpf_program *prog, const char *const *names, int cast);

#endif
