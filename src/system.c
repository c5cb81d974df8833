// SPDX-License-Identifier: GPL-2.0-or-later
#include "system.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "collect/actions.h"
#include "options/config.h"
#include "options/config_file.h"
#include "tui/app.h"
#include "tui/clipboard.h"
#include "tui/terminal.h"

int system_ioprio(_unused_ void *arg, const struct app_target *target, unsigned class,
		  unsigned level, struct err *err)
{
	return task_ioprio_set(&target->id, class << 13 | level, target->process, err);
}

int system_kill(_unused_ void *arg, const struct app_target *target, int signal, struct err *err)
{
	return task_kill(&target->id, signal, err);
}

int system_save(_unused_ void *arg, const char *text, char **ret_path, struct err *err)
{
	_cleanup_(buf_release) struct buf all = { 0 }, before = { 0 };
	_cleanup_(mem_freep) char *file = config_file_path();
	const char *problem;

	buf_puts(&all, text);
	/* What the screen does not decide stays as it was saved. */
	if (file && !config_file_read(file, &before, &problem) && before.len)
		options_carry_config(&all, before.data, app_config_decides);
	return config_file_write(all.data, ret_path, err);
}

void system_copy(_unused_ void *arg, const char *text)
{
	enum multiplexer in = getenv("TMUX") ? IN_TMUX : getenv("STY") ? IN_SCREEN : IN_NONE;
	struct buf out = { 0 };

	clipboard_sequence(&out, text, in);
	fwrite(out.data, 1, out.len, stdout);
	fflush(stdout);
	buf_release(&out);
}

void system_theme(_unused_ void *arg, enum theme theme)
{
	term_set_theme(theme);
}

void system_mouse(_unused_ void *arg, bool on)
{
	term_set_mouse(on);
}

void system_suspend(_unused_ void *arg)
{
	term_suspend();
}

void system_redraw(_unused_ void *arg)
{
	term_redraw();
}
