/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences between kernels that are asked before loading, each with the reason. Those that
 * programs see themselves are in bpf/common/kernel.h, forms of tracepoints in the tables of hooks.
 */
#ifndef IOTOP_COLLECT_BPF_KERNEL_H
#define IOTOP_COLLECT_BPF_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "collect/bpf/bpf.h"

/*
 * Since 6.1 a program at a tracepoint does not run again on a CPU where it is running. The member
 * came in 5.12.
 */
static inline bool kernel_skips_programs(void)
{
	return bpf_host_member("bpf_prog", "active");
}

/*
 * Since 7.0 tracepoints are protected by SRCU, and a task that runs their programs may be
 * preempted. Until 6.12 there was an SRCU for idle CPUs only.
 */
static inline bool kernel_preempts_programs(void)
{
	return kernel_skips_programs() && bpf_host_member("tracepoint", "ext") &&
	       bpf_host_variable("tracepoint_srcu_srcu_data");
}

/* Since 5.11; before, state of tasks is in a hash. */
static inline bool kernel_has_task_storage(void)
{
	return bpf_host_map_type(BPF_MAP_TYPE_TASK_STORAGE);
}

#define FIRST_PID_NAMESPACE 0xEFFFFFFCu	/* PROC_PID_INIT_INO, include/linux/proc_ns.h */

/*
 * Number of the PID namespace whose pids /proc has: mostly that of this process. 0: the first one,
 * whose pids are the kernel's, or not known.
 */
static inline uint32_t kernel_pid_namespace(void)
{
	struct stat st;

	if (stat("/proc/1/ns/pid", &st) < 0 && stat("/proc/self/ns/pid", &st) < 0)
		return 0;
	return st.st_ino == FIRST_PID_NAMESPACE ? 0 : (uint32_t)st.st_ino;
}

/* This process, as /proc numbers it; 0: it has no number there. */
static inline uint32_t kernel_own_pid(void)
{
	char number[16] = "";

	if (readlink("/proc/self", number, sizeof(number) - 1) < 0)
		return 0;
	return (uint32_t)strtoul(number, NULL, 10);
}

/* Since 5.18: one kprobe link for many functions. */
static inline bool kernel_has_kprobe_multi(void)
{
	return bpf_host_struct("bpf_kprobe_multi_link");
}

/* A flag of a bio by its bit; 0: not known. */
static inline uint32_t kernel_bio_flag(const char *name)
{
	int bit = bpf_host_enumerator(name);

	return bit < 0 ? 0 : 1u << bit;
}

/*
 * Whether the tracepoint tells which request of io_uring completed. Before 5.17 (3 or 4 arguments)
 * it has user_data instead; later forms have more arguments, or the first one has a type.
 */
static inline bool kernel_names_uring(void)
{
	const char *first = NULL;
	int args = bpf_host_args("io_uring_complete", &first);

	return args < 0 || args >= 5 || first;
}

/*
 * Which argument of io_uring_submit_sqe is the request. From 5.14 to 5.19 (7 arguments) the ring
 * comes first; since 6.0 it is left out. Before 5.14 none is the request.
 */
static inline uint32_t kernel_uring_request(void)
{
	const char *first;

	return bpf_host_args("io_uring_submit_sqe", &first) == 7;
}

/* Since 6.11 page faults that wait for a page of a file have a tracepoint. */
static inline bool kernel_tells_faults(void)
{
	const char *first;

	return bpf_host_args("mm_filemap_fault", &first) >= 0;
}

/* The journal of ext4 is mostly a module: since 5.11 BTF has the types of loaded modules. */
static inline bool kernel_tells_journal(void)
{
	return bpf_host_struct("journal_s") || !access("/sys/kernel/btf/jbd2", F_OK);
}

#endif
