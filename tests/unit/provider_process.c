/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that asks disks for the limits of their provider: the page of their log, what it is
 * asked and answers, what it may do, and where there is one.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/clock.h"
#include "base/macro.h"
#include "collect/helper/provider.h"
#include "collect/helper/provider_process.h"
#include "collect/helper/sandbox.h"
#include "collect/helper/wire.h"
#include "collect/privilege.h"
#include "folder.h"

#define VOLUME 0x3c23b510u
#define INSTANCE 0xec2c0d7eu
#define SEC NSEC_PER_SEC
#define DEV(minor) (259u << 20 | (minor))

static const struct provider_disk disks[] = { { DEV(0), "nvme0n1" }, { DEV(1), "nvme1n1" } };

static void put32(unsigned char *page, size_t at, uint32_t v)
{
	v = htole32(v);
	memcpy(page + at, &v, sizeof(v));
}

static void put64(unsigned char *page, size_t at, uint64_t v)
{
	v = htole64(v);
	memcpy(page + at, &v, sizeof(v));
}

/* As a disk has it: operations, bytes and times before what counts here, more behind it. */
static void page_fill(unsigned char *page, uint32_t magic, uint64_t first)
{
	memset(page, 0xa5, PROVIDER_PAGE);
	put32(page, 0, magic);
	for (size_t i = 0; i < 6; i++)
		put64(page, 8 + 8 * i, 1000 + i);
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		put64(page, 56 + 8 * i, first + i);
	put64(page, 88, 32);
}

START_TEST(pages)
{
	const struct provider_answer before = { .exceeded_us = { 9, 9, 9, 9 } };
	unsigned char page[PROVIDER_PAGE];
	struct provider_answer a = before;

	page_fill(page, VOLUME, 5000000000);
	ck_assert_int_eq(provider_page(page, sizeof(page), &a), 0);
	for (uint64_t i = 0; i < LIMIT_COUNT; i++)
		ck_assert_uint_eq(a.exceeded_us[i], 5000000000 + i);
	page_fill(page, INSTANCE, 70);
	ck_assert_int_eq(provider_page(page, sizeof(page), &a), 0);
	ck_assert_uint_eq(a.exceeded_us[LIMIT_VOLUME_IOPS], 0);
	ck_assert_uint_eq(a.exceeded_us[LIMIT_VOLUME_THROUGHPUT], 0);
	ck_assert_uint_eq(a.exceeded_us[LIMIT_INSTANCE_IOPS], 72);
	ck_assert_uint_eq(a.exceeded_us[LIMIT_INSTANCE_THROUGHPUT], 73);
	/* None of theirs, or not all of it. */
	a = before;
	page_fill(page, VOLUME + 1, 70);
	ck_assert_int_eq(provider_page(page, sizeof(page), &a), -EPROTO);
	memset(page, 0, sizeof(page));
	ck_assert_int_eq(provider_page(page, sizeof(page), &a), -EPROTO);
	page_fill(page, VOLUME, 70);
	ck_assert_int_eq(provider_page(page, 87, &a), -EPROTO);
	ck_assert_mem_eq(&a, &before, sizeof(a));
	ck_assert_int_eq(provider_page(page, 88, &a), 0);
}
END_TEST

START_TEST(models)
{
	ck_assert(provider_model("Amazon Elastic Block Store              "));
	ck_assert(provider_model("Amazon EC2 NVMe Instance Storage"));
	ck_assert(!provider_model("Amazon"));
	ck_assert(!provider_model("QEMU NVMe Ctrl"));
	ck_assert(!provider_model(""));
	ck_assert(!provider_model(NULL));
}
END_TEST

static int sockets[2];
static struct provider *provider;

static void setup(void)
{
	folder_setup();
	ck_assert_int_eq(wire_pair(sockets), 0);
	provider = provider_at(sockets[0], disks, 2);
}

static void teardown(void)
{
	provider_stop(provider);
	close(sockets[1]);
	folder_teardown();
}

static int ask_page(int fd, void *page)
{
	static uint64_t us;

	if (fd == sockets[1] + 1000)
		return 0x4109;
	page_fill(page, VOLUME, us += 1000000);
	return 0;
}

/* Answers questions in a process that has given up what the real one gives up. */
static pid_t serve(void)
{
	pid_t pid = fork();
	int fds[2] = { sockets[1], sockets[1] + 1000 };

	if (pid)
		return pid;
	close(sockets[0]);
	sandbox_enter(SANDBOX_LOG_PAGE);
	provider_serve(sockets[1], fds, 2, ask_page);
	_exit(3);
}

static int lose_path(int fd, void *page)
{
	return 0x370;
}

static int lose_disk(int fd, void *page)
{
	return -ENODEV;
}

/* What may come back stays open; what will not is closed, for its number is to be free. */
START_TEST(closes_what_is_gone)
{
	struct provider_question q = { .disk = 0 };
	struct provider_answer a;

	for (int i = 0; i < 2; i++) {
		int fds[2] = { open("/dev/null", O_RDONLY), -EACCES };

		ck_assert_int_eq(send(sockets[0], &q, sizeof(q), 0), sizeof(q));
		ck_assert_int_eq(send(sockets[0], "end", 3, 0), 3);
		provider_serve(sockets[1], fds, 2, i ? lose_disk : lose_path);
		ck_assert_int_eq(recv(sockets[0], &a, sizeof(a), 0), sizeof(a));
		ck_assert_int_eq(a.error, i ? -ENODEV : 0x370);
		ck_assert_int_eq(fds[0] < 0, i);
	}
}
END_TEST

/* All of it but the disk: asked twice it tells of the time between. */
START_TEST(told)
{
	struct provider_counts c = { 0 };
	pid_t pid = serve();
	uint64_t now = clock_mono();
	int status;

	/* Rounds of a day each: one a turn, once it has answered. */
	for (uint64_t i = 0; !c.told_ns; i++) {
		provider_turn(provider, now + i * 24 * 3600 * SEC);
		provider_get(provider, DEV(0), now, &c);
		usleep(1000);
	}
	ck_assert_uint_le(c.exceeded_ns[LIMIT_VOLUME_IOPS], c.told_ns);
	ck_assert_uint_gt(c.exceeded_ns[LIMIT_INSTANCE_THROUGHPUT], 0);
	ck_assert_int_eq(provider_get(provider, DEV(1), now, &c), LIMITS_SILENT);
	provider_stop(provider);
	provider = NULL;
	close(sockets[1]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}
END_TEST

static void closes_no_question(const void *data, size_t len)
{
	pid_t pid = serve();
	int status;

	ck_assert_int_eq(send(sockets[0], data, len, 0), (int)len);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

START_TEST(is_no_question)
{
	const struct provider_question beyond = { .disk = 2 };

	closes_no_question(&beyond, sizeof(beyond));
	closes_no_question("abc", 3);
}
END_TEST

#if defined(HAVE_SECCOMP) && !UNIT_SANITIZED

/* Of the process that asks: nothing but to ask, to whatever is open. */
START_TEST(may_do_nothing_else)
{
	pid_t pid = fork();
	char c;
	int status;

	if (!pid) {
		int fd = open("/dev/null", O_RDWR);

		sandbox_enter(SANDBOX_LOG_PAGE);
		/* NVME_IOCTL_ADMIN_CMD, of which the device has never heard. */
		if (fd <= 3 || ioctl(fd, 0xc0484e41, &c) != -1 || errno != ENOTTY)
			_exit(1);
		if (ioctl(0, 0xc0484e41, &c) != -1 || errno != ENOSYS)
			_exit(2);
		if (ioctl(fd, 0xc0484e43, &c) != -1 || errno != ENOSYS)
			_exit(3);
		if (open("/dev/null", O_RDONLY) != -1 || errno != EACCES)
			_exit(4);
		if (socket(AF_UNIX, SOCK_STREAM, 0) != -1 || fork() != -1 || dup(fd) != -1)
			_exit(5);
		if (pread(fd, &c, 1, 0) != -1 || unlink("/nonexistent") != -1 || errno != ENOSYS)
			_exit(6);
		if (syscall(SYS_mount, "", "", "", 0, "") != -1 || errno != ENOSYS)
			_exit(7);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

#endif

static void make_disk(const char *name, const char *model, const char *dev, const char *hidden)
{
	const char *const files[][2] = { { "device/model", model }, { "dev", dev },
					 { "hidden", hidden } };
	char path[60];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "block/%s/%s", name, files[i][0]);
		write_text(path, files[i][1]);
	}
}

/* Only where there is such a disk there is a process; what has its name is not asked. */
START_TEST(found)
{
	const char volume[] = "Amazon Elastic Block Store              \n";
	struct provider_counts c;
	struct provider *p;

	ck_assert_ptr_null(provider_start(folder, folder));
	make_disk("nvme0n1", "QEMU NVMe Ctrl\n", "259:0\n", "0\n");
	make_disk("sda", volume, "8:0\n", "0\n");
	make_disk("nvme3c1n1", volume, "259:9\n", "1\n");
	ck_assert_ptr_null(provider_start(folder, folder));
	make_disk("nvme1n1", volume, "259:1\n", "0\n");
	write_file("nvme1n1", "", 0);
	p = provider_start(folder, folder);
	ck_assert_ptr_nonnull(p);
	if (!privilege_permitted(PRIV_LOG_PAGE)) {
		ck_assert_int_eq(provider_get(p, DEV(1), SEC, &c), LIMITS_DENIED);
	} else {
		for (unsigned i = 0; i < 3; i++) {
			provider_turn(p, clock_mono() + i * 100 * SEC);
			usleep(10000);
		}
		ck_assert_int_eq(provider_get(p, DEV(1), clock_mono(), &c), LIMITS_SILENT);
	}
	provider_stop(p);
}
END_TEST

#if defined(HAVE_SECCOMP) && !UNIT_SANITIZED
#define FILTERED may_do_nothing_else,
#else
#define FILTERED
#endif

UNIT_FIXTURE_MAIN("provider process", setup, teardown, FILTERED pages, models, told, is_no_question,
		  closes_what_is_gone, found)
