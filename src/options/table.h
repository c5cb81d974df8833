/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One table declares every option: parsing, --help and the configuration file walk it. */
#ifndef IOTOP_OPTIONS_TABLE_H
#define IOTOP_OPTIONS_TABLE_H

#include "options/options.h"

enum option_kind {
	OPT_FLAG,	/* bool */
	OPT_COUNT,	/* unsigned: how often it was given */
	OPT_SET,	/* int: becomes .value */
	OPT_TEXT,	/* const char *; "" where its argument was left out */
	OPT_NUMBER,	/* uint64_t, .min to .max */
	OPT_SECONDS,	/* double, .min to .max tenths */
	OPT_TIME,	/* uint64_t ns, with units; a bare number is in .value ns; 0: has a unit */
	OPT_SIZE,	/* uint64_t bytes, .min to .max, with units */
	OPT_CHOICE,	/* int: index in .choices */
	OPT_PIDS,
	OPT_USERS,
	OPT_WORDS,	/* unsigned: bits by index in .choices */
	OPT_ACTION,	/* int: becomes .value; only on the command line */
};

enum help_group {
	HELP_REPORTS,
	HELP_ROWS,
	HELP_COLUMNS,
	HELP_SOURCES,
	HELP_TRIGGER,
	HELP_STACKS,
	HELP_LAYERS,
	HELP_SERVE,
	HELP_RECORD,
	HELP_TERMINAL,
	HELP_INFORMATION,
	HELP_GROUPS,
};

struct option_info {
	const char *name;	/* long; also the key in the configuration file */
	char letter;		/* short, 0: none */
	bool saved;		/* may stand in the configuration file */
	enum option_kind kind;
	enum help_group group;
	const char *arg;	/* what --help calls its argument; "[X]": may be left out; NULL:
				 * takes none */
	const char *help;	/* N_() */
	/* Where it acts; given elsewhere it is refused (options/places.h). */
	const char *screens;	/* option_place(), blank-separated; NULL: all */
	unsigned formats;	/* of reports: 1 << enum out_format; 0: all */
	bool reports;		/* it asks for reports: as --batch does */
	unsigned commands;	/* 1 << enum command; 0: only without one */
	bool live;		/* on what is measured, not on a recording */
	bool recorded;		/* on a recording, not on what is measured */
	bool interactive;	/* on the full screen, not on reports */
	size_t off;		/* in struct options */
	int value;
	uint64_t min, max;
	const char *const *choices;
	unsigned nchoices;
};

extern const struct option_info option_table[];
extern const unsigned option_count;
extern const char *const command_names[COMMAND_COUNT];	/* NULL: COMMAND_LIVE */
extern const char *const help_group_titles[HELP_GROUPS];

/*
 * The i-th place where rows are: a screen by its name, "disks/process" for the rows of processes
 * that --group=process puts in the place of a screen's own. NULL: there are no more.
 */
const char *option_place(size_t i);
bool option_acts_on(const struct option_info *info, const char *place);
bool option_acts_with(const struct option_info *info, enum command command);
/* Whether this program has a screen or a command that the option belongs to. */
bool option_available(const struct option_info *info);
const struct option_info *option_find(const char *name);

#endif
