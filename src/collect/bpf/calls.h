/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of kernel functions, bound by number before a program is loaded. (As externals of the
 * object libbpf would look for those that are missing in the modules, which takes CAP_SYS_ADMIN,
 * and not load the other programs either.)
 */
#ifndef IOTOP_COLLECT_BPF_CALLS_H
#define IOTOP_COLLECT_BPF_CALLS_H

struct bpf_program;

/* Functions that a program calls at most. */
#define BPF_CALLS_MAX 8

/* The number of the kernel's function for ABI_CAST, or a negative errno. */
int bpf_calls_cast(void);
/*
 * A program's calls of ABI_CALL(n) become calls of the n-th of names (NULL: none; after fewer than
 * BPF_CALLS_MAX stands NULL), those of ABI_CAST calls of `cast`. Returns the first name that the
 * kernel has not, or NULL.
 */
const char *bpf_calls_bind(struct bpf_program *prog, const char *const *names, int cast);

#endif
