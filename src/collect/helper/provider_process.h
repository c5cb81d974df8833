/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that asks disks when the limits of their provider held them back, and its messages:
 * for provider*.c and tests. Questions and answers are packets of one size on a socket pair
 * (wire_pair()); numbers are of the machine's own size and order, for both sides are one program.
 */
#ifndef IOTOP_COLLECT_HELPER_PROVIDER_PROCESS_H
#define IOTOP_COLLECT_HELPER_PROVIDER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/sample.h"

#define PROVIDER_DISKS 128	/* that are asked; 128 volumes is what the largest machines have */
#define PROVIDER_PAGE 4096	/* bytes of a page of the log */

/* A disk that may tell, as /sys has it. */
struct provider_disk {
	uint32_t dev;		/* major << 20 | minor */
	char name[32];		/* the kernel's: "nvme1n1" */
};

struct provider_question {
	uint32_t disk;		/* its index */
};

struct provider_answer {
	uint32_t disk;
	int32_t error;		/* 0; -errno; above 0: the status of NVMe with which it refused */
	uint64_t at_ns;		/* CLOCK_MONOTONIC, when the disk answered */
	uint64_t exceeded_us[LIMIT_COUNT];	/* since the disk is there */
};

/*
 * Reads a page of the log into an answer. 0; -EPROTO: it is no such page, ret is untouched.
 *
 * The page is number 0xD0 of the NVMe disks of Amazon EC2, little endian: a magic number of 32
 * bits, 32 bits reserved, and counters of 64 bits, of which the four at byte 56 are microseconds in
 * which more was asked than the IOPS and the throughput of the volume allow, and the same of the
 * machine. Volumes (EBS) have one magic number; disks inside of the machine have another, and no
 * limits of a volume.
 */
int provider_page(const void *page, size_t len, struct provider_answer *ret);

/*
 * Whether an error is for good: the disk is gone, must not be opened, has another page there, or
 * says that the command is not to be tried again (DNR). A lost path to the disk says that not.
 */
bool provider_is_final(int error);

/* Puts the page of an open disk into room for PROVIDER_PAGE bytes. As provider_answer.error. */
typedef int provider_ask(int fd, void *page);

/*
 * Answers questions about n open disks (-errno: why it could not be opened) until the other side
 * is gone, or sends what is no question. A disk is closed with its final error.
 */
void provider_serve(int socket, int *fds, size_t n, provider_ask *ask);
/*
 * Opens the disks below the folder dev ("/dev"), gives up all but asking them, and serves. The
 * socket is DESCRIPTOR_FIRST, and no other descriptor is open.
 */
void provider_run(const char *dev, const struct provider_disk *disks, size_t n);

#endif
