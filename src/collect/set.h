/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The set of collectors as collectors see it: options, what the others serve, and giving way to
 * whoever waits for keys. collect.h is how the program sees it.
 */
#ifndef IOTOP_COLLECT_SET_H
#define IOTOP_COLLECT_SET_H

#include "collect/collector.h"

struct cmdlines;
struct delayacct;
struct merge;
struct owner_names;
struct stackstore;
struct unwind;

/* A collector and what it serves now. */
struct slot {
	const struct collector *c;
	void *state;		/* the collector's own, NULL: none */
	bool open;
	unsigned serves;	/* enum source bits asked of it while open */
	unsigned failed;	/* bits with which open() failed: not tried again */
	struct err why;		/* of the last failure */
};

#define SLOTS_MAX 16

/* These are in the rows of the task list: whoever lists the tasks also serves them. */
#define SRC_OF_LISTER (SRC_TASKS | SRC_TASKIO | SRC_DELAYS)

struct collect_set {
	const struct collect_options *opt;
	struct slot slots[SLOTS_MAX];	/* in order of preference */
	size_t n;
	unsigned sources;	/* enum source bits */
	/*
	 * Since when each counts (CLOCK_MONOTONIC ns): programs since they were attached, others
	 * since their first sample. 0: off, or that sample is still to be taken.
	 */
	uint64_t since[SRC_COUNT];
	uint64_t late[SRC_COUNT];	/* as in sample_source, of the sample that is being taken */
	struct helper *helper;	/* of the options */
	struct merge *merge;
	struct owner_names *names;
	struct cmdlines *cmdlines;
	struct delayacct *delayacct;
	const char *pid_limit;	/* why not all tasks of the machine are listed by programs; NULL:
				 * they are. A process never changes its pid namespace. */
	struct stackstore *stacks;	/* while a collector with stacks is open, else NULL */
	struct unwind *unwind;		/* likewise; NULL: stacks are walked by frame pointers */
	struct err no_unwind;		/* why */
	unsigned stack_users;
	bool every_block;	/* collect_every_block() */
	void (*yield)(void *arg);	/* collect_on_yield(); NULL: nobody waits */
	void *yield_arg;
	uint64_t yielded;	/* when it was called last, CLOCK_MONOTONIC ns */
	unsigned samples;	/* taken, up to the first that is shown */
	int stop_fd;		/* collect_on_stop(); -1: none */
};

const struct collect_options *collect_set_options(const struct collect_set *set);

/* What of its sources this collector may serve by the options; why not all of them, or NULL. */
const char *slot_refusal(const struct collect_set *set, const struct slot *slot,
			 unsigned *ret_allowed);
/* The slot that lists tasks, or NULL. */
const struct slot *set_lister(const struct collect_set *set);
/* The state of a collector that is open, NULL: it is not. */
void *set_state(const struct collect_set *set, const struct collector *c);
/* Tells the others since when reads for files are counted, as reads_counted() of collectors. */
void set_reads_counted(const struct collect_set *set, uint64_t since);
/* Whether a BPF collector serves any of these sources. */
bool set_told_by_bpf(const struct collect_set *set, unsigned sources);

/* Why nobody serves this: of the last that tried and failed, else by which option nobody tried. */
const char *set_why_off(const struct collect_set *set, unsigned bit);
/*
 * The slot begins to serve these sources. What programs only read was counted by the kernel before.
 */
void set_since(struct collect_set *set, const struct slot *slot, unsigned sources);
/* The slot collected between these times: so long after the time of the sample it counted. */
void set_read_late(struct collect_set *set, const struct slot *slot, const struct sample *s,
		   uint64_t begin, uint64_t end);
/* A row for each source that was asked for, so that what is missing is seen, and since when. */
void set_fill_sources(struct collect_set *set, struct sample *s);

/* Whether somebody waits for keys. */
bool collect_is_interactive(const struct collect_set *set);
/*
 * For loops over thousands of tasks: call it every few. When the last time is 10 ms ago, the yield
 * callback runs, without privileges: keys are answered.
 */
void collect_yield(struct collect_set *set);
/*
 * Runs work to its end in a thread of its own, while the yield callback runs in this one: the
 * kernel's verifier takes tenths of a second and does not yield. The work may touch collectors
 * only.
 */
void collect_offload(struct collect_set *set, void (*work)(void *arg), void *arg);

#endif
