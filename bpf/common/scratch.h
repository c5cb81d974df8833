/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of a processor for what is too large for the stack of a program, where several programs
 * want it: a task may be preempted in one (fentry and the like where the kernel is preemptible,
 * tracepoints since 7.0), and another one then runs another. Each has what it took for itself.
 */
#ifndef IOTOP_BPF_COMMON_SCRATCH_H
#define IOTOP_BPF_COMMON_SCRATCH_H

#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/common/op.h"

/* So many programs may be at it on one processor; a further one does without. */
#define SCRATCH_WAYS 3

/*
 * NAME_take() returns one for the caller alone, whatever is in it, or NULL; NAME_give() gives it
 * back. Who is the only one counted has it: who is not takes himself out again. An addition that
 * returns what was there would be simpler, and is not to be had before 5.12.
 */
#define SCRATCH(NAME, TYPE)                                                              \
	struct NAME##_scratch {                                                          \
		__u64 takers;                                                            \
		TYPE is;                                                                 \
	};                                                                               \
	CPU_ARRAY(NAME, SCRATCH_WAYS, struct NAME##_scratch);                            \
	_always_ TYPE *NAME##_take(void)                                                 \
	{                                                                                \
		for (__u32 way = 0; way < SCRATCH_WAYS; way++) {                         \
			__u32 key = way;                                                 \
			struct NAME##_scratch *s = bpf_map_lookup_elem(&NAME, &key);     \
			if (!s)                                                          \
				return NULL;                                             \
			add(s->takers, 1);                                               \
			if (*(volatile __u64 *)&s->takers == 1)                          \
				return &s->is;                                           \
			add(s->takers, -1);                                              \
		}                                                                        \
		return NULL;                                                             \
	}                                                                                \
	_always_ void NAME##_give(TYPE *is)                                              \
	{                                                                                \
		struct NAME##_scratch *s =                                               \
			(void *)((char *)is - __builtin_offsetof(struct NAME##_scratch, is)); \
		add(s->takers, -1);                                                      \
	}

#endif
