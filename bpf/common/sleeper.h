/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a task sleeps for, by the words of its stack in the kernel: the code goes on there with the
 * lock or the queue that it is in the list of, so that is found without a program where waits
 * begin.
 */
#ifndef IOTOP_BPF_COMMON_SLEEPER_H
#define IOTOP_BPF_COMMON_SLEEPER_H

#include "bpf/common/array.h"
#include "bpf/common/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct wait_queue_entry {
	unsigned int flags;
	void *private;	/* the task that waits */
	void *func;	/* that is to wake it */
	struct list_head entry;
};

struct wait_queue_head {
	struct list_head head;
};

struct thread_struct___context {
	struct {
		unsigned long sp;
	} cpu_context;	/* arm64 */
};

#pragma clang attribute pop

#define STACK_BYTES 65536	/* no stack of the kernel is larger */

/* Where the scheduler and the functions of locks keep what they need after the sleep. */
#define STACK_WORDS 96

struct stack_words {
	__u64 at[STACK_WORDS];
};

CPU_ARRAY(stack_words, 1, struct stack_words);

_always_ __u64 word_at(__u64 address)
{
	__u64 word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), (const void *)address);
	return word;
}

_always_ __u64 stack_pointer(const struct task_struct *task)
{
	const struct thread_struct___context *thread = (const void *)&task->thread;

	if (bpf_core_field_exists(task->thread.sp))
		return BPF_CORE_READ(task, thread.sp);
	if (bpf_core_field_exists(thread->cpu_context.sp))
		return BPF_CORE_READ(thread, cpu_context.sp);
	return 0;
}

/* The words from a stack pointer on, until this processor asks again; NULL: they cannot be read. */
_always_ struct stack_words *stack_read(__u64 sp)
{
	__u32 zero = 0;
	struct stack_words *words = bpf_map_lookup_elem(&stack_words, &zero);

	if (!words)
		return NULL;
	/* The stack may end before. */
	if (bpf_probe_read_kernel(words, sizeof(*words), (const void *)sp) &&
	    bpf_probe_read_kernel(words, sizeof(*words) / 2, (const void *)sp))
		return NULL;
	return words;
}

/* Addresses of the kernel, but for those of the stack itself. */
_always_ bool leads_off_stack(__u64 address, __u64 sp)
{
	return (__s64)address < 0 && address - sp >= STACK_BYTES;
}

#endif
