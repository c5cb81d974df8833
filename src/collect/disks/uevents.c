// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/disks/uevents.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netlink.h>

#include "base/parse.h"

#define GROUP_KERNEL 1
/* The kernel's own limit is 2048 for the variables, and the path. */
#define MESSAGE_MAX 8192

int uevents_open(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = GROUP_KERNEL };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	return fd < 0 ? -errno : fd;
}

uint32_t uevent_disk(const char *text, size_t len)
{
	uint64_t number[2] = { 0 };
	bool block = false;

	for (const char *line = text, *next; line < text + len; line = next) {
		next = line + strnlen(line, (size_t)(text + len - line)) + 1;
		if (next > text + len)
			break;
		if (!strcmp(line, "SUBSYSTEM=block"))
			block = true;
		else if (!strncmp(line, "MAJOR=", 6))
			parse_u64(line + 6, &number[0]);
		else if (!strncmp(line, "MINOR=", 6))
			parse_u64(line + 6, &number[1]);
	}
	return block ? (uint32_t)number[0] << 20 | ((uint32_t)number[1] & 0xfffff) : 0;
}

bool uevents_read(int fd, void (*changed)(uint32_t dev, void *arg), void *arg)
{
	char text[MESSAGE_MAX];
	bool all = true;

	for (;;) {
		struct sockaddr_nl from = { 0 };
		socklen_t size = sizeof(from);
		ssize_t n = recvfrom(fd, text, sizeof(text), 0, (struct sockaddr *)&from, &size);
		uint32_t dev;

		if (n < 0 && errno == ENOBUFS) {
			all = false;
			continue;
		}
		if (n < 0)
			return all;
		/* Who may do so can send, too: the kernel has no port. */
		dev = from.nl_pid ? 0 : uevent_disk(text, (size_t)n);
		if (dev)
			changed(dev, arg);
	}
}
