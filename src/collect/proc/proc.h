/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Readers of the texts of /proc. They take any bytes (NUL-terminated) and never fail on what they
 * do not know.
 */
#ifndef IOTOP_COLLECT_PROC_PROC_H
#define IOTOP_COLLECT_PROC_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "data/sample.h"

#define PROC_COMM_MAX 64	/* kernel threads have names longer than TASK_COMM_LEN */

/* /proc/PID/stat */
struct proc_stat {
	uint32_t pid, ppid;
	char comm[PROC_COMM_MAX];
	char state;
	bool kthread, exiting;
	int64_t nice;
	uint64_t threads;
	uint64_t faults;	/* minor and major */
	uint64_t cpu;		/* user and system, clock ticks */
	uint64_t start;		/* since boot, clock ticks */
	uint64_t blkio;		/* waited for block I/O, clock ticks; 0 without delay accounting */
};

int proc_stat_parse(const char *text, struct proc_stat *ret);

/* /proc/PID/io */
struct proc_io {
	uint64_t rchar, wchar;
	uint64_t read_bytes, write_bytes, cancelled_bytes;
};

int proc_io_parse(const char *text, struct proc_io *ret);

/* The real user of /proc/PID/status. */
int proc_status_uid(const char *text, uint32_t *ret);

/*
 * The cgroup of /proc/PID/cgroup that says most: the unified one unless all are in its root, else
 * systemd's, blkio's. ret_path points into text and is ret_len long; ret_unified says whether it is
 * the unified hierarchy.
 */
int proc_cgroup_parse(const char *text, const char **ret_path, size_t *ret_len, bool *ret_unified);

/* Value of "name value" in a text like /proc/vmstat. */
int proc_value(const char *text, const char *name, uint64_t *ret);

/* /proc/pressure/io: totals in µs. */
int proc_pressure_parse(const char *text, uint64_t *ret_some, uint64_t *ret_full);

/* /proc/loadavg: hundredths, and the threads alive. */
int proc_loadavg_parse(const char *text, uint64_t ret_load[static 3], uint64_t *ret_tasks);

/*
 * One line of /proc/diskstats, *p moves behind it. The counters, dev and the name's place; 1, 0 at
 * the end, -EINVAL: skipped.
 */
int proc_diskstats_line(const char **p, struct sample_disk *ret, const char **ret_name,
			size_t *ret_len);

/* One line of /proc/PID/mountinfo. Strings point into the line, still escaped. */
struct proc_mount {
	uint32_t dev;		/* major << 20 | minor */
	const char *root, *point, *fstype, *source, *super;
	size_t root_len, point_len, fstype_len, source_len, super_len;
};

int proc_mountinfo_line(const char **p, struct proc_mount *ret);
/* Octal escapes resolved into out (room for len + 1). */
void proc_unescape(char *out, const char *s, size_t len);
/* The same into memory of its own, which is the caller's. */
static inline char *proc_unescaped(const char *s, size_t len)
{
	char *out = mem_alloc(len + 1);

	proc_unescape(out, s, len);
	return out;
}

/* Nanoseconds of a clock tick as /proc counts them. */
uint64_t proc_tick_ns(void);
/* Tells base/clock.h of the time namespace of this process. */
void proc_read_clocks(void);
/* What this process does not see for its pid namespace, or NULL. */
const char *proc_namespace_limit(int proc);
/* A new O_PATH descriptor of a folder, or -errno. */
int proc_dir(const char *path);
/* The same of a process, below the folder proc. */
int proc_pid_dir(const char *proc, uint32_t tgid);

#endif
