/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where programs at tracepoints with types (tp_btf) and iterators go. Libbpf would read all types
 * of the kernel for each object that has such programs: 6 MB, and again as a copy. They and the
 * other programs of the first screen are verified beside each other (verify.h).
 */
#ifndef IOTOP_COLLECT_BPF_TARGETS_H
#define IOTOP_COLLECT_BPF_TARGETS_H

/*
 * From now on such programs find their places in the types that are read once (bpf.h). Before an
 * object is opened; more than once does nothing.
 */
void bpf_targets_register(void);

#endif
