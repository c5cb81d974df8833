/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The row of a disk in a sample. A part of data/sample_row.h, which says what holds for it. */
#ifndef IOTOP_DATA_SAMPLE_DISK_H
#define IOTOP_DATA_SAMPLE_DISK_H

#include <stdint.h>

enum disk_flag {
	DISK_PARTITION = 1u << 0,
	DISK_LOWEST = 1u << 1,	/* nothing below it: its bytes are summed */
	DISK_ROTATIONAL = 1u << 2,
	DISK_REMOVABLE = 1u << 3,
	DISK_GONE = 1u << 4,	/* known to the block maps, not in /proc/diskstats any more */
};

/* Whether a disk tells when the limits of its provider hold it back. */
enum disk_limits {
	LIMITS_NONE,	/* it is none of those that do */
	LIMITS_TOLD,
	LIMITS_DENIED,	/* not without CAP_SYS_ADMIN */
	LIMITS_SILENT,	/* it has not answered yet, does not, or came after the start */
};

/* These limits: of a volume, and of the machine (instance) for all of its volumes. */
enum disk_limit {
	LIMIT_VOLUME_IOPS,
	LIMIT_VOLUME_THROUGHPUT,
	LIMIT_INSTANCE_IOPS,
	LIMIT_INSTANCE_THROUGHPUT,
	LIMIT_COUNT,
};

/* A line of /proc/diskstats, and what /sys and mountinfo say of the disk. */
struct sample_disk {
	uint32_t dev;		/* major << 20 | minor */
	uint32_t whole;		/* dev of the whole disk (itself when it is one) */
	uint32_t flags;		/* enum disk_flag */
	uint32_t limits;	/* enum disk_limits */
	uint32_t own;		/* the number of the file system mounted from it, where that is
				 * another than dev (btrfs, bcachefs); 0: there is none */
	const char *name;	/* kernel name: sda1, dm-0 */
	const char *label;	/* the name people use: vg-root, luks-…; NULL when there is none */
	const char *type;	/* disk part lvm crypt raid1 loop zram …; NULL unknown */
	const char *below;	/* space-separated kernel names this one lies on (slaves, the
				 * disk of a partition, a loop's disk) */
	const char *mounts;	/* mount points, newline-separated, octal escapes of mountinfo
				 * resolved */
	const char *kinds;	/* kinds of file system at these, newline-separated, each once */
	const char *sched;	/* scheduler and nr_requests: "mq-deadline 256"; NULL: without
				 * requests, or unknown */
	uint64_t size;		/* bytes */
	/* /proc/diskstats, in its order and its units (sectors of 512 bytes, ms) */
	uint64_t rd_ios, rd_merges, rd_sectors, rd_ms;
	uint64_t wr_ios, wr_merges, wr_sectors, wr_ms;
	uint64_t in_flight, io_ms, weighted_ms;
	uint64_t dc_ios, dc_merges, dc_sectors, dc_ms;
	uint64_t fl_ios, fl_ms;
	/* The time that the disk told of, and of this how long each limit was exceeded. */
	uint64_t limits_ns;
	uint64_t volume_iops_ns, volume_throughput_ns;
	uint64_t instance_iops_ns, instance_throughput_ns;
};

#endif
