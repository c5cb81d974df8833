/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the collector of layers: private to layers.c, probe.c, filter.c, read.c, callers.c
 * and calls.c.
 */
#ifndef IOTOP_COLLECT_LAYERS_LAYERS_H
#define IOTOP_COLLECT_LAYERS_LAYERS_H

#include "bpf/abi.h"
#include "collect/block/mountpath.h"
#include "collect/block/views.h"
#include "collect/bpf/addresses.h"
#include "collect/bpf/counters.h"
#include "collect/bpf/functions.h"
#include "collect/bpf/programs.h"
#include "data/sample.h"

struct collect_options;
struct collect_set;
struct layers_bpf;
struct probe_list;

#define LAYERS_OF_DISKS (1u << LAYER_LIMIT | 1u << LAYER_QUEUE | 1u << LAYER_DEVICE)

enum layer_probing {
	PROBING_NONE,
	PROBING_KPROBE,		/* a probe for each function */
	PROBING_MULTI,		/* cheaper ones */
};

struct layers {
	struct collect_set *set;
	struct layers_bpf *skel;
	struct bpf_programs programs;
	uint32_t stripes;
	uint32_t room;		/* so many entries, the first one is nobody's */
	unsigned layers;	/* 1 << enum layer */
	uint64_t min_ns;	/* --min-latency */
	bool callers;		/* somebody wants to see them */
	bool whole;		/* all layers are attached, not the calls only */
	int cgroup;		/* the folder of --cgroup, -1: not there, or not asked for */
	const volatile __u64 *block;	/* what the block programs count addresses from, of those
					 * whose maps are shared; NULL: none are */
	const volatile __u64 *events;	/* likewise, of those whose ring buffer takes calls */
	/* Maps as memory. */
	struct abi_layer_entry *entries;
	struct abi_layer *stats;
	struct bpf_window entry_window, stat_window;
	struct counters caller_counters;
	struct mountpath mounts;	/* while callers are counted */
	struct views views;
	/* Functions of the kernel. */
	enum layer_probing probing;
	const char *proc;	/* "/proc" */
	struct helper *helper;	/* of the options */
	const struct addresses *here;	/* where they are */
	uint64_t attached;	/* addresses_modules() when they were attached */
	uint64_t probed[LAYER_FUNCTIONS_MAX];	/* where they were when they were probed, 0: they
						 * are not */
	struct {
		struct bpf_link *link;
		size_t function;	/* its number, LAYER_FUNCTIONS_MAX: of several */
	} links[2 * LAYER_FUNCTIONS_MAX];
	size_t nlinks;
	bool fentry;		/* the kernel offers it */
	size_t slots[ABI_LAYER_SLOTS], nslots;	/* numbers of the functions that have programs of
						 * their own */
	int probe_error;	/* -errno of the last that could not be probed */
	bool uring_unnamed;	/* the kernel tells of requests of io_uring, but not which */
	char none[128];		/* why PROBING_NONE, "": no kprobes in this kernel */
};

/* probe.c: what the kernel offers, which programs are loaded for it, where they are attached. */
/* proc: "/proc", sys: "/sys"; what they are, or why none, goes to l. */
void layers_probing(struct layers *l, const char *proc, const char *sys);
void layers_probe_choose(struct layers *l);
/* After loading failed: true when it is worth another attempt, with fewer programs. */
bool layers_probe_retry(struct layers *l);
void layers_probe_attach(struct layers *l);
/* After the first attempt: where nothing could be attached, it is not tried again. */
void layers_probe_settle(struct layers *l);
void layers_probe_detach(struct layers *l);
/* For --probes; kprobe: how functions are probed, or why they are not. */
void layers_probe_list(const struct layers *l, const char *kprobe, struct probe_list *list);
/* Begins and ends of functions for which no program ran. */
uint64_t layers_probe_misses(const struct layers *l);
/* Why something is missing, or NULL. */
const char *layers_probe_reason(const struct layers *l, char *out, size_t size);

/* filter.c: selecting tasks, before loading and after it. */
int layers_filter_set(struct layers *l, const struct collect_options *opt, struct err *err);
void layers_filter_fill(struct layers *l, const struct collect_options *opt);
/* At each sample: cgroups come and go. Why the one asked for is not looked at, or 0. */
int layers_filter_refresh(struct layers *l, struct err *err);
/* What cannot be told of the requests of selected tasks, or NULL. */
const char *layers_filter_reason(const struct layers *l, const struct collect_options *opt);

/* The system calls that are measured, by number. */
void layers_calls(struct abi_call calls[static ABI_CALLS]);

/* Maps the entries that the programs have taken. */
void layers_map_entries(struct layers *l);
/*
 * Everything the programs counted. interval: the number of the one that just ended. list: of what
 * still runs, NULL: there is none.
 */
void layers_read(struct layers *l, struct sample *s, uint32_t interval, struct bpf_link *list);

/*
 * callers.c: time by task and file. Enables and disables counting, which begins at zero each time.
 */
void layers_callers_enable(struct layers *l, bool on);
void layers_callers_read(struct layers *l, struct sample *s, uint32_t interval);
void layers_callers_close(struct layers *l);

#endif
