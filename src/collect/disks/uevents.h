/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel tells when a block device changed: its name, its file, what it lies on. */
#ifndef IOTOP_COLLECT_DISKS_UEVENTS_H
#define IOTOP_COLLECT_DISKS_UEVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A socket for the messages, or a negative errno. */
int uevents_open(void);
/*
 * Calls changed(dev, arg) for each message on a block device that came since. False: some were
 * lost, any device may have changed.
 */
bool uevents_read(int fd, void (*changed)(uint32_t dev, void *arg), void *arg);
/*
 * The block device (major << 20 | minor) that a message is on, 0: none. Lines that end with a NUL,
 * the last one at least at len.
 */
uint32_t uevent_disk(const char *text, size_t len);

#endif
