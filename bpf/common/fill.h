/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queues of free places are filled by a program that user space runs: one system call for some
 * thousand places.
 */
#ifndef IOTOP_BPF_COMMON_FILL_H
#define IOTOP_BPF_COMMON_FILL_H

#include "bpf/abi.h"

/*
 * NAME_push(): pushes at most ABI_FILL_STEP squared places, from one on, and returns how many. Each
 * loop is a function of its own, so that it is verified once (VERIFIED_STEP), and three of a few
 * rounds are walked faster than one or two.
 */
#define FILL_PUSH(NAME)                                                       \
	__noinline __u32 NAME##_step(__u32 first, __u32 n)                    \
	{                                                                     \
		__u32 done = 0;                                               \
									      \
		for (__u32 i = 0; i < ABI_FILL_STEP && i < n; i++) {          \
			__u32 place = first + i;                              \
									      \
			if (bpf_map_push_elem(&NAME, &place, 0))              \
				break;                                        \
			done++;                                               \
		}                                                             \
		return done;                                                  \
	}                                                                     \
	__noinline __u32 NAME##_push(__u32 first, __u32 n)                    \
	{                                                                     \
		__u32 done = 0, step = 1;                                     \
									      \
		for (int i = 0; i < ABI_FILL_STEP && done < n && step; i++) { \
			step = NAME##_step(first + done, n - done);           \
			done += step;                                         \
		}                                                             \
		return done;                                                  \
	}

#define FILL_ARGUMENT(ctx, i) ((__u32)((struct bpf_raw_tracepoint_args *)(ctx))->args[i])

/*
 * The program: it is told the first place, how many (ABI_FILL at most) and which queue, and returns
 * how many it pushed. PUSH(queue, first, n).
 */
#define FILL_PROGRAM(NAME, PUSH)                                              \
	SEC("raw_tp")                                                         \
	int NAME(void *ctx)                                                   \
	{                                                                     \
		__u32 first = FILL_ARGUMENT(ctx, 0), n = FILL_ARGUMENT(ctx, 1), \
		      queue = FILL_ARGUMENT(ctx, 2), done = 0;                \
									      \
		for (int i = 0; i < ABI_FILL_STEP && done < n; i++) {          \
			__u32 step = PUSH(queue, first + done, n - done);     \
									      \
			if (!step)                                            \
				break;                                        \
			done += step;                                         \
		}                                                             \
		return done;                                                  \
	}

#endif
