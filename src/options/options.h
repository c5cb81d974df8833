/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user asked for. options/table.c says which option fills which member. */
#ifndef IOTOP_OPTIONS_OPTIONS_H
#define IOTOP_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/set.h"
#include "tui/key_map.h"

enum action {
	ACTION_RUN,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_PROBES,
	ACTION_LIST_SCREENS,
	ACTION_LIST_COLUMNS,	/* of list_screen, NULL: of all */
	ACTION_LIST_KEYS,
	ACTION_LIST_OPTIONS,
	ACTION_WRITE_CONFIG,
};

enum command {
	COMMAND_LIVE,	/* none was named: a screen, or reports */
	COMMAND_SERVE,
	COMMAND_RECORD,
	COMMAND_COUNT,
};

/* What is recorded (--record-sources); a bit each. */
enum record_group {
	RECORD_TASKS,
	RECORD_DISKS,
	RECORD_FILES,
	RECORD_MEMORY,
	RECORD_MOUNTS,
	RECORD_LAYERS,
	RECORD_BLOCKED,
	RECORD_STACKS,
	RECORD_EVENTS,
	RECORD_ALL,
	RECORD_GROUPS,
};

/* What a service exports (--metrics); a bit each. */
enum metric_group {
	METRICS_DISKS,
	METRICS_CGROUPS,
	METRICS_LAYERS,
	METRICS_BLOCKED,
	METRICS_DIRTY,
	METRICS_PROGRAMS,
	METRICS_GROUPS,
};

#define STORE_FOLDER "/var/lib/iotop"	/* of --store without an argument */

/* Texts are the caller's (argv) or owned by strings; NULL: not given. */
struct options {
	int action;		/* enum action */
	int command;		/* enum command */
	const char *list_screen;

	bool batch;
	uint64_t iterations;	/* 0: until told to stop */
	double delay;		/* seconds */
	double why;		/* seconds to look before findings are said; 0: not asked for */
	const char *screen, *columns, *sort, *filter, *disk;
	int format;		/* enum out_format */
	int group;		/* enum group_by, -1: the screen's own */
	int span;		/* enum span */
	bool only_active, idle, hide_ended, full_command;
	uint64_t rows;		/* 0: all */
	bool time;
	unsigned quiet;
	bool kilobytes, si;

	struct number_set pids;		/* processes or threads, as given; empty: all */
	struct number_set tgids;	/* the processes these belong to; empty when replaying */
	struct number_set uids;		/* of --user: numbers, and names of this machine */
	struct text_set users;		/* of --user: names of a recording */

	bool no_bpf, no_probing, secure;
	int accounting;		/* enum accounting of collect/collector.h */
	int attribute;		/* enum attribute */
	uint64_t finding_share;	/* percent; 0: the default */
	unsigned ignored;	/* 1 << index in finding_kinds[] */
	uint64_t history;	/* ns, kept in memory by the full screen; 0: nothing is */
	const char *record, *replay;
	const char *store;	/* its folder; "": the usual one */
	const char *begin, *end;	/* of a recording */
	const char *compare;		/* "TIME,TIME": the range before, of the same */
	uint64_t retain;	/* ns that a store goes back */
	uint64_t max_size;	/* bytes of a store */
	unsigned record_sources;	/* 1 << enum record_group; 0: not given */
	const char *when, *exec;	/* --when, --exec; NULL or "": not given */
	uint64_t keep;		/* ns that a trigger's sources stay on */
	uint64_t fine, coarse;	/* ns that a store keeps all samples, and one of ten seconds */
	const char *settings;	/* file with more of these; NULL: none */
	bool summary;		/* one report over all of it */

	bool ascii, no_color;
	unsigned theme;		/* enum theme */
	struct key_map key_map;	/* of the settings file */

	/* Screens stacks, offcpu and layers. */
	bool kernel_stacks, user_stacks, delimited, self, user_threads, kernel_threads,
		milliseconds;
	uint64_t max_tasks, max_counters, max_files;	/* entries of maps, 0: the defaults */
	uint64_t stack_storage, tid;
	uint64_t unwind_tables;	/* bytes; 0: none */
	bool debuginfod;
	const char *fetched;	/* the folder that --debuginfod means */
	uint64_t min_block, max_block, min_latency;	/* ns, 0: no limit */
	bool all_events, errors;	/* events: however short; only those that failed */
	uint64_t max_rate;	/* events a second */
	int io, by;
	unsigned hist_by;	/* 1 << enum out_hist_by */
	const char *state;
	const char *fs;		/* --fs */
	const char *cgroup;	/* --cgroup */
	const char *cgroup_name;	/* its path as rows of tasks have it */
	int layer, op;		/* enum layer, enum layer_op; -1: all */

	const char *listen, *web_config, *textfile;
	unsigned metrics;	/* 1 << enum metric_group */
	uint64_t max_series;	/* 0: the default */

	uint64_t given[2];	/* by the command line: bits, by index in option_table */
	struct arena strings;
};

/* The defaults. options_release() by the caller, which makes it the defaults again. */
void options_init(struct options *o);
void options_release(struct options *o);

/* Samples go into a store. */
static inline bool options_keep_store(const struct options *o)
{
	return o->command == COMMAND_RECORD || (o->command == COMMAND_SERVE && o->store);
}

#endif
