/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of a collect_set: for the files that make it up, not for collectors. */
#ifndef IOTOP_COLLECT_SET_H
#define IOTOP_COLLECT_SET_H

#include "base/buf.h"
#include "base/macro.h"
#include "collect/collect.h"
#include "collect/helper/helper.h"
#include "collect/proc/owner_names.h"

/* A collector and what it serves now. */
struct slot {
	const struct collector *c;
	bool bpf;
	void *state;		/* the collector's own, valid while open */
	bool open;
	unsigned serves;	/* enum source bits asked of it while open */
	unsigned failed;	/* bits with which open() failed: not tried again */
	struct err why;		/* of the last failure */
};

#define SLOTS_MAX 16

struct collect_set {
	const struct collect_options *opt;
	struct slot slots[SLOTS_MAX];	/* in order of preference */
	size_t n;
	unsigned wanted;
	struct helper *helper;	/* of the options */
	struct merge *merge;
	struct name_reader *names;
	struct cmdlines *cmdlines;
	struct delayacct *delayacct;
	struct stackstore *stacks;	/* while a collector with stacks is open, else NULL */
	unsigned stack_users;
	bool every_block;	/* collect_every_block() */
	void (*turn)(void *arg);	/* collect_on_pause(); NULL: nobody waits */
	void *turn_arg;
	uint64_t turned;		/* CLOCK_MONOTONIC ns of the last turn */
	int stop_fd;		/* collect_on_stop(); -1: none */
};

/* Why this collector may not serve these bits by the options, or NULL. */
const char *slot_refusal(const struct collect_set *set, const struct slot *slot,
			 unsigned *ret_allowed);
/* The slot that lists tasks, or NULL. */
const struct slot *set_lister(const struct collect_set *set);

/* The state of a collector that is open, NULL: it is not. */
void *set_state(const struct collect_set *set, const struct collector *c);

/* Whether a BPF collector serves any of these. */
bool set_told_by_bpf(const struct collect_set *set, unsigned bits);

/* merge.c: makes one row of what several collectors say of a task. */
struct merge *merge_new(void);
void merge_free(struct merge *m);
/* ticks: starts are known to clock ticks only, so those of other sources are cut to them. */
void merge_tasks(struct merge *m, struct sample *s, bool ticks);

/* cmdline.c */
struct cmdlines *cmdlines_new(struct helper *helper);
void cmdlines_free(struct cmdlines *c);
/* until: CLOCK_MONOTONIC ns; what was not answered by then comes with a later call. */
void cmdlines_fill(struct cmdlines *c, struct sample *late, const struct task_id *ids, size_t n,
		   uint64_t until);

/* delayacct.c: kernel.task_delayacct. */
#define DELAYACCT_OFF N_("kernel.task_delayacct is 0 (^T switches it on)")
struct delayacct *delayacct_new(const struct collect_options *opt);
/* Puts back what was there before any iotop changed it, unless another that did goes on. */
void delayacct_put_back(struct delayacct *d);
/* Puts it back as well. */
void delayacct_free(struct delayacct *d);
int delayacct_set(struct delayacct *d, bool on, struct err *err);
/* Whether an iotop that was killed had left it changed, and it was put back when we came. */
bool delayacct_repaired(const struct delayacct *d);
/* 0, 1; 2: no such switch and always on; -errno. */
int delayacct_get(const struct delayacct *d);
/* How the switch is at the moment of a sample: before its collectors run. */
void delayacct_look(struct delayacct *d, uint64_t boot);
/* Tasks that started before this have no delays; CLOCK_BOOTTIME ns. UINT64_MAX: none has. */
uint64_t delayacct_since(const struct delayacct *d);
/* Rows and the source of s say what the switch allows them to. */
void delayacct_fill(struct delayacct *d, struct sample *s);

/* stackset.c: the store of stacks that collectors share. */
struct stackstore *set_stacks_get(struct collect_set *set);
void set_stacks_put(struct collect_set *set);

/* actions.c: nothing that changes the system from now on. */
void actions_refuse(void);
/* Grows with every priority that is set. */
unsigned actions_changes(void);

#endif
