/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that is not the main one may call execve(): the main thread exits, and that thread takes
 * over its tid and its start (de_thread(), fs/exec.c). So the task that exits goes on by its
 * numbers, and the one that goes on has ended by its own.
 */
#ifndef IOTOP_BPF_COMMON_SUCCESSOR_H
#define IOTOP_BPF_COMMON_SUCCESSOR_H

#include "bpf/common/kernel.h"

#define SIGNAL_ENDS 0xc	/* SIGNAL_GROUP_EXIT | SIGNAL_GROUP_COREDUMP */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct signal_struct___exec {
	struct task_struct *group_exec_task;	/* 5.17 */
	struct task_struct *group_exit_task;	/* before; also while a core is dumped */
	unsigned int flags;
};

struct signal_struct___threads {
	struct {
		int counter;
	} live;
};

#pragma clang attribute pop

/* Who takes over from a task that exits: its address; 0: nobody. */
_always_ __u64 successor(const struct task_struct *task)
{
	const struct signal_struct___exec *signal =
		(const struct signal_struct___exec *)BPF_CORE_READ(task, signal);
	__u64 by;

	if (BPF_CORE_READ(task, pid) != BPF_CORE_READ(task, tgid))
		return 0;
	if (bpf_core_field_exists(signal->group_exec_task))
		by = (__u64)BPF_CORE_READ(signal, group_exec_task);
	else if (BPF_CORE_READ(signal, flags) & SIGNAL_ENDS)
		by = 0;
	else
		by = (__u64)BPF_CORE_READ(signal, group_exit_task);
	return by == (__u64)task ? 0 : by;
}

/* Threads of its process that do not exit yet. Who exits is not among them (do_exit()). */
_always_ int threads_left(const struct task_struct *task)
{
	const struct signal_struct___threads *signal =
		(const struct signal_struct___threads *)BPF_CORE_READ(task, signal);

	return BPF_CORE_READ(signal, live.counter);
}

#endif
