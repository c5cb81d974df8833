/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct taskstats of any kernel, and the netlink message it comes in. No system call: bytes in,
 * numbers out.
 */
#ifndef IOTOP_COLLECT_PROC_ACCT_H
#define IOTOP_COLLECT_PROC_ACCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What we read of a struct taskstats. */
struct acct {
	uint16_t version;
	char comm[33];
	int8_t nice;
	uint32_t uid, pid, ppid;
	uint32_t tgid;		/* 0: kernels before version 12 do not tell */
	uint64_t btime;		/* start, seconds since the epoch */
	uint64_t etime_us;	/* age */
	uint64_t blkio_ns, swapin_ns;
	uint64_t switches;	/* of context, voluntary and not: unchanged while a task sleeps */
	uint64_t read_bytes, write_bytes, cancelled_bytes;
};

/* -EINVAL when len is too short for what every version since 9 has. */
int acct_parse(const void *data, size_t len, struct acct *ret);

/* A message TASKSTATS_CMD_NEW. */
struct acct_message {
	bool has_task, has_group;
	uint32_t tid, tgid;	/* of the task, and of the group that ends with it */
	struct acct task;
};

/* The attributes behind the generic netlink header. 0, or -EINVAL when they are malformed. */
int acct_message_parse(const void *data, size_t len, struct acct_message *ret);

#endif
