// SPDX-License-Identifier: GPL-2.0-or-later
/* Disks on disks: what a driver's own thread submits is for whoever used the device above. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/macro.h"
#include "base/parse.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"
#include "collect/collector.h"
#include "collect/disks/beneath.h"
#include "collect/disks/mounts.h"

#define LOOP_MAJOR 7
/* What lies on what is looked at again after so many samples, and when a disk is new. */
#define AGAIN 8
/* … and how large disks and queues are, after so many times that for each of so many disks. */
#define SIZES_DISKS 64

/* What files of loop devices lie on; read when the first one is looked at. */
struct around {
	struct mounts mounts;
	int dev;	/* descriptor of /dev, -1 */
	bool read;
};

/* Place of a disk, 0 when it has done no I/O yet. */
static uint32_t index_of(const struct block *b, uint32_t dev)
{
	for (uint32_t i = 1; dev && i < ABI_DISKS && i <= b->skel->bss->disk_places.taken; i++) {
		if (b->disks[i].dev == dev)
			return i;
	}
	return 0;
}

/* /sys/dev/block/MAJOR:MINOR and what follows, as one line without its newline. */
static int read_line(const struct block *b, uint32_t dev, const char *name, struct buf *ret_text)
{
	char path[512];
	int r;

	snprintf(path, sizeof(path), "%s/dev/block/%u:%u/%s", b->opt->sys, dev >> 20, dev & 0xfffff,
		 name);
	r = buf_read_file(ret_text, -1, path, 4096);
	if (r < 0)
		return r;
	if (ret_text->len && ret_text->data[ret_text->len - 1] == '\n')
		ret_text->data[--ret_text->len] = '\0';
	return 0;
}

uint32_t block_parse_dev(const char *s)
{
	uint64_t maj = scan_u64(&s), min;

	if (*s != ':')
		return 0;
	s++;
	min = scan_u64(&s);
	return (uint32_t)maj << 20 | (uint32_t)min;
}

/* The whole disk of a partition. */
static uint32_t whole(const struct block *b, uint32_t dev)
{
	_cleanup_(buf_release) struct buf text = { 0 };

	if (read_line(b, dev, "partition", &text) < 0 || read_line(b, dev, "../dev", &text) < 0)
		return dev;
	return block_parse_dev(text.data);
}

/* All that lie on one disk have one number, and so have all disks that one lies on. */
static void lies_on(struct block *b, uint32_t upper, uint32_t index)
{
	uint16_t other = b->above[index], is = b->below[upper];

	if (!upper || index == upper)
		return;
	/* The programs gave it a number when it was first used. */
	if (!is)
		is = other ? other : b->disks[upper].below ? b->disks[upper].below : upper;
	b->below[upper] = is;
	if (!index)
		return;
	b->above[index] = is;
	for (uint32_t i = 1; other && other != is && i < ABI_DISKS; i++) {
		if (b->above[i] == other)
			b->above[i] = is;
		if (b->below[i] == other)
			b->below[i] = is;
	}
}

static void set_backing(struct block *b, uint32_t index, const struct abi_backing *file)
{
	int files = bpf_map__fd(b->skel->maps.backing_files),
	    backings = bpf_map__fd(b->skel->maps.backings);
	struct abi_backing is;

	if (bpf_map_lookup_elem(files, &index, &is) != 0 || !memcmp(&is, file, sizeof(is)))
		return;
	if (is.ino)
		bpf_map_delete_elem(backings, &is);
	if (file->ino && bpf_map_update_elem(backings, file, &index, BPF_ANY) != 0)
		return;
	bpf_map_update_elem(files, &index, file, BPF_ANY);
}

static void read_around(const struct block *b, struct around *a)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	char path[512];

	if (a->read)
		return;
	a->read = true;
	if (!strcmp(b->opt->sys, "/sys"))
		a->dev = open("/dev", O_PATH | O_DIRECTORY | O_CLOEXEC);
	snprintf(path, sizeof(path), "%s/self/mountinfo", b->opt->proc);
	if (buf_read_file(&text, -1, path, 0) >= 0 && text.len)
		mounts_parse(&a->mounts, text.data, a->dev);
}

/*
 * The file as the programs see it, where they do not find it themselves. stat() waits for a server
 * or a program that does not answer, and with it the keys and the terminal: only a file on a local
 * file system is looked at, and nothing leads to another mount on the way. That the file is open
 * keeps its path in memory; not even the disk is waited for. Where stat() gives another number of
 * the device than the mount has (btrfs), it is not the programs'.
 */
static bool look_at_file(const struct around *a, const struct mount *m, const char *path,
			 struct abi_backing *ret)
{
	const char *inside = path + strlen(m->point);
	struct stat st;
	int point, fd;
	bool is;

	if (!mounts_are_local(&a->mounts, path))
		return false;
	point = open(m->point, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	fd = point < 0 ? -1 : beneath_open(point, inside, O_PATH | O_NOFOLLOW, true);
	is = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	     ((uint32_t)major(st.st_dev) << 20 | (uint32_t)minor(st.st_dev)) == m->dev;
	if (is)
		*ret = (struct abi_backing){ .ino = st.st_ino, .sdev = m->dev };
	fd_close(fd);
	fd_close(point);
	return is;
}

static bool has_file(const struct block *b, uint32_t index)
{
	struct abi_backing is;

	return bpf_map_lookup_elem(bpf_map__fd(b->skel->maps.backing_files), &index, &is) == 0 &&
	       is.ino;
}

/* The programs know a loop's file when they know the driver. Where they do not we tell them. */
static void scan_loop(struct block *b, struct around *a, uint32_t index)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	struct abi_backing file = { 0 };
	uint32_t dev = b->disks[index].dev, lower;
	const struct mount *m;

	if (read_line(b, dev, "loop/backing_file", &text) < 0 || !text.len) {
		set_backing(b, index, &file);
		return;
	}
	read_around(b, a);
	lower = mounts_device(a->dev, text.data);
	m = lower ? NULL : mounts_of_path(&a->mounts, text.data);
	if (m && (!b->skel->bss->loops_known || !has_file(b, index)) &&
	    look_at_file(a, m, text.data, &file))
		set_backing(b, index, &file);
	/* With direct I/O its pages are not those of the file. */
	if (m && read_line(b, dev, "loop/dio", &text) == 0 && text.len && text.data[0] == '1')
		lower = m->dev;
	lies_on(b, index, lower ? index_of(b, whole(b, lower)) : 0);
	if (read_line(b, dev, "loop/offset", &text) == 0 && text.len) {
		const char *s = text.data;

		b->disks[index].offset = scan_u64(&s);
	}
	if (!has_file(b, index))
		b->unplaced = b->unplaced ? ABI_UNPLACED_SEVERAL : index;
}

/* Calls fn with each disk that a disk is linked to in /sys: by "slaves", by "holders". */
static void each_link(struct block *b, uint32_t dev, const char *links, uint32_t index,
		      void (*fn)(struct block *b, uint32_t index, uint32_t dev))
{
	struct dirent *e;
	char path[512];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/dev/block/%u:%u/%s", b->opt->sys, dev >> 20, dev & 0xfffff,
		 links);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		_cleanup_(buf_release) struct buf text = { 0 };
		char name[300];

		if (e->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s/dev", links, e->d_name);
		if (read_line(b, dev, name, &text) == 0 && text.len)
			fn(b, index, block_parse_dev(text.data));
	}
	if (dir)
		closedir(dir);
}

static void has_slave(struct block *b, uint32_t index, uint32_t dev)
{
	lies_on(b, index, index_of(b, whole(b, dev)));
}

static void is_beside(struct block *b, uint32_t index, uint32_t dev)
{
	uint32_t other = index_of(b, whole(b, dev));

	if (other && !b->above[other])
		b->above[other] = b->above[index];
}

/*
 * A disk on which nobody has done I/O: what is written to one of those that it lies on may be for
 * who uses another one, as copies for a snapshot are when the origin is written to.
 */
static void has_holder(struct block *b, uint32_t index, uint32_t dev)
{
	if (!index_of(b, dev))
		each_link(b, dev, "slaves", index, is_beside);
}

/* A scheduler may leave some requests to those that read. */
static void read_room(struct block *b, uint32_t index)
{
	static const char *const names[] = { "nr_requests", "async_depth", "iosched/async_depth" };
	uint64_t room = UINT64_MAX;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(buf_release) struct buf text = { 0 };
		char name[40];
		const char *s;

		snprintf(name, sizeof(name), "queue/%s", names[i]);
		if (read_line(b, b->disks[index].dev, name, &text) < 0 || !text.len)
			continue;
		s = text.data;
		room = MIN(room, scan_u64(&s));
	}
	b->disks[index].room = room < UINT64_MAX ? (uint16_t)MIN(room, UINT16_MAX) : 0;
}

/* Sectors of a place: as few as cover the disk. */
static void read_shift(struct block *b, uint32_t index)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	uint64_t sectors = 0;
	uint16_t shift = 1;

	if (read_line(b, b->disks[index].dev, "size", &text) == 0 && text.len) {
		const char *s = text.data;

		sectors = scan_u64(&s);
	}
	while (sectors && (sectors - 1) >> shift >= ABI_PLACES)
		shift++;
	b->disks[index].shift = sectors ? shift : 0;
}

void block_refresh_lower(struct block *b)
{
	uint32_t disks = b->skel->bss->disk_places.taken;
	struct around a = { .dev = -1 };
	bool fresh = disks != b->stacked;

	if (!fresh && b->ticks % AGAIN)
		return;
	fresh |= b->ticks / AGAIN % (1 + disks / SIZES_DISKS) == 0;
	b->stacked = disks;
	b->unplaced = 0;
	memset(b->above, 0, sizeof(b->above));
	memset(b->below, 0, sizeof(b->below));
	for (uint32_t i = 1; i < ABI_DISKS && i <= disks; i++) {
		if (b->disks[i].dev && fresh) {
			read_room(b, i);
			read_shift(b, i);
		}
		if (b->disks[i].dev >> 20 == LOOP_MAJOR)
			scan_loop(b, &a, i);
		else if (b->disks[i].dev)
			each_link(b, b->disks[i].dev, "slaves", i, has_slave);
	}
	for (uint32_t i = 1; i < ABI_DISKS && i <= disks; i++) {
		if (b->above[i])
			each_link(b, b->disks[i].dev, "holders", i, has_holder);
	}
	for (uint32_t i = 1; i < ABI_DISKS && i <= disks; i++) {
		b->disks[i].above = b->above[i];
		b->disks[i].below = b->below[i];
	}
	b->skel->bss->unplaced = b->unplaced;
	mounts_release(&a.mounts);
	fd_close(a.dev);
}
