/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where numbers come from. A column names the sources it needs; what nobody needs is not opened. */
#ifndef IOTOP_DATA_SOURCE_H
#define IOTOP_DATA_SOURCE_H

enum source {
	SRC_BLOCK = 1u << 0,		/* BPF at the block layer: bytes, counts, latency by task
					 * and disk */
	SRC_TASKS = 1u << 1,		/* the list of tasks with their identity: iter/task, else
					 * taskstats + /proc */
	SRC_TASKIO = 1u << 2,		/* I/O accounting of tasks (bytes read, dirtied,
					 * cancelled) */
	SRC_DELAYS = 1u << 3,		/* delay accounting: block I/O and swap-in delay; needs
					 * kernel.task_delayacct */
	SRC_WAITS = 1u << 4,		/* the same waits taken at the scheduler, without a
					 * sysctl */
	SRC_THROTTLE = 1u << 5,		/* time in balance_dirty_pages */
	SRC_EXITS = 1u << 6,		/* tasks that ended between two samples */
	SRC_DISKS = 1u << 7,		/* /proc/diskstats, topology, mounts */
	SRC_SYSTEM = 1u << 8,		/* swap, paging, PSI, load */
	SRC_CMDLINE = 1u << 9,		/* full command lines, read for rows that are shown */
	SRC_NAMES = 1u << 10,		/* user and cgroup names */
	SRC_HIST = 1u << 11,		/* latency histograms per disk and operation */
	SRC_FILES = 1u << 12,		/* files behind the I/O */
	SRC_STACKS = 1u << 13,		/* kernel and user stacks at submission */
	SRC_OFFCPU = 1u << 14,		/* who blocked, where, woken by whom */
	SRC_LAYERS = 1u << 15,		/* latency at system call, VFS, file system, page cache,
					 * queue and device */
	SRC_CALLERS = 1u << 16,		/* which tasks and files that is of */
	SRC_MEMSTALL = 1u << 17,	/* time in which tasks were stalled for memory */
	SRC_MOUNTS = 1u << 18,		/* file systems that servers answer for */
	SRC_MEMORY = 1u << 19,		/* memory of the control groups of tasks with I/O */
	SRC_EVENTS = 1u << 20,		/* single requests, as they end */
	SRC_CALLS = 1u << 21,		/* single calls, among these */
	SRC_PATTERN = 1u << 22,		/* in which order I/O is queued, and for whom it is not */
};

#define SRC_COUNT 23

/* Those that cost much while they are on: each I/O, call or switch of a task is followed. */
#define SRC_DEAR (SRC_FILES | SRC_STACKS | SRC_OFFCPU | SRC_LAYERS | SRC_CALLERS)

/* Why a source is off in a recording that does not have it. */
extern const char source_unrecorded[];

/* "block", "tasks", …: the keys of `sources` in the JSON. */
const char *source_name(enum source s);

#endif
