// SPDX-License-Identifier: GPL-2.0-or-later
/* The memory controller of control groups, of both versions, in folders that the test wrote. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/proc/group_io.h"
#include "collect/proc/memory_group.h"
#include "collect/proc/proc.h"
#include "folder.h"

static struct memory_root root;
static struct buf buf;
static int proc;

/* mounts: lines of mountinfo, {} in them is the folder. */
static void begin(const char *mounts)
{
	char text[1024] = "";
	size_t n = 0;

	for (const char *p = mounts; *p; p++)
		if (!strncmp(p, "{}", 2) && p++)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s", folder);
		else
			text[n++] = *p;
	write_text("proc/self/mountinfo", text);
	proc = proc_dir(path_of("proc"));
	ck_assert_int_ge(proc, 0);
	memory_root_open(&root, "memory", proc, &buf);
}

static void teardown(void)
{
	memory_root_close(&root);
	buf_release(&buf);
	close(proc);
	folder_teardown();
}

#define V2 "30 1 0:30 / {}/v2 rw - cgroup2 cgroup rw\n"
#define V1 "31 1 0:31 / {}/v1 rw - cgroup cgroup rw,memory\n"

static void group_is(uint32_t tgid, const char *text, const char *path)
{
	char name[64], *got;

	snprintf(name, sizeof(name), "proc/%u/cgroup", tgid);
	write_text(name, text);
	got = memory_group_of(&root, proc, &buf, tgid);
	ck_assert_pstr_eq(got, path);
	free(got);
}

START_TEST(version_2)
{
	struct sample_memory row = { 0 };

	write_text("v2/a/memory.events", "low 0\nhigh 1\nmax 2\noom 9\n");
	write_text("v2/a/memory.events.local", "low 0\nhigh 10\nmax 20\noom 9\n");
	write_text("v2/a/memory.stat",
		   "anon 1\nworkingset_refault_anon 7\nworkingset_refault_file 8\n");
	write_text("v2/a/b/memory.events", "low 0\nhigh 100\nmax 200\noom 9\n");
	write_text("v2/a/b/memory.events.local", "low 0\nhigh 5000\nmax 5000\noom 9\n");
	write_text("v2/a/b/memory.stat", "workingset_refault_anon 3\nworkingset_refault_file 4\n");
	write_text("v2/a/b/c/cgroup.procs", "");
	begin(V2);
	group_is(7, "4:cpu:/other\n1:name=systemd:/x\n0::/a/b\n", "/a/b");
	group_is(8, "0::/../outside\n", NULL);
	group_is(9, "4:cpu:/other\n", NULL);
	memory_group_read(&root, &buf, "/a/b", &row);
	ck_assert_uint_eq(row.have, MEMORY_REFAULTS | MEMORY_LIMITS);
	ck_assert_uint_eq(row.refault_anon, 3 * (uint64_t)sysconf(_SC_PAGESIZE));
	ck_assert_uint_eq(row.refault_file, 4 * (uint64_t)sysconf(_SC_PAGESIZE));
	/* Its own with those below it, and the limits above. */
	ck_assert_uint_eq(row.high, 110);
	ck_assert_uint_eq(row.max, 220);
	/* A group without the controller: that above counts for it. */
	row = (struct sample_memory){ 0 };
	memory_group_read(&root, &buf, "/a/b/c", &row);
	ck_assert_uint_eq(row.refault_file, 4 * (uint64_t)sysconf(_SC_PAGESIZE));
	ck_assert_uint_eq(row.max, 220);
	row = (struct sample_memory){ 0 };
	memory_group_read(&root, &buf, "/", &row);
	ck_assert_uint_eq(row.have, 0);
	memory_group_read(&root, &buf, "/gone", &row);
	ck_assert_uint_eq(row.have, 0);
}
END_TEST

/* Where memory is counted in version 1, the other hierarchy says nothing of it. */
START_TEST(version_1)
{
	struct sample_memory row = { 0 };

	write_text("v1/a/memory.failcnt", "5\n");
	write_text("v1/a/b/memory.failcnt", "30\n");
	write_text("v1/a/b/memory.stat", "workingset_refault_anon 3\nworkingset_refault_file 4\n"
		   "total_workingset_refault_anon 5\ntotal_workingset_refault_file 6\n");
	begin(V2 "29 1 0:29 / {}/cpu rw - cgroup cgroup rw,cpu\n" V1);
	group_is(7, "4:cpu:/other\n3:hugetlb,memory:/a/b\n0::/z\n", "/a/b");
	memory_group_read(&root, &buf, "/a/b", &row);
	ck_assert_uint_eq(row.have, MEMORY_REFAULTS | MEMORY_LIMITS);
	ck_assert_uint_eq(row.refault_file, 6 * (uint64_t)sysconf(_SC_PAGESIZE));
	ck_assert_uint_eq(row.refault_anon, 5 * (uint64_t)sysconf(_SC_PAGESIZE));
	ck_assert_uint_eq(row.max, 35);
	ck_assert_uint_eq(row.high, 0);
}
END_TEST

/* A part of the hierarchy is mounted, as in a container; names that lead outside lead nowhere. */
START_TEST(part)
{
	struct sample_memory row = { 0 };

	write_text("secret/memory.stat", "workingset_refault_anon 3\nworkingset_refault_file 4\n");
	write_text("v2/x/memory.events", "high 1\nmax 1\n");
	write_text("v2/x/memory.stat", "anon 1\n");	/* of an old kernel */
	ck_assert_int_eq(symlink("../secret", path_of("v2/link")), 0);
	begin("30 1 0:30 /docker/1 {}/v2 rw - cgroup2 cgroup rw\n");
	group_is(7, "0::/docker/1/x\n", "/x");
	group_is(8, "0::/docker/12\n", NULL);
	group_is(9, "0::/docker/1\n", "");
	memory_group_read(&root, &buf, "/link", &row);
	ck_assert_uint_eq(row.have, 0);
	memory_group_read(&root, &buf, "/../secret", &row);
	ck_assert_uint_eq(row.have, 0);
	memory_group_read(&root, &buf, "/x", &row);
	ck_assert_uint_eq(row.have, MEMORY_LIMITS);
}
END_TEST

START_TEST(nowhere)
{
	begin("21 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
	ck_assert_int_lt(root.fd, 0);
	group_is(7, "0::/a\n", NULL);
}
END_TEST

static struct sample_memory io_row(const struct group_io *g, struct sample *s)
{
	_cleanup_(mem_freep) char *limits = group_io_limits(g, &buf);
	struct sample_memory row = { 0 };

	row.limits = limits ? arena_strdup(&s->arena, limits) : NULL;
	group_io_pressure(g, &buf, &row);
	group_io_disks(g, &buf, s, 7);
	return row;
}

static void disk_is(struct sample *s, size_t i, uint64_t dev, uint64_t read, uint64_t write)
{
	const struct sample_groupdisk *d =
		&((const struct sample_groupdisk *)s->tables[TABLE_GROUPDISK].rows)[i];

	ck_assert_uint_lt(i, s->tables[TABLE_GROUPDISK].n);
	ck_assert(d->cgroup == 7 && d->dev == dev && d->read == read && d->write == write);
}

START_TEST(io_of_version_2)
{
	struct memory_root io, unified;
	struct group_io g = { &root, &io, &unified, "/a/b", "/a/b", "/a/b" };
	struct sample *s = sample_new();
	struct sample_memory row;

	write_text("v2/a/io.max", "8:0 rbps=1000 wbps=max riops=max wiops=max\n");
	write_text("v2/a/b/io.weight", "default 50\n8:0 10\n");
	write_text("v2/a/b/memory.max", "1048576\n");
	write_text("v2/a/b/memory.high", "max\n");
	write_text("v2/a/b/io.pressure",
		   "some avg10=0.00 avg60=0.00 avg300=0.00 total=123\n"
		   "full avg10=0.00 avg60=0.00 avg300=0.00 total=45\n");
	write_text("v2/a/b/io.stat",
		   "8:0 rbytes=4096 wbytes=8192 rios=1 wios=2 dbytes=1 dios=1\n"
		   "7:1 \n7:7 7:6 259:3 rbytes=1 wbytes=0 rios=1 wios=0 dbytes=0 dios=0\n");
	begin(V2);
	memory_root_open(&io, "blkio", proc, &buf);
	memory_root_open(&unified, "", proc, &buf);
	row = io_row(&g, s);
	ck_assert_uint_eq(row.have, MEMORY_PSI);
	ck_assert(row.psi_some_us == 123 && row.psi_full_us == 45);
	ck_assert_str_eq(row.limits,
			 "io.max rbps=1000 (/a); io.weight 50; memory.max 1.00 MiB");
	ck_assert_uint_eq(s->tables[TABLE_GROUPDISK].n, 2);
	disk_is(s, 0, 8 << 20, 4096, 8192);
	disk_is(s, 1, 259 << 20 | 3, 1, 0);
	/* Nothing is known of what is not there. */
	g.memory_path = g.io_path = g.unified_path = "/gone";
	row = io_row(&g, s);
	ck_assert(!row.have && !row.limits && s->tables[TABLE_GROUPDISK].n == 2);
	g.memory_path = g.io_path = g.unified_path = NULL;
	row = io_row(&g, s);
	ck_assert(!row.have && !row.limits);
	memory_root_close(&io);
	memory_root_close(&unified);
	sample_free(s);
}
END_TEST

START_TEST(io_of_version_1)
{
	struct memory_root io, unified;
	struct group_io g = { &root, &io, &unified, "/a", "/x", NULL };
	struct sample *s = sample_new();
	struct sample_memory row;

	write_text("v1/a/memory.limit_in_bytes", "9223372036854771712\n");
	write_text("blk/x/blkio.throttle.write_bps_device", "7:0 1000\n");
	write_text("blk/x/blkio.throttle.io_service_bytes_recursive",
		   "7:0 Read 100\n7:0 Write 200\n7:0 Total 300\nTotal 300\n");
	write_text("blk/x/blkio.throttle.io_serviced_recursive", "7:0 Read 3\n7:0 Write 4\n");
	begin("29 1 0:29 / {}/blk rw - cgroup cgroup rw,blkio\n" V1);
	memory_root_open(&io, "blkio", proc, &buf);
	memory_root_open(&unified, "", proc, &buf);
	ck_assert_int_lt(unified.fd, 0);
	row = io_row(&g, s);
	ck_assert_uint_eq(row.have, 0);
	ck_assert_str_eq(row.limits, "blkio.throttle wbps=1000");
	ck_assert_uint_eq(s->tables[TABLE_GROUPDISK].n, 1);
	disk_is(s, 0, 7 << 20, 100, 200);
	memory_root_close(&io);
	memory_root_close(&unified);
	sample_free(s);
}
END_TEST

UNIT_FIXTURE_MAIN("memory_group", folder_setup, teardown, version_2, version_1, part, nowhere,
		  io_of_version_2, io_of_version_1)
