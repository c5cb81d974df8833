/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of a sample (data/sample_row.h) about the machine, its memory and the servers it uses. */
#ifndef IOTOP_DATA_SAMPLE_SYSTEM_H
#define IOTOP_DATA_SAMPLE_SYSTEM_H

#include <stdint.h>

/* One row. */
struct sample_system {
	const char *host, *release, *machine;
	uint64_t ncpu;
	uint64_t delayacct;	/* kernel.task_delayacct: 0, 1; 2: no such switch */
	uint64_t tasks;		/* threads alive */
	uint64_t swap_in, swap_out;	/* pages, cumulative */
	uint64_t page_size;
	uint64_t psi_some_us, psi_full_us;	/* /proc/pressure/io total */
	uint64_t psi;		/* 1 when PSI is there */
	uint64_t load1, load5, load15;	/* hundredths */
	uint64_t vmstat;	/* 1: what follows up to steal_direct was in /proc/vmstat */
	uint64_t dirty, writeback;	/* pages now, not cumulative */
	uint64_t dirty_threshold, dirty_background_threshold;	/* the same */
	uint64_t refault_file, refault_anon;	/* pages read back that had just been evicted */
	uint64_t scan_direct, steal_direct;	/* pages looked at and freed by tasks that needed
						 * memory (direct reclaim) */
	uint64_t psi_memory_some_us, psi_memory_full_us;	/* /proc/pressure/memory total */
	uint64_t psi_memory;	/* 1: these two are there */
	const char *trigger;	/* --when, while it had more sources on; NULL: it had not */
};

enum memory_have {
	MEMORY_REFAULTS = 1u << 0,
	MEMORY_LIMITS = 1u << 1,
	MEMORY_PSI = 1u << 2,
	MEMORY_EVICTED = 1u << 3,
};

/* A control group that tasks with I/O are in: its memory, its pressure, its limits. */
struct sample_memory {
	uint64_t cgroup;	/* as in sample_task */
	uint32_t have;		/* enum memory_have: what is known */
	uint64_t refault_file, refault_anon;	/* bytes read back that had just been evicted */
	uint64_t high, max;	/* times that memory.high, memory.max of it or of one above was
				 * reached */
	uint64_t psi_some_us, psi_full_us;	/* io.pressure, total */
	uint64_t evicted;	/* bytes that were taken from it, written back or not */
	const char *limits;	/* all that hold for it, "io.max rbps=1000; memory.max 1 GiB";
				 * NULL: none */
};

/* What the kernel counts for such a control group at a disk (io.stat), with the groups below it. */
struct sample_groupdisk {
	uint64_t cgroup;	/* as in sample_memory */
	uint64_t dev;		/* the disk, as in sample_io */
	uint64_t read, write;	/* bytes */
	uint64_t rios, wios;
};

enum mount_have {
	MOUNT_WAITING = 1u << 0,
	MOUNT_CALLS = 1u << 1,	/* all that is cumulative */
};

/* A file system that a server answers for: NFS, FUSE, 9p, … */
struct sample_mount {
	uint32_t dev;		/* its number; of a disk for some of FUSE */
	uint32_t have;		/* enum mount_have: what is known */
	const char *kind;	/* of file system: nfs4, fuse.sshfs, 9p */
	const char *source;	/* server:/path, or what else was said when it was mounted */
	const char *point;	/* mount point */
	uint64_t waiting;	/* calls that go on now, of NFS all to its server: not cumulative */
	uint64_t answers;	/* of its server, to this mount or others */
	uint64_t calls, errors;	/* ended; of these with an error */
	uint64_t ns, rtt_ns;	/* sum of calls from begin to end, from sending to the answer */
	uint64_t retrans;	/* times that a call was sent again */
	uint64_t read, write;	/* bytes from and to the server */
	uint32_t server;	/* process of this machine that answers; 0: not known, or none */
	const char *server_comm;	/* its main thread's; NULL: as above */
};

#endif
