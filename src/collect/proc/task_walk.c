/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/proc/task_walk.h"

#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/buf.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/tasks/tasks.skel.h"
#include "collect/bpf/kernel.h"
#include "collect/proc/proc.h"

#define FEWEST 4096
/*
 * As long as it takes, nothing else may run on that processor when the kernel does not preempt:
 * some milliseconds with these.
 */
#define MOST 32768

static uint64_t tasks_now(const char *proc)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	uint64_t load[3], tasks;

	if (buf_read_file(&text, -1, proc, 256) < 0 || !text.len ||
	    proc_loadavg_parse(text.data, load, &tasks) < 0)
		return 0;
	return tasks;
}

const char *task_walk_prepare(struct tasks_bpf *skel, const char *proc)
{
	uint64_t tasks, room;
	struct stat st;
	char path[256];

	snprintf(path, sizeof(path), "%s/loadavg", proc);
	tasks = tasks_now(path);
	room = MIN(MAX(2 * tasks, (uint64_t)FEWEST), (uint64_t)MOST);
	if (stat("/proc/self/ns/pid", &st) < 0 || st.st_ino != FIRST_PID_NAMESPACE)
		return "not in a pid namespace: it sees the tasks of all";
	if (tasks > MOST)
		return "not with so many tasks";
	bpf_map__set_max_entries(skel->maps.listed, DIV_ROUND_UP(room, ABI_TASKS_A_PAGE));
	return NULL;
}

int task_walk(struct tasks_bpf *skel, struct abi_task *records, size_t n,
	      void (*fn)(void *arg, const void *task), void *arg)
{
	size_t left;
	LIBBPF_OPTS(bpf_test_run_opts, run);
	uint32_t keys[256], at, pages = MIN(n / ABI_TASKS_A_PAGE, ARRAY_SIZE(keys));
	void *before = NULL;
	int r;

	if (bpf_prog_test_run_opts(bpf_program__fd(skel->progs.walk), &run) < 0 ||
	    skel->bss->walked_short)
		return 1;
	for (left = skel->bss->walked; left;) {
		uint32_t count = MIN(pages, DIV_ROUND_UP(left, ABI_TASKS_A_PAGE));
		size_t here;

		r = bpf_map_lookup_batch(bpf_map__fd(skel->maps.listed), before, &at, keys, records,
					 &count, NULL);
		if (!count || (r < 0 && r != -ENOENT))
			return r < 0 ? r : -EIO;
		here = MIN(left, (size_t)count * ABI_TASKS_A_PAGE);
		for (size_t i = 0; i < here; i++)
			fn(arg, &records[i]);
		left -= here;
		before = &at;
	}
	return 0;
}
