// SPDX-License-Identifier: GPL-2.0-or-later
/* The mount table with files below /dev: which of them are looked at, and where nothing leads. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collect/disks/beneath.h"
#include "collect/disks/mounts.h"
#include "folder.h"

#define DEV(maj, min) ((uint32_t)(maj) << 20 | (min))

static int dev = -1;

/* /dev as udev makes it, beside what somebody else made. Device files only by root. */
static void setup(void)
{
	folder_setup();
	mkdir(path_of("dev"), 0700);
	mkdir(path_of("dev/vg"), 0700);
	mkdir(path_of("out"), 0700);
	write_file("dev/plain", "", 0);
	write_file("out/plain", "", 0);
	ck_assert_int_eq(symlink("../plain", path_of("dev/vg/link")), 0);
	ck_assert_int_eq(symlink("../out/plain", path_of("dev/leads-out")), 0);
	ck_assert_int_eq(symlink("/proc/self/exe", path_of("dev/absolute")), 0);
	ck_assert_int_eq(symlink("../out", path_of("dev/folder")), 0);
	dev = open(path_of("dev"), O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(dev, 0);
}

static void teardown(void)
{
	close(dev);
	folder_teardown();
}

/* 0, or what it failed with. */
static int try(const char *path)
{
	int fd = beneath_open(dev, path, O_PATH, true);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void never_out(void)
{
	static const char *const out[] = {
		"../out/plain", "vg/../../out/plain", "leads-out", "absolute",
		"folder/plain", "/etc/passwd", "vg/../..", "..",
	};

	for (size_t i = 0; i < ARRAY_SIZE(out); i++)
		ck_assert_msg(try(out[i]) < 0, "%s leads out", out[i]);
	ck_assert_int_eq(try("plain"), 0);
	ck_assert_int_eq(try("vg"), 0);
	ck_assert_int_eq(try("nothing"), -ENOENT);
	ck_assert_int_eq(try("plain/x"), -ENOTDIR);
}

START_TEST(nothing_leads_out)
{
	never_out();
	ck_assert_int_eq(try("vg/link"), 0);
}
END_TEST

/* As a kernel before 5.6. */
static void without_openat2(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { .len = ARRAY_SIZE(code), .filter = code };

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		return;
	ck_assert(syscall(SYS_openat2, dev, "plain", NULL, 0) < 0 && errno == ENOSYS);
}

START_TEST(nothing_leads_out_of_an_old_kernel)
{
	without_openat2();
	never_out();
	/* No link at all. */
	ck_assert_int_lt(try("vg/link"), 0);
}
END_TEST

START_TEST(other_mounts_are_not_entered)
{
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	ck_assert_int_eq(beneath_open(root, "proc/version", O_PATH, true), -EXDEV);
	without_openat2();
	ck_assert_int_eq(beneath_open(root, "proc/version", O_PATH, true), -EXDEV);
	close(root);
}
END_TEST

static const char table[] = "27 1 8:2 / / rw - ext4 /dev/root rw\n"
			    "28 27 0:30 / /data rw - btrfs /dev/vg/lv rw\n"
			    "29 27 0:31 / /users/x/a rw - fuse.prog /dev/vg/lv rw\n"
			    "30 27 0:32 / /users/x/b rw - btrfs /dev/../out/node rw\n"
			    "31 27 8:17 / /windows rw - fuseblk /dev/sdb1 rw\n"
			    "32 27 0:33 / /net rw - nfs server:/x rw\n"
			    "33 32 8:33 / /net/disk rw - xfs /dev/sdc1 rw\n"
			    "34 27 0:34 / /tmp rw - tmpfs tmpfs rw\n"
			    "35 27 8:49 / /shared rw - gfs2 /dev/sdd1 rw\n"
			    "36 27 0:35 / /merged rw - overlay overlay rw\n";

static const struct mount *at(const struct mounts *m, const char *point)
{
	for (size_t i = 0; i < m->n; i++)
		if (!strcmp(m->items[i].point, point))
			return &m->items[i];
	ck_abort_msg("no mount at %s", point);
	return NULL;
}

/* Only the sources of disk file systems are looked at, only below /dev. */
START_TEST(sources_are_disks)
{
	struct disk_node *lv = disk_node_new(DEV(253, 7), "dm-7", 4),
			 *out = disk_node_new(DEV(253, 8), "dm-8", 4);
	struct mounts m = { 0 };

	if (mknod(path_of("dev/dm-7"), S_IFBLK | 0600, makedev(253, 7)) ||
	    mknod(path_of("out/node"), S_IFBLK | 0600, makedev(253, 8)))
		return;
	ck_assert_int_eq(symlink("../dm-7", path_of("dev/vg/lv")), 0);
	mounts_parse(&m, table, dev);
	ck_assert_uint_eq(at(&m, "/data")->source_dev, DEV(253, 7));
	ck_assert(mount_shows(at(&m, "/data"), lv));
	ck_assert_uint_eq(at(&m, "/users/x/a")->source_dev, 0);
	ck_assert(!mount_shows(at(&m, "/users/x/a"), lv));
	ck_assert_uint_eq(at(&m, "/users/x/b")->source_dev, 0);
	ck_assert(!mount_shows(at(&m, "/users/x/b"), out));
	ck_assert_uint_eq(mounts_device(dev, "/dev/vg/lv"), DEV(253, 7));
	ck_assert_uint_eq(mounts_device(dev, "/dev/plain"), 0);
	ck_assert_uint_eq(mounts_device(dev, "/dev/../out/node"), 0);
	ck_assert_uint_eq(mounts_device(dev, "/elsewhere/dm-7"), 0);
	mounts_release(&m);
	disk_node_free(lv);
	disk_node_free(out);
}
END_TEST

START_TEST(who_answers_for_a_file)
{
	static const struct {
		const char *path;
		bool local;
	} files[] = {
		{ "/srv/image", true }, { "/data/image", true }, { "/tmp/image", true },
		{ "/users/x/image", true }, { "/users/x/a/image", false },
		{ "/users/x/ab/image", true },
		{ "/windows/image", false }, { "/net/image", false }, { "/shared/image", false },
		{ "/merged/image", false },
		/* On a disk, but one comes by a server. */
		{ "/net/disk/image", false },
	};
	struct mounts m = { 0 };

	ck_assert(!mounts_are_local(&m, "/srv/image"));
	mounts_parse(&m, table, -1);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		ck_assert_msg(mounts_are_local(&m, files[i].path) == files[i].local, "%s",
			      files[i].path);
	/* What lies on a root of the network, but is mounted from memory. */
	mounts_parse(&m,
		     "1 0 0:30 / / rw - nfs server:/ rw\n"
		     "2 1 0:31 / /dev/shm rw - tmpfs none rw\n"
		     "3 1 0:32 / /net rw - nfs server:/net rw\n"
		     "4 3 0:33 / /net/shm rw - tmpfs none rw\n", -1);
	ck_assert(mounts_are_local(&m, "/dev/shm/image"));
	ck_assert(!mounts_are_local(&m, "/image"));
	ck_assert(!mounts_are_local(&m, "/net/shm/image"));
	mounts_release(&m);
}
END_TEST

UNIT_FIXTURE_MAIN("mounts", setup, teardown, nothing_leads_out, nothing_leads_out_of_an_old_kernel,
		  other_mounts_are_not_entered, sources_are_disks, who_answers_for_a_file)
