/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of processes and threads as the reader's /proc has them. A task has one in its own PID
 * namespace and in each above it; where the reader is below, it has none and is called [outside].
 */
#ifndef IOTOP_BPF_COMMON_PID_H
#define IOTOP_BPF_COMMON_PID_H

#include "bpf/common/kernel.h"

#define PID_LEVELS 32	/* MAX_PID_NS_LEVEL */

/*
 * Fixed before the programs are loaded: the number of the reader's namespace; 0: the first one,
 * whose pids are the kernel's.
 */
const volatile __u32 pid_namespace;

/* The pid of a task (its address) there, 0: it has none. */
__noinline __u32 pid_inside(__u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	const struct pid *pid = BPF_CORE_READ(task, thread_pid);
	__u64 upid = (__u64)pid + bpf_core_field_offset(struct pid, numbers);
	__u32 level = BPF_CORE_READ(pid, level), nr = 0;

	for (__u32 i = 0; i < PID_LEVELS && i < level; i++) {
		const struct upid *at;

		upid += bpf_core_type_size(struct upid);
		at = (const struct upid *)upid;
		if (BPF_CORE_READ(at, ns, ns.inum) != pid_namespace)
			continue;
		nr = BPF_CORE_READ(at, nr);
		break;
	}
	return nr;
}

__noinline __u64 pids_inside(__u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;

	return (__u64)pid_inside((__u64)BPF_CORE_READ(task, group_leader)) << 32 |
	       pid_inside(address);
}

/* A function that is verified by itself takes numbers only: the address may be a pointer. */
_always_ __u64 task_address(const struct task_struct *task)
{
	const struct task_struct *volatile at = task;
	__u64 number = 0;

	bpf_probe_read_kernel(&number, sizeof(number), (const void *)&at);
	return number;
}

_always_ __u64 ids_inside(const struct task_struct *task)
{
	return pids_inside(task_address(task));
}

/*
 * tgid and tid of a task, as bpf_get_current_pid_tgid() packs them; 0: it has none there. For one
 * whose members can be read, any other, and the current one.
 */
_always_ __u64 ids_of(const struct task_struct *task)
{
	return pid_namespace ? ids_inside(task) : (__u64)task->tgid << 32 | (__u32)task->pid;
}

_always_ __u64 ids_probe_read(const struct task_struct *task)
{
	return pid_namespace ? ids_inside(task)
			     : (__u64)BPF_CORE_READ(task, tgid) << 32 |
				       (__u32)BPF_CORE_READ(task, pid);
}

_always_ __u64 current_ids(void)
{
	return pid_namespace ? pids_inside((__u64)bpf_get_current_task())
			     : bpf_get_current_pid_tgid();
}

/* Whom a task is called by that has no pid there; 16 bytes. */
#define OUTSIDE "[outside]\0\0\0\0\0\0"

#endif
