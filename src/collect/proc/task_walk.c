/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/proc/task_walk.h"

#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/tasks/tasks.skel.h"
#include "collect/actions.h"
#include "collect/bpf/kernel.h"
#include "collect/proc/proc.h"

#define FEWEST 4096
/*
 * Who sleeps can be given another priority for I/O, name or control group by others, or another
 * parent: they are no older than that, ns.
 */
#define WHOLE_EVERY 5000000000ULL
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

int task_walk_open(struct task_walk *w, struct tasks_bpf *skel)
{
	*w = (struct task_walk){ .skel = skel };
	return bpf_window_open(&w->window, skel->maps.listed, sizeof(struct abi_task_page));
}

void task_walk_close(struct task_walk *w)
{
	bpf_window_close(&w->window);
}

/* Whether what others change of a task that sleeps may be another since it was read. */
static bool is_stale(const struct task_walk *w, uint64_t now, bool delays)
{
	return !w->whole || now - w->whole >= WHOLE_EVERY || w->delays != delays ||
	       w->changes != actions_changes();
}

static struct abi_task *task_at(const struct task_walk *w, size_t i)
{
	struct abi_task_page *pages = w->window.memory;

	return &pages[i / ABI_TASKS_A_PAGE].task[i % ABI_TASKS_A_PAGE];
}

/* Runs the program. False: not all tasks are there. */
static bool walk_run(struct task_walk *w, bool whole)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	size_t before = w->tasks, pages;

	w->skel->bss->walk_whole = whole;
	if (bpf_prog_test_run_opts(bpf_program__fd(w->skel->progs.walk), &run) < 0)
		return false;
	w->tasks = w->skel->bss->walked;
	pages = DIV_ROUND_UP(w->tasks, ABI_TASKS_A_PAGE);
	bpf_window_map_up_to(&w->window, pages * sizeof(struct abi_task_page));
	/* Nobody looked at those behind: whoever is there again later may have done something. */
	for (size_t i = w->tasks; i < before; i++)
		task_at(w, i)->flags = 0;
	return !w->skel->bss->walked_short &&
	       w->window.mapped >= pages * sizeof(struct abi_task_page);
}

int task_walk(struct task_walk *w, bool delays, void (*fn)(void *arg, const void *task), void *arg)
{
	uint64_t now = clock_mono();
	bool whole = is_stale(w, now, delays);

	if (!walk_run(w, whole))
		return 1;
	if (whole) {
		w->whole = now;
		w->changes = actions_changes();
		w->delays = delays;
	}
	for (size_t i = 0; i < w->tasks; i++)
		fn(arg, task_at(w, i));
	return 0;
}
