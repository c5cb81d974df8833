/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user asked for: the configuration file, then the command line over it. One table
 * (options/table.c) declares every option; parsing, --help and the configuration file all walk it.
 */
#ifndef IOTOP_OPTIONS_OPTIONS_H
#define IOTOP_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "out/out.h"
#include "view/view.h"

struct screen;

enum action {
	ACTION_RUN,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_PROBES,
	ACTION_LIST_SCREENS,
	ACTION_LIST_COLUMNS,	/* of list_screen, NULL: of all */
	ACTION_LIST_KEYS,
	ACTION_WRITE_CONFIG,
};

/* Texts are the caller's (argv) or owned by strings; NULL: not given. */
struct options {
	int action;		/* enum action */
	const char *list_screen;

	bool batch;
	uint64_t iterations;	/* 0: until told to stop */
	double delay;		/* seconds */
	const char *screen, *columns, *sort, *filter, *disk;
	int format;		/* enum out_format */
	int group;		/* enum group_by, -1: the screen's own */
	int span;		/* enum span */
	bool only_active, hide_ended, full_command;
	uint64_t rows;		/* 0: all */
	bool time;
	unsigned quiet;
	bool kilobytes, si;

	uint32_t *pids;		/* processes or threads, as given; 0-terminated, NULL: all */
	uint32_t *tgids;	/* the processes these belong to (not when replaying) */
	size_t npids;
	char **users;		/* names or numbers, as given; numbers once this machine's names
				 * were looked up */
	size_t nusers;

	bool no_bpf, secure;
	int accounting;		/* enum accounting of collect/collector.h */
	int attribute;		/* enum attribute */
	const char *record, *replay;

	bool ascii, no_color;

	/* Of screens that watch stacks, blocking and layers. */
	bool kernel_stacks, user_stacks, delimited, self, user_threads, kernel_threads,
		milliseconds;
	uint64_t max_tasks, max_counters, max_files;	/* sizes of maps, 0: the defaults */
	uint64_t stack_storage, tid;
	uint64_t min_block, max_block, min_latency;	/* ns, 0: no limit */
	int io, by;
	const char *state;
	const char *fs;		/* --fs */
	const char *cgroup;	/* --cgroup */
	const char *cgroup_name;	/* the same as the groups of tasks are called (struct
					 * engine_options) */
	int layer, op;		/* enum layer, enum layer_op; -1: all */

	struct arena strings;
};

/*
 * Fills o (released by options_release() in any case). The configuration file is read only for the
 * full-screen program: what a script gets does not depend on what somebody saved. 0, or -EINVAL and
 * one line in why (file errors name file and line).
 */
int options_parse(struct options *o, int argc, char *const argv[], struct buf *why);
void options_release(struct options *o);
/* The lines of a configuration file over o. name is for messages. */
int options_read_config(struct options *o, const char *text, const char *name, struct buf *why);
/* The options that differ from the defaults and may be saved, as a configuration file. */
void options_write_config(const struct options *o, struct buf *out);
void options_help(struct buf *out);

/* The chosen screen, or the first; NULL and one line in why when there is none of that name. */
const struct screen *options_screen(const char *name, struct buf *why);

/* The view that the options describe on a screen. Owns its filters. */
struct options_view {
	struct view_spec spec;
	struct filter *filter, *only;
	bool classic;		/* the layout that scripts know from other programs of this name */
};

/* 0, or -EINVAL and in why what is wrong: one line, for a filter two more with the place marked. */
int options_view(const struct options *o, const struct screen *screen, struct options_view *ret,
		 struct buf *why);
void options_view_release(struct options_view *v);

/*
 * --pid and --user as a filter of an entity's rows before they fold, so that a group holds what was
 * asked for and no more. *ret stays as it is when nothing was asked for; filter_free() by the
 * caller.
 */
int options_only(const struct options *o, const struct entity *e, struct filter **ret,
		 struct buf *why);

#endif
