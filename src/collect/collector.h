/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A collector reads one source and adds rows to a sample. collect.c owns them, opens what is
 * wanted, and closes what is not. Nothing above this folder knows the kernel; nothing here prints:
 * a failure is one sentence.
 */
#ifndef IOTOP_COLLECT_COLLECTOR_H
#define IOTOP_COLLECT_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/set.h"
#include "collect/privilege.h"
#include "data/sample.h"

enum accounting {
	ACCOUNTING_AUTO,
	ACCOUNTING_BPF,
	ACCOUNTING_NETLINK,
};

struct helper;

/* What the user asked for, fixed before anything opens. Owned by the caller, outlives the set. */
struct collect_options {
	bool no_bpf;
	bool secure;
	enum accounting accounting;
	const struct number_set *tgids;	/* the only processes (--pid); NULL: all */
	const struct number_set *uids;	/* of layers: the only users; NULL: all */
	const char *disk;	/* --disk */
	uint32_t max_tasks, max_counters, max_files;	/* entries of maps; 0: the default */
	uint32_t stack_storage;	/* stacks that are kept apart; 0: the default */
	uint64_t unwind_tables;	/* bytes for unwind tables; 0: there are none */
	const char *proc, *sys;	/* "/proc", "/sys": a frozen tree in tests */
	struct helper *helper;	/* what looks at other processes and their files; NULL: nobody,
				 * their names are missing */
	const char *run;	/* "/run": where it is kept what is to be put back; NULL: nowhere */
	enum which_stacks stacks;
	bool self;
	unsigned layers;	/* 1 << enum layer: only these; 0: all */
	uint64_t min_latency;	/* ns: what took less at a layer is left out */
	uint64_t event_latency;	/* … and what took less as an event */
	uint64_t max_rate;	/* events a second, 0: no limit */
	unsigned event_ops, call_ops;	/* 1 << enum io_op, enum layer_op: only these as events */
	bool errors;		/* only events that failed */
	const char *cgroup;	/* path of a control group: only calls of its tasks at the
				 * layers; NULL: all */
	/*
	 * Of blocks (offcpu), tid of layers, too; 0, NULL: all. state: letters as ps has them.
	 * Times in ns.
	 */
	uint32_t tid;
	bool user_threads, kernel_threads;	/* both false: both */
	const char *state;
	uint64_t min_block, max_block;
};

/* Are some tasks chosen, by process, thread, user or control group? */
static inline bool collect_chosen(const struct collect_options *opt)
{
	return opt->tid || opt->cgroup || opt->tgids || opt->uids;
}

struct collect_set;
struct probe_list;

/*
 * One source or several that come from one place. provides: enum source bits. Members may be NULL
 * where they make no sense. open() is called when something it provides is wanted, close() when
 * nothing is any more; open() may be called again later.
 */
struct collector {
	const char *name;
	bool bpf;		/* has kernel programs: open() is called where there can be some */
	bool places;		/* these compare addresses of the kernel's code */
	enum accounting accounting;	/* it lists tasks by this way of accounting; AUTO: by any,
					 * or lists none */
	unsigned provides;
	unsigned privileges;	/* enum privilege bits that are raised while one of the functions
				 * below runs */
	/*
	 * 0, or -errno and the reason. *ret_state is the collector's own, for close() to free: also
	 * when open() set it and then fails.
	 */
	int (*open)(struct collect_set *set, unsigned sources, void **ret_state, struct err *err);
	/* Other sources are needed of it from now on; while open. */
	int (*enable)(void *state, unsigned sources, struct err *err);
	/*
	 * The interval ends at this time, which has just been read (ns of CLOCK_MONOTONIC): before
	 * any collector collects.
	 */
	void (*end_interval)(void *state, uint64_t now);
	/*
	 * Adds to the sample; also sample_source() for each bit it provides and sample_lose() for
	 * its losses.
	 */
	int (*collect)(void *state, struct sample *s, struct err *err);
	/*
	 * Another collector counts reads from disks for files since then, ns of CLOCK_MONOTONIC
	 * (UINT64_MAX: not yet): read calls that begin earlier are not compared with them.
	 */
	void (*reads_counted)(void *state, uint64_t since);
	/* A descriptor to poll between ticks, -1: none; drain() is called when it is readable. */
	int (*fd)(void *state);
	void (*drain)(void *state);
	/*
	 * Lines for --probes: sample_source() is not enough where several hooks stand behind one
	 * source.
	 */
	void (*probe)(void *state, struct probe_list *list);
	void (*close)(void *state);
};

extern const struct collector collector_block, collector_tasks, collector_taskstats,
	collector_disks, collector_system, collector_procfs, collector_stacks, collector_waits,
	collector_files, collector_layers, collector_offcpu, collector_far_mounts, collector_memory;

#endif
