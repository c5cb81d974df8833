// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/commands.h"

#include <errno.h>
#include <stdio.h>

#include "collect/helper/process.h"
#include "collect/proc/proc.h"

/*
 * Whether the task is still there. The thread's own file: that of a process adds up all its
 * threads.
 */
static bool is_there(int proc, struct buf *text, uint32_t tgid, uint32_t tid, uint64_t start)
{
	char path[64];
	struct proc_stat st;

	if (!start)
		return true;
	snprintf(path, sizeof(path), "%u/task/%u/stat", tgid, tid);
	if (buf_read_file(text, proc, path, 4096) < 0 || !text->len ||
	    proc_stat_parse(text->data, &st) < 0)
		return false;
	return st.start == start / proc_tick_ns();
}

int commands_serve(int proc, struct buf *text, struct wire_reader *r, struct buf *out)
{
	uint32_t n = wire_u32(r);

	if (n > HELPER_COMMANDS_MAX)
		return -EPROTO;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t tgid = wire_u32(r), tid = wire_u32(r);
		uint64_t start = wire_u64(r);
		char path[32];
		bool there;

		if (r->short_)
			return -EPROTO;
		snprintf(path, sizeof(path), "%u/cmdline", tgid);
		there = is_there(proc, text, tgid, tid, start) &&
			buf_read_file(text, proc, path, HELPER_ARGS_MAX) >= 0;
		wire_put_u32(out, there);
		wire_put_text(out, there ? text->data : "", there ? text->len : 0);
	}
	return 0;
}
