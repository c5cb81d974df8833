// SPDX-License-Identifier: GPL-2.0-or-later
/* Disks of a frozen /proc and /sys: what they are, what they lie on, where they are mounted. */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/collect.h"
#include "collect/disks/uevents.h"

static char dir[64], proc[80], sys[80];
static struct collect_options opt;

static void put(const char *name, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	for (char *p = path + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	if (!text) {
		mkdir(path, 0700);
		return;
	}
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* A whole disk's folder; slaves are separated by blanks. */
static void put_disk(const char *name, const char *size, const char *slaves)
{
	char path[256];

	snprintf(path, sizeof(path), "sys/class/block/%s/size", name);
	put(path, size);
	snprintf(path, sizeof(path), "sys/class/block/%s/slaves", name);
	put(path, NULL);
	while (slaves && *slaves) {
		int len = (int)strcspn(slaves, " ");

		snprintf(path, sizeof(path), "sys/class/block/%s/slaves/%.*s/dev", name, len,
			 slaves);
		put(path, "");
		slaves += len + strspn(slaves + len, " ");
	}
}

static void put_at(const char *disk, const char *file, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "sys/class/block/%s/%s", disk, file);
	put(path, text);
}

static void put_partition(const char *disk, const char *name)
{
	char path[256], link[256];

	snprintf(path, sizeof(path), "sys/devices/pci0/block/%s/%s/partition", disk, name);
	put(path, "1\n");
	snprintf(path, sizeof(path), "sys/devices/pci0/block/%s/%s/size", disk, name);
	put(path, "2048\n");
	snprintf(link, sizeof(link), "%s/class/block/%s", sys, name);
	snprintf(path, sizeof(path), "../../devices/pci0/block/%s/%s", disk, name);
	ck_assert_int_eq(symlink(path, link), 0);
}

#define COUNTERS " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"

static const char diskstats[] =
	"8 0 sda" COUNTERS "8 1 sda1" COUNTERS "8 2 sda2" COUNTERS "8 16 sdb" COUNTERS
	"8 17 sdb1" COUNTERS "9 127 md127" COUNTERS "253 0 dm-0" COUNTERS "253 1 dm-1" COUNTERS
	"253 2 dm-2" COUNTERS "7 0 loop0" COUNTERS "7 1 loop1" COUNTERS "252 0 zram0" COUNTERS
	"251 0 nullb0" COUNTERS "1 0 ram0" COUNTERS "230 0 zd0" COUNTERS "104 0 cciss/c0d0" COUNTERS
	"104 1 cciss/c0d0p1" COUNTERS "259 0 nvme0n1" COUNTERS "7 2 loop2" COUNTERS
	"7 3 loop3" COUNTERS "7 4 loop4" COUNTERS;

static const char mountinfo[] = "27 1 253:1 / / rw - ext4 /dev/mapper/vg-root rw\n"
				"28 27 0:25 /@media /media rw - btrfs /dev/sdb1 rw\n"
				"29 27 253:1 /srv/a /bind rw - ext4 /dev/mapper/vg-root rw\n"
				"30 27 8:1 / /boot\\040loader rw - vfat /dev/sda1 rw\n"
				"31 27 7:0 / /mnt/image rw - iso9660 /dev/loop0 ro\n"
				"32 27 0:5 / /proc rw - proc proc rw\n"
				"33 27 0:40 / /data rw - btrfs /dev/mapper/crypt-data rw\n"
				/* Whoever mounts chooses the source: these are of no disk. */
				"34 27 0:41 / /users/a/mnt rw - fuse.prog /dev/sda2 rw\n"
				"35 27 0:42 / /users/b/mnt rw - fuse /dev/mapper/luks-1234 rw\n"
				"36 27 0:43 / /srv/files rw - nfs4 /dev/sdb rw\n"
				"37 27 0:44 / /all rw - overlay /dev/md127 rw\n";

static void setup(void)
{
	unit_mkdtemp(dir, sizeof(dir));
	snprintf(proc, sizeof(proc), "%s/proc", dir);
	snprintf(sys, sizeof(sys), "%s/sys", dir);
	put("proc/diskstats", diskstats);
	put("proc/self/mountinfo", mountinfo);
	put_disk("sda", "4096\n", NULL);
	put_at("sda", "queue/rotational", "1\n");
	put_at("sda", "removable", "0\n");
	put_disk("sdb", "4096\n", NULL);
	put_at("sdb", "queue/rotational", "0\n");
	put_at("sdb", "removable", "1\n");
	put_partition("sda", "sda1");
	put_partition("sda", "sda2");
	put_partition("sdb", "sdb1");
	put_disk("md127", "2048\n", "sdb sda2");
	put_at("md127", "md/level", "raid1\n");
	put_disk("dm-0", "1000\n", "md127");
	put_at("dm-0", "dm/name", "luks-1234\n");
	put_at("dm-0", "dm/uuid", "CRYPT-LUKS2-00aa-luks-1234\n");
	put_disk("dm-1", "1000\n", "dm-0");
	put_at("dm-1", "dm/name", "vg-root\n");
	put_at("dm-1", "dm/uuid", "LVM-abcdef\n");
	put_disk("dm-2", "1000\n", "nvme0n1");
	put_at("dm-2", "dm/name", "crypt-data\n");
	put_at("dm-2", "dm/uuid", "\n");
	put_disk("loop0", "8\n", NULL);
	put_at("loop0", "loop/backing_file", "/media/disk.iso\n");
	put_disk("loop1", "0\n", NULL);
	put_disk("zram0", "8\n", NULL);
	put_disk("nullb0", "8\n", NULL);
	put_disk("ram0", "8\n", NULL);
	put_disk("zd0", "8\n", NULL);
	put_disk("cciss!c0d0", "8\n", NULL);
	put_partition("cciss!c0d0", "cciss!c0d0p1");
	put_disk("nvme0n1", "8\n", NULL);
	/*
	 * A disk, a disk by its other name, and a file that a program answers for, which says that
	 * it lies on a disk.
	 */
	put_disk("loop2", "8\n", NULL);
	put_at("loop2", "loop/backing_file", "/dev/nvme0n1\n");
	put_disk("loop3", "8\n", NULL);
	put_at("loop3", "loop/backing_file", "/dev/mapper/luks-1234\n");
	put_disk("loop4", "8\n", NULL);
	put_at("loop4", "loop/backing_file", "/users/a/mnt/image\n");
	opt = (struct collect_options){ .no_bpf = true, .proc = proc, .sys = sys };
}

static const struct {
	const char *name, *label, *type, *below, *mounts;
	const char *whole;
	unsigned flags;
	uint64_t size;
} expected[] = {
	{ "sda", NULL, "disk", NULL, NULL, "sda", DISK_LOWEST | DISK_ROTATIONAL, 4096 * 512 },
	{ "sda1", NULL, "part", "sda", "/boot loader", "sda", DISK_PARTITION, 2048 * 512 },
	{ "sda2", NULL, "part", "sda", NULL, "sda", DISK_PARTITION, 2048 * 512 },
	{ "sdb", NULL, "disk", NULL, NULL, "sdb", DISK_LOWEST | DISK_REMOVABLE, 4096 * 512 },
	{ "sdb1", NULL, "part", "sdb", "/media", "sdb", DISK_PARTITION, 2048 * 512 },
	{ "md127", NULL, "raid1", "sda2 sdb", NULL, "md127", 0, 2048 * 512 },
	{ "dm-0", "luks-1234", "crypt", "md127", NULL, "dm-0", 0, 1000 * 512 },
	{ "dm-1", "vg-root", "lvm", "dm-0", "/\n/bind", "dm-1", 0, 1000 * 512 },
	{ "dm-2", "crypt-data", "dm", "nvme0n1", "/data", "dm-2", 0, 1000 * 512 },
	{ "loop0", "/media/disk.iso", "loop", "sdb1", "/mnt/image", "loop0", 0, 8 * 512 },
	{ "loop1", NULL, "loop", NULL, NULL, "loop1", DISK_LOWEST, 0 },
	{ "zram0", NULL, "zram", NULL, NULL, "zram0", DISK_LOWEST, 8 * 512 },
	{ "nullb0", NULL, "null", NULL, NULL, "nullb0", DISK_LOWEST, 8 * 512 },
	{ "ram0", NULL, "ram", NULL, NULL, "ram0", DISK_LOWEST, 8 * 512 },
	{ "zd0", NULL, "zvol", NULL, NULL, "zd0", 0, 8 * 512 },
	{ "cciss/c0d0", NULL, "disk", NULL, NULL, "cciss/c0d0", DISK_LOWEST, 8 * 512 },
	{ "cciss/c0d0p1", NULL, "part", "cciss/c0d0", NULL, "cciss/c0d0", DISK_PARTITION,
	  2048 * 512 },
	{ "nvme0n1", NULL, "disk", NULL, NULL, "nvme0n1", DISK_LOWEST, 8 * 512 },
	{ "loop2", "/dev/nvme0n1", "loop", "nvme0n1", NULL, "loop2", 0, 8 * 512 },
	{ "loop3", "/dev/mapper/luks-1234", "loop", "dm-0", NULL, "loop3", 0, 8 * 512 },
	{ "loop4", "/users/a/mnt/image", "loop", NULL, NULL, "loop4", DISK_LOWEST, 8 * 512 },
};

static const struct sample_disk *find(const struct sample *s, const char *name)
{
	sample_each(s, DISK, const struct sample_disk, d) {
		if (!strcmp(d->name, name))
			return d;
	}
	return NULL;
}

static void same(const char *disk, const char *what, const char *is, const char *should)
{
	ck_assert_msg(is && should ? !strcmp(is, should) : is == should, "%s of %s is %s", what,
		      disk, is ? is : "unknown");
}

static void take(struct collect_set *set, struct sample *s)
{
	struct err err = { "" };

	sample_reset(s);
	ck_assert_msg(collect_sample(set, s, &err) == 0, "%s", err.text);
}

START_TEST(topology)
{
	struct collect_set *set = collect_open(&opt);
	struct sample *s = sample_new();

	collect_enable(set, SRC_DISKS);
	for (int round = 0; round < 2; round++) {
		take(set, s);
		ck_assert_uint_eq(s->tables[TABLE_DISK].n, ARRAY_SIZE(expected));
		for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
			const struct sample_disk *d = find(s, expected[i].name);

			ck_assert_ptr_nonnull(d);
			same(d->name, "label", d->label, expected[i].label);
			same(d->name, "type", d->type, expected[i].type);
			same(d->name, "below", d->below, expected[i].below);
			same(d->name, "mounts", d->mounts, expected[i].mounts);
			ck_assert(!d->kinds == !d->mounts);
			ck_assert_uint_eq(d->whole, find(s, expected[i].whole)->dev);
			ck_assert_msg(d->flags == expected[i].flags, "flags of %s are %x", d->name,
				      d->flags);
			ck_assert_uint_eq(d->size, expected[i].size);
			ck_assert_uint_eq(d->fl_ms, 17);
		}
		/* Twice mounted, it is one kind. */
		same("dm-1", "kinds", find(s, "dm-1")->kinds, "ext4");
		same("sdb1", "kinds", find(s, "sdb1")->kinds, "btrfs");
		ck_assert_uint_eq(find(s, "sdb1")->own, 25);
		ck_assert_uint_eq(find(s, "sda1")->own, 0);
	}
	sample_free(s);
	collect_close(set);
}
END_TEST

START_TEST(changes)
{
	struct collect_set *set = collect_open(&opt);
	struct sample *s = sample_new();

	collect_enable(set, SRC_DISKS);
	take(set, s);
	/*
	 * Another disk has the number now; one is gone; one at rest begins to work and is something
	 * else now.
	 */
	put("proc/diskstats", "8 16 sdz" COUNTERS "7 1 loop1 9 9 9 9 9 9 9 9 9 9 9\n");
	put_at("loop1", "loop/backing_file", "/srv/x\n");
	take(set, s);
	ck_assert_uint_eq(s->tables[TABLE_DISK].n, 2);
	ck_assert_ptr_nonnull(find(s, "sdz"));
	ck_assert_ptr_null(find(s, "sdb"));
	ck_assert_str_eq(find(s, "loop1")->label, "/srv/x");
	/* What it lies on is not listed any more. */
	ck_assert_ptr_null(find(s, "loop1")->below);
	sample_free(s);
	collect_close(set);
}
END_TEST

START_TEST(missing)
{
	struct collect_set *set;
	struct sample *s = sample_new();
	struct sample_source *row;
	char path[128];

	snprintf(path, sizeof(path), "%s/diskstats", proc);
	unlink(path);
	set = collect_open(&opt);
	collect_enable(set, SRC_DISKS);
	take(set, s);
	row = s->tables[TABLE_SOURCE].rows;
	ck_assert_uint_eq(s->tables[TABLE_SOURCE].n, 1);
	ck_assert_uint_eq(row->source, SRC_DISKS);
	ck_assert_uint_eq(row->state, SOURCE_OFF);
	ck_assert_ptr_nonnull(strstr(row->reason, "diskstats: No such file"));
	sample_free(s);
	collect_close(set);
}
END_TEST

static const struct {
	const char *text;
	size_t len;
	uint32_t dev;
} messages[] = {
#define MESSAGE(text, dev) { text, sizeof(text), dev }
	MESSAGE("change@/devices/virtual/block/dm-3\0ACTION=change\0SUBSYSTEM=block\0MAJOR=253\0"
			  "MINOR=3\0DM_NAME=new", 253u << 20 | 3),
	MESSAGE("MINOR=70000\0MAJOR=8\0SUBSYSTEM=block", 8u << 20 | 70000),
	MESSAGE("add@/devices/x\0SUBSYSTEM=tty\0MAJOR=253\0MINOR=3", 0),
	MESSAGE("remove@/devices/x\0SUBSYSTEM=block\0MAJOR=x\0MINOR=", 0),
	MESSAGE("libudev", 0),
	/* The line that is cut is none. */
	{ "SUBSYSTEM=block\0MAJOR=8\0MINOR=16", sizeof("SUBSYSTEM=block\0MAJOR=8\0MINOR=1") - 1,
	  8u << 20 },
	{ "SUBSYSTEM=block", 0, 0 },
};

START_TEST(messages_on_disks)
{
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++)
		ck_assert_msg(uevent_disk(messages[i].text, messages[i].len) == messages[i].dev,
			      "%s", messages[i].text);
}
END_TEST

UNIT_FIXTURE_MAIN("disk_collector", setup, NULL, topology, changes, missing, messages_on_disks)
