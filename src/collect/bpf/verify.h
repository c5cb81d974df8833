/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Most of a start is the kernel's verifier. Libbpf gives it one program after the other; it takes
 * several at once from who has CAP_BPF. So libbpf gets a program in the place of each, which does
 * nothing, and the programs themselves are loaded beside each other and put into these places.
 */
#ifndef IOTOP_COLLECT_BPF_VERIFY_H
#define IOTOP_COLLECT_BPF_VERIFY_H

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/*
 * Before an object is loaded, one at a time. What is loaded until bpf_verify_end() is put off,
 * where there is more than one processor.
 */
void bpf_verify_begin(void);
/*
 * Called by what prepares a program for libbpf, when opts say all that it is loaded with. 0, or
 * -errno.
 */
int bpf_verify_later(struct bpf_program *prog, struct bpf_prog_load_opts *opts);
/*
 * r: what loading the object came to, in which the programs that were put off were nothing yet.
 * Returns what it came to with them. *ret_refused: the program of these that the kernel refused,
 * the object's; or NULL.
 */
int bpf_verify_end(int r, const struct bpf_program **ret_refused);

#endif
