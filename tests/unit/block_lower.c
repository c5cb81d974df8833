// SPDX-License-Identifier: GPL-2.0-or-later
/* Which disks belong together, by /sys. */
#include "folder.h"

#include <stdio.h>
#include <sys/stat.h>

#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"
#include "collect/collector.h"

#define MAPPED 253u

static struct abi_disk disks[ABI_DISKS];
static struct block_bpf__bss bss;
static struct block_bpf skel;
static struct collect_options opt;
static struct block b;

static void setup(void)
{
	folder_setup();
	mkdir(path_of("dev"), 0700);
	mkdir(path_of("dev/block"), 0700);
	memset(disks, 0, sizeof(disks));
	memset(&bss, 0, sizeof(bss));
	skel.bss = &bss;
	opt.sys = folder;
	b = (struct block){ .opt = &opt, .skel = &skel, .disks = disks };
}

/* dm-MINOR is linked to dm-OTHER. */
static void link_to(unsigned minor, const char *links, unsigned other)
{
	char path[64], number[32];

	snprintf(path, sizeof(path), "dev/block/%u:%u", MAPPED, minor);
	mkdir(path_of(path), 0700);
	snprintf(path, sizeof(path), "dev/block/%u:%u/%s", MAPPED, minor, links);
	mkdir(path_of(path), 0700);
	snprintf(path, sizeof(path), "dev/block/%u:%u/%s/dm-%u", MAPPED, minor, links, other);
	mkdir(path_of(path), 0700);
	snprintf(path, sizeof(path), "dev/block/%u:%u/%s/dm-%u/dev", MAPPED, minor, links, other);
	snprintf(number, sizeof(number), "%u:%u\n", MAPPED, other);
	write_file(path, number, strlen(number));
}

static void lies_on(unsigned upper, unsigned lower)
{
	link_to(upper, "slaves", lower);
	link_to(lower, "holders", upper);
}

/* dm-MINOR did I/O. */
static struct abi_disk *used(unsigned minor)
{
	struct abi_disk *disk = &disks[++bss.disk_places.taken];

	disk->dev = MAPPED << 20 | minor;
	return disk;
}

/* Two on the same one, and what that lies on. */
START_TEST(together)
{
	struct abi_disk *lowest = used(0), *middle = used(1), *one = used(2), *other = used(3),
			*alone = used(4);

	lies_on(1, 0);
	lies_on(2, 1);
	lies_on(3, 1);
	block_refresh_lower(&b);
	ck_assert_uint_ne(one->below, 0);
	ck_assert_uint_eq(one->below, other->below);
	ck_assert_uint_eq(one->below, middle->above);
	ck_assert_uint_ne(middle->below, 0);
	ck_assert_uint_eq(middle->below, lowest->above);
	ck_assert_uint_eq(alone->below, 0);
	ck_assert_uint_eq(alone->above, 0);
}
END_TEST

/* A snapshot that nobody uses: who uses the origin writes to the disk of the snapshot, too. */
START_TEST(snapshot)
{
	struct abi_disk *real = used(0), *copies = used(1), *origin = used(2), *alone = used(4);

	lies_on(2, 0);
	lies_on(3, 0);
	lies_on(3, 1);
	block_refresh_lower(&b);
	ck_assert_uint_ne(origin->below, 0);
	ck_assert_uint_eq(origin->below, real->above);
	ck_assert_uint_eq(origin->below, copies->above);
	ck_assert_uint_eq(alone->above, 0);
}
END_TEST

/* Two below a disk that nobody uses have nothing to do with each other. */
START_TEST(nobody_above)
{
	struct abi_disk *one = used(0), *other = used(1);

	lies_on(3, 0);
	lies_on(3, 1);
	block_refresh_lower(&b);
	ck_assert_uint_eq(one->above, 0);
	ck_assert_uint_eq(other->above, 0);
}
END_TEST

UNIT_FIXTURE_MAIN("block_lower", setup, folder_teardown, together, snapshot, nobody_above)
