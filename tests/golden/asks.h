/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keys change outside of the app (struct app_system): it is told, and nothing is changed. */
#ifndef IOTOP_TESTS_ASKS_H
#define IOTOP_TESTS_ASKS_H

#include <stdio.h>

#include "base/mem.h"
#include "tui/app.h"

static int ask_delayacct(_unused_ void *arg, bool on, _unused_ struct err *err)
{
	printf("asks: delayacct %s\n", on ? "on" : "off");
	return 0;
}

static int ask_ioprio(_unused_ void *arg, const struct app_target *t, unsigned class,
		      unsigned level, _unused_ struct err *err)
{
	printf("asks: ionice %s %u class %u level %u\n", t->process ? "process" : "thread",
	       t->id.tid, class, level);
	return 0;
}

static int ask_kill(_unused_ void *arg, const struct app_target *t, int signal,
		    _unused_ struct err *err)
{
	printf("asks: kill %s %u signal %d\n", t->process ? "process" : "thread", t->id.tid,
	       signal);
	return 0;
}

static int ask_save(_unused_ void *arg, _unused_ const char *text, char **ret_path,
		    _unused_ struct err *err)
{
	printf("asks: save\n");
	*ret_path = mem_strdup("FILE");
	return 0;
}

static int ask_write(_unused_ void *arg, const char *path, _unused_ struct err *err)
{
	printf("asks: write %s\n", path);
	return 0;
}

static void ask_copy(_unused_ void *arg, const char *text)
{
	printf("asks: copy\n%s", text);
}

static void ask_delay(_unused_ void *arg, double seconds)
{
	printf("asks: delay %g\n", seconds);
}

static void ask_speed(_unused_ void *arg, int by)
{
	printf("asks: speed %d\n", by);
}

static void ask_theme(_unused_ void *arg, enum theme theme)
{
	printf("asks: theme %s\n", theme_names[theme]);
}

static void ask_mouse(_unused_ void *arg, bool on)
{
	printf("asks: mouse %s\n", on ? "on" : "off");
}

static void ask_suspend(_unused_ void *arg)
{
	printf("asks: suspend\n");
}

static void ask_redraw(_unused_ void *arg)
{
	printf("asks: refresh\n");
}

static void ask_every_block(_unused_ void *arg, _unused_ bool on)
{
	printf("asks: every block\n");
}

#endif
