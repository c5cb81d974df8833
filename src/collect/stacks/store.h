/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks that the kernel programs took, kept by user space: from an id to frames, and on demand to
 * names. One store serves every collector with stacks. Ids of user stacks are the same for the same
 * path in any process that runs the same files.
 */
#ifndef IOTOP_COLLECT_STACKS_STORE_H
#define IOTOP_COLLECT_STACKS_STORE_H

#include <linux/types.h>

#include "collect/collector.h"

struct bpf_map;
struct collect_set;
struct helper;
struct probe_list;
struct ring_buffer;
struct stackstore;

/* proc: "/proc", for the kernel's symbols; helper: names programs' code, borrowed. */
struct stackstore *stackstore_new(const char *proc, struct helper *helper);
void stackstore_free(struct stackstore *s);
/* A sample begins. */
void stackstore_round(struct stackstore *s);
/*
 * The names of these stacks as rows of TABLE_FRAMES of `late` (data/sample.h). Ends at `until`
 * (CLOCK_MONOTONIC ns; 0: when all are told, or some seconds waited); returns how many have no row
 * yet. Ids that are not known add nothing.
 */
size_t stackstore_resolve(struct stackstore *s, struct sample *late, const uint64_t *ids,
			  size_t n, uint64_t until);
/* Why kernel stacks have no names; NULL: they have. */
const char *stackstore_kernel_reason(struct stackstore *s);
/* Why stacks have no names, those of the kernel or some of programs; NULL: they have. */
const char *stackstore_reason(struct stackstore *s);

/* The maps of one BPF object that includes bpf/common/stack.h. Owned by its collector. */
struct stackmap {
	struct collect_set *set;
	struct stackstore *store;	/* of the set */
	const struct bpf_map *map;	/* `stacks` */
	struct ring_buffer *spaces;
	uint32_t max;
	uint64_t deleted;	/* stacks that we took out again */
	uint64_t until;		/* CLOCK_MONOTONIC ns: no more processes are looked at; 0: all of
				 * them */
};

/* After loading; m must not move from then on. 0 or -errno. */
int stackmap_open(struct stackmap *m, struct collect_set *set, const struct bpf_map *stacks,
		  const struct bpf_map *spaces, struct err *err);
void stackmap_close(struct stackmap *m);
/*
 * To be polled: a process came that must be looked at while it is there. all: as long as it takes,
 * else for some ms.
 */
int stackmap_fd(const struct stackmap *m);
void stackmap_drain(struct stackmap *m, bool all);
/*
 * A stack of this hash is in the sample: what is not known of it yet is asked for. Before
 * stackmap_id() of any of them.
 */
void stackmap_want(struct stackmap *m, uint64_t hash);
/*
 * The id of a stack in the sample, from its hash in the kernel; 0: it is lost. taken: since the
 * last sample.
 */
uint64_t stackmap_id(struct stackmap *m, uint64_t hash, bool taken);
/* Of a map of so many stacks how many may be of programs (user_stacks_max). */
uint32_t stackmap_for_users(uint32_t max);
/*
 * stored: how many the programs stored; taken_out: their stacks_taken_out. Takes out what was not
 * taken for longest when the map gets full.
 */
void stackmap_age(struct stackmap *m, uint64_t stored, volatile __u64 *taken_out);
/* lost: the counters of the object (enum abi_stack_lost); prefix: "stacks". */
void stackmap_losses(const struct stackmap *m, struct sample *sample, const char *prefix,
		     const volatile uint64_t *lost);

#endif
