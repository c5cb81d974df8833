/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options and views from command lines. */
#ifndef IOTOP_TESTS_COMMAND_LINES_H
#define IOTOP_TESTS_COMMAND_LINES_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "options/command_line.h"
#include "options/view.h"
#include "tui/screen.h"
#include "unit.h"

#define ARGS_MAX 32

/* Splits at blanks: "-b -n 2". */
static inline int parse(struct options *o, const char *line, struct buf *why)
{
	static char words[16384];
	char *argv[ARGS_MAX + 2] = { (char *)(uintptr_t)"iotop" }, *save;
	int argc = 1;

	snprintf(words, sizeof(words), "%s", line);
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		ck_assert_int_lt(argc, ARGS_MAX);
		argv[argc++] = w;
	}
	buf_reset(why);
	return options_parse(o, argc, argv, why);
}

/* The view of a command line on the tasks screen; "" or what is wrong. */
static inline const char *view_of(struct options *o, struct options_view *v, const char *line,
				  struct buf *why)
{
	ck_assert_int_eq(parse(o, line, why), 0);
	return options_view(o, options_screen("tasks", why), v, why) < 0 ? why->data : "";
}

#endif
