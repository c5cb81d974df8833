/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In which order I/O is queued. */
#ifndef IOTOP_BPF_ABI_PATTERN_H
#define IOTOP_BPF_ABI_PATTERN_H

#include <linux/types.h>

/*
 * In which order reads or writes were queued, while it was counted: by the index of their counter,
 * behind these by disk and operation.
 */
struct abi_pattern {
	__u64 next;		/* the sector behind the last one */
	__u64 ios, sequential;	/* of these: began there, or ABI_PATTERN_WINDOW behind it at most */
	__u64 flagged;		/* reads: ahead; writes: somebody waits */
};
#define ABI_PATTERN_WINDOW 128	/* sectors: 64 KiB */
#define ABI_PATTERN_OF_DISK(disk, op) ((disk) * 2 + (op))
#define ABI_PATTERN_DISKS (ABI_DISKS * 2)
/* Behind these, by disk and operation: at which of so many places of the disk I/O begins. */
#define ABI_PLACES 32
#define ABI_PLACES_EACH 4	/* in an entry */
#define ABI_PLACES_OF_DISK(disk, op) \
	(ABI_PATTERN_OF_DISK(disk, op) * (ABI_PLACES / ABI_PLACES_EACH))
#define ABI_PATTERN_ALL \
	(ABI_PATTERN_DISKS + ABI_PATTERN_DISKS * (ABI_PLACES / ABI_PLACES_EACH))
/* BPF_F_INNER_MAP: arrays of any length fit; BPF_F_MMAPABLE. */
#define ABI_PATTERN_FLAGS (1u << 12 | 1u << 10)

#endif
