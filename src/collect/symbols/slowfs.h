/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * File systems on which opening a file waits for a server or another process, which may never
 * answer.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_SLOWFS_H
#define IOTOP_COLLECT_SYMBOLS_SLOWFS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/hash.h"

struct slowfs {
	const char *proc;	/* borrowed */
	struct hash known;	/* by device */
	uint64_t read_at;	/* CLOCK_MONOTONIC ns of the last reading of our own mounts */
	struct buf text;
};

void slowfs_init(struct slowfs *s, const char *proc);
void slowfs_release(struct slowfs *s);
/*
 * Whether files of this device (major << 32 | minor, as /proc/PID/maps has it) may keep us waiting;
 * tgid: a process that sees it, perhaps in mounts of its own. A device without a disk that is
 * mounted nowhere we see is one of them.
 */
bool slowfs_has(struct slowfs *s, uint64_t dev, uint32_t tgid);

#endif
