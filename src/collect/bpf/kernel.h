/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between kernels, as far as it is asked before the programs are loaded: each question
 * with the reason. What the programs see for themselves is in bpf/common/kernel.h, the forms of
 * tracepoints in the collectors' tables of hooks.
 */
#ifndef IOTOP_COLLECT_BPF_KERNEL_H
#define IOTOP_COLLECT_BPF_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "collect/bpf/bpf.h"

/*
 * From 6.1: a program at a tracepoint does not run again on a processor where it is running. The
 * member came a little earlier (5.12).
 */
static inline bool kernel_skips_programs(void)
{
	return bpf_host_member("bpf_prog", "active");
}

/*
 * From 7.0: tracepoints are guarded by SRCU, and a task that runs their programs may lose the
 * processor. Until 6.12 there was an SRCU for those of idle processors only.
 */
static inline bool kernel_preempts_programs(void)
{
	return kernel_skips_programs() && bpf_host_member("tracepoint", "ext") &&
	       bpf_host_variable("tracepoint_srcu_srcu_data");
}

/* From 5.11. Before, what is kept of tasks is in a hash. */
static inline bool kernel_has_task_storage(void)
{
	return bpf_host_map_type(BPF_MAP_TYPE_TASK_STORAGE);
}

/* From 5.18: kprobes on many functions at once. */
static inline bool kernel_has_kprobe_multi(void)
{
	return bpf_host_struct("bpf_kprobe_multi_link");
}

/* Of a bio: the limits of its control group have let it pass. Renamed in 6.6. 0: not known. */
static inline uint32_t kernel_bio_throttled_flag(void)
{
	int bit = bpf_host_enumerator("BIO_BPS_THROTTLED");

	if (bit < 0)
		bit = bpf_host_enumerator("BIO_THROTTLED");
	return bit < 0 ? 0 : 1u << bit;
}

/*
 * Does the kernel tell which request of io_uring has ended? Before 5.17 (3 or 4 arguments) there is
 * the program's own number instead. Later forms have more, or the first one has a type.
 */
static inline bool kernel_names_uring(void)
{
	const char *first = NULL;
	int args = bpf_host_args("io_uring_complete", &first);

	return args < 0 || args >= 5 || first;
}

/* From 6.11: page faults that wait for a page of a file have a tracepoint. */
static inline bool kernel_tells_faults(void)
{
	const char *first;

	return bpf_host_args("mm_filemap_fault", &first) >= 0;
}

/*
 * The journal of ext4 is mostly a module: the types of modules are told from 5.11 on, of those that
 * are loaded.
 */
static inline bool kernel_tells_journal(void)
{
	return bpf_host_struct("journal_s") || !access("/sys/kernel/btf/jbd2", F_OK);
}

#endif
