// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/provider_process.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/macro.h"
#include "collect/helper/descriptors.h"
#include "collect/helper/sandbox.h"
#include "collect/privilege.h"

#define GET_LOG_PAGE 0x02	/* admin command of NVMe */
#define LOG_PAGE 0xd0		/* one of those that are the vendor's */
#define NAMESPACE 1		/* the only one that these disks have */
#define VOLUME_MAGIC 0x3c23b510u
#define INSTANCE_MAGIC 0xec2c0d7eu
#define DO_NOT_RETRY 0x4000	/* of a status, as the kernel returns it */
#define EXCEEDED 56		/* bytes before the first of the four counters */
/*
 * The kernel resets a controller that lets an admin command time out (nvme_timeout()), also one of
 * a process that only looks on. So this one has a day; 0 would be nvme_core.admin_timeout, 60 s.
 */
#define TIMEOUT_MS (24u * 60 * 60 * 1000)

int provider_page(const void *page, size_t len, struct provider_answer *ret)
{
	const unsigned char *from = (const unsigned char *)page + EXCEEDED;
	uint32_t magic;
	uint64_t n;

	if (len < EXCEEDED + LIMIT_COUNT * sizeof(n))
		return -EPROTO;
	memcpy(&magic, page, sizeof(magic));
	magic = le32toh(magic);
	if (magic != VOLUME_MAGIC && magic != INSTANCE_MAGIC)
		return -EPROTO;
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		memcpy(&n, from + i * sizeof(n), sizeof(n));
		if (magic == INSTANCE_MAGIC && i < LIMIT_INSTANCE_IOPS)
			n = 0;
		ret->exceeded_us[i] = le64toh(n);
	}
	return 0;
}

bool provider_is_final(int error)
{
	static const int final[] = { EPROTO, ENODEV, ENXIO, ENOENT, EACCES, EPERM };

	for (size_t i = 0; i < ARRAY_SIZE(final); i++)
		if (error == -final[i])
			return true;
	return error > 0 && error & DO_NOT_RETRY;
}

/* CAP_SYS_ADMIN: the kernel lets nobody else ask for a page of the vendor. */
static int ask_device(int fd, void *page)
{
	struct nvme_passthru_cmd cmd = {
		.opcode = GET_LOG_PAGE,
		.nsid = NAMESPACE,
		.addr = (uint64_t)(uintptr_t)page,
		.data_len = PROVIDER_PAGE,
		/* The number of words of 32 bits, less one. */
		.cdw10 = LOG_PAGE | (PROVIDER_PAGE / 4 - 1) << 16,
		.timeout_ms = TIMEOUT_MS,
	};
	int r;

	privilege_raise(PRIV_LOG_PAGE);
	r = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &cmd);
	r = r < 0 ? -errno : r;
	privilege_lower();
	return r;
}

static void answer(struct provider_answer *a, int *fd, provider_ask *ask)
{
	static unsigned char page[PROVIDER_PAGE] __attribute__((aligned(PROVIDER_PAGE)));

	if (*fd < 0) {
		a->error = *fd;
		return;
	}
	memset(page, 0, sizeof(page));
	a->error = ask(*fd, page);
	a->at_ns = clock_mono();
	if (!a->error)
		a->error = provider_page(page, sizeof(page), a);
	/* As long as it is open its name and number stay taken. */
	if (provider_is_final(a->error)) {
		close(*fd);
		*fd = a->error;
	}
}

void provider_serve(int socket, int *fds, size_t n, provider_ask *ask)
{
	struct provider_question q;
	ssize_t len;

	while ((len = read(socket, &q, sizeof(q))) == sizeof(q) || (len < 0 && errno == EINTR)) {
		struct provider_answer a = { .disk = q.disk };

		if (len < 0)
			continue;
		if (q.disk >= n)
			return;
		answer(&a, &fds[q.disk], ask);
		if (write(socket, &a, sizeof(a)) != sizeof(a))
			return;
	}
}

/* The disk's node, and nothing else that may have its name. */
static int open_disk(int dir, const struct provider_disk *disk)
{
	int fd = openat(dir, disk->name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) && st.st_uid == 0 &&
	    st.st_rdev == makedev(disk->dev >> 20, disk->dev & 0xfffff))
		return fd;
	close(fd);
	return -ENODEV;
}

void provider_run(const char *dev, const struct provider_disk *disks, size_t n)
{
	int fds[PROVIDER_DISKS], dir = open(dev, O_PATH | O_DIRECTORY | O_CLOEXEC);
	uint64_t before = privilege_raise(PRIV_FILES);

	for (size_t i = 0; i < n; i++)
		fds[i] = dir < 0 ? -ENOENT : open_disk(dir, &disks[i]);
	privilege_restore(before);
	fd_close(dir);
	sandbox_enter(SANDBOX_LOG_PAGE);
	provider_serve(DESCRIPTOR_FIRST, fds, n, ask_device);
}
