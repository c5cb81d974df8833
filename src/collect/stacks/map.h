/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's side of stacks: what a BPF object that includes bpf/common/stack.h has of them, and
 * its counters by stack as rows of a sample.
 */
#ifndef IOTOP_COLLECT_STACKS_MAP_H
#define IOTOP_COLLECT_STACKS_MAP_H

#include <linux/types.h>

#include "collect/bpf/counters.h"
#include "collect/bpf/programs.h"
#include "collect/collector.h"
#include "collect/stacks/store.h"

struct ring_buffer;

/* Variables and counters of a loaded object; the maps of bpf/common/stack.h have names. */
struct stackmap_object {
	const struct bpf_object *obj;
	/* Counters by stack; the second for what found no room in the first, without stacks. */
	const struct bpf_map *counters, *rest;
	const volatile __u64 *stored;	/* stacks_stored */
	volatile __u64 *taken_out;	/* stacks_taken_out */
	const volatile __u64 *lost;	/* stack_lost[] */
	const char *losses;		/* first part of their names in a sample: "stacks" */
};

/* How a counter becomes a row. */
struct stackmap_rows {
	enum sample_table table;
	/* Ids of stacks in a row, one after the other: where, and how many. */
	size_t stacks, nstacks;
	/* Adds the row, with hashes in place of the ids. */
	void *(*add)(void *arg, const void *key, const void *value);
	/* Which rows are one, and adding such a row to another. */
	int (*order)(const void *a, const void *b);
	void (*merge)(void *to, const void *from);
};

/* Owned by its collector. */
struct stackmap {
	struct collect_set *set;
	struct stackstore *store;	/* shared by the set */
	struct stackmap_object object;
	const struct bpf_map *stacks, *index, *unused;	/* stacks, stack_index, stacks_free */
	struct ring_buffer *spaces;
	struct counters counters, rest;
	uint32_t max;		/* stacks there is room for */
	uint64_t deleted;	/* stacks that we took out again */
	bool refused;		/* the kernel's verifier takes no unwinding by tables */
	uint64_t until;		/* CLOCK_MONOTONIC ns: no more processes are looked at; 0: all of
				 * them */
};

/* The program that stackmap_open() runs, in the hooks of an object. */
#define STACKMAP_FILL BPF_RUN(stack_fill)

/*
 * Before loading: an object gets room for so many stacks as the options say. Returns that number;
 * *ret_users: how many of them may be of programs (user_stacks_max).
 */
uint32_t stackmap_set_size(const struct bpf_object *obj, const struct collect_options *opt,
			   const volatile __u64 *ret_users);
/* Before loading, so that the store is there; m must not move from then on. */
void stackmap_init(struct stackmap *m, struct collect_set *set);
/*
 * Before each attempt to load: the programs of obj may unwind by tables. *ret_want: their
 * want_unwind_tables.
 */
void stackmap_unwind(struct stackmap *m, const struct bpf_object *obj,
		     const volatile bool *ret_want);
/* Loading failed. Whether it is worth another attempt, without unwinding by tables. */
bool stackmap_unwind_refused(struct stackmap *m, struct bpf_programs *p);
/* After loading. 0 or -errno and the reason. */
int stackmap_open(struct stackmap *m, const struct stackmap_object *object, struct err *err);
void stackmap_close(struct stackmap *m);
/* To be polled: a process came that must be looked at while it is there. */
int stackmap_fd(const struct stackmap *m);
/* Looks at those processes for some ms. */
void stackmap_drain(struct stackmap *m);
/*
 * Adds a row for each counter and what was lost. Counters that were idle for so many rounds go.
 * Stacks that were not taken for longest leave the kernel's map when it gets full.
 */
void stackmap_read(struct stackmap *m, struct sample *s, const struct stackmap_rows *rows,
		   unsigned idle_rounds, void *arg);
/* For --probes. */
void stackmap_probe(struct stackmap *m, struct probe_list *list);

#endif
