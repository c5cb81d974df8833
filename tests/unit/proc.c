// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "collect/proc/proc.h"

#define STAT_TAIL \
	" 7 1 1 0 -1 4194304 100 5 20 6 30 12 0 0 20 -5 3 0 82720 3133440 " \
	"362 18446744073709551615 1 1 0 0 0 0 0 0 0 " \
	"0 0 0 17 0 0 0 42 0 0\n"

static const struct {
	const char *text, *comm;
	int result;
	char state;
} stats[] = {
	{ "15704 (cat) R" STAT_TAIL, "cat", 0, 'R' },
	{ "15704 (a) R 1 (b) S" STAT_TAIL, "a) R 1 (b", 0, 'S' },
	{ "15704 (\n\033[31m) Z" STAT_TAIL, "\n\033[31m", 0, 'Z' },
	{ "15704 () I" STAT_TAIL, "", 0, 'I' },
	{ "15704 (0123456789012345678901234567890123456789012345678901234567890123456789) "
	  "S" STAT_TAIL,
	  "012345678901234567890123456789012345678901234567890123456789012", 0, 'S' },
	{ "", "", -EINVAL, 0 },
	{ "15704", "", -EINVAL, 0 },
	{ "15704 (cat", "", -EINVAL, 0 },
	{ "15704 )cat( R", "", -EINVAL, 0 },
	{ "15704 (cat)", "", -EINVAL, 0 },
	{ "(cat) R" STAT_TAIL, "", -EINVAL, 0 },
};

START_TEST(stat_text)
{
	struct proc_stat st = { .pid = 99 };

	ck_assert_int_eq(proc_stat_parse(stats[_i].text, &st), stats[_i].result);
	if (stats[_i].result < 0) {
		ck_assert_uint_eq(st.pid, 99);
		return;
	}
	ck_assert_uint_eq(st.pid, 15704);
	ck_assert_str_eq(st.comm, stats[_i].comm);
	ck_assert_int_eq(st.state, stats[_i].state);
	ck_assert_uint_eq(st.ppid, 7);
	ck_assert_uint_eq(st.faults, 120);
	ck_assert_uint_eq(st.cpu, 42);
	ck_assert_int_eq(st.nice, -5);
	ck_assert_uint_eq(st.threads, 3);
	ck_assert_uint_eq(st.start, 82720);
	ck_assert_uint_eq(st.blkio, 42);
	ck_assert(!st.kthread);
}
END_TEST

START_TEST(stat_short)
{
	struct proc_stat st;

	/* Older kernels end earlier: what is missing is 0. */
	ck_assert_int_eq(proc_stat_parse("2 (kthreadd) S 0 0 0 0 -1 2129984 0\n", &st), 0);
	ck_assert(st.kthread);
	ck_assert(!st.exiting);
	ck_assert_uint_eq(st.ppid, 0);
	ck_assert_uint_eq(st.start, 0);
	ck_assert_int_eq(proc_stat_parse("9 (a) S 1 9 9 0 -1 4194308 0\n", &st), 0);
	ck_assert(st.exiting);
}
END_TEST

START_TEST(stat_in_a_time_namespace)
{
	struct proc_stat st;
	uint64_t boot = clock_boot();

	clock_set_offsets(0, 100 * (int64_t)NSEC_PER_SEC);
	ck_assert_int_eq(proc_stat_parse("15704 (cat) R" STAT_TAIL, &st), 0);
	ck_assert_uint_eq(st.start, 82720 - 100 * NSEC_PER_SEC / proc_tick_ns());
	ck_assert_uint_lt(clock_boot(), boot);
	clock_set_offsets(0, 0);
}
END_TEST

START_TEST(io_text)
{
	static const char text[] = "rchar: 10\nwchar: 20\nsyscr: 3\nsyscw: 4\nread_bytes: "
				   "4096\nwrite_bytes: 18446744073709551615\n"
				   "cancelled_write_bytes: 512\n";
	struct proc_io io;

	ck_assert_int_eq(proc_io_parse(text, &io), 0);
	ck_assert_uint_eq(io.rchar, 10);
	ck_assert_uint_eq(io.wchar, 20);
	ck_assert_uint_eq(io.read_bytes, 4096);
	ck_assert_uint_eq(io.write_bytes, UINT64_MAX);
	ck_assert_uint_eq(io.cancelled_bytes, 512);
	ck_assert_int_eq(proc_io_parse("", &io), -EINVAL);
	ck_assert_int_eq(proc_io_parse("rchar: 1\nwchar: 2\n", &io), -EINVAL);
}
END_TEST

START_TEST(status_text)
{
	uint32_t uid = 7;

	ck_assert_int_eq(proc_status_uid("Name:\tUid:\nUid:\t1000\t0\t0\t0\n", &uid), 0);
	ck_assert_uint_eq(uid, 1000);
	ck_assert_int_eq(proc_status_uid("Name:\tx\n", &uid), -EINVAL);
	ck_assert_int_eq(proc_status_uid("Uid:\t99999999999\n", &uid), -EINVAL);
	ck_assert_int_eq(proc_status_uid("Uid:\tx\n", &uid), -EINVAL);
	ck_assert_uint_eq(uid, 1000);
}
END_TEST

static const struct {
	const char *text, *path;
	bool unified;
} cgroups[] = {
	{ "0::/user.slice/a.scope\n", "/user.slice/a.scope", true },
	{ "0::/\n", "/", true },
	{ "5:cpu,cpuacct:/x\n1:name=systemd:/system.slice/b\n0::/\n", "/system.slice/b", false },
	{ "5:blkio:/x\n0::/\n", "/x", false },
	{ "5:cpu:/x\n0::/\n", "/", true },
	{ "1:name=systemd:/b\n0::/c:d\n", "/c:d", true },
	{ "", NULL, false },
	{ "nonsense\n::\n0::relative\n", NULL, false },
};

START_TEST(cgroup_text)
{
	const char *path = NULL;
	size_t len = 0;
	bool unified = false;
	int r = proc_cgroup_parse(cgroups[_i].text, &path, &len, &unified);

	if (!cgroups[_i].path) {
		ck_assert_int_eq(r, -ENOENT);
		return;
	}
	ck_assert_int_eq(r, 0);
	ck_assert_uint_eq(len, strlen(cgroups[_i].path));
	ck_assert_mem_eq(path, cgroups[_i].path, len);
	ck_assert_int_eq(unified, cgroups[_i].unified);
}
END_TEST

START_TEST(values)
{
	uint64_t v = 1, some = 0, full = 0, load[3], tasks = 0;

	ck_assert_int_eq(proc_value("pswpin 12\npswpout 13\n", "pswpout", &v), 0);
	ck_assert_uint_eq(v, 13);
	ck_assert_int_eq(proc_value("pswpin 12\n", "pswp", &v), -ENOENT);
	ck_assert_int_eq(
		proc_pressure_parse("some avg10=0.00 avg60=1.25 avg300=0.70 total=16015644\n"
				    "full avg10=0.00 avg60=0.00 avg300=0.00 total=77\n",
				    &some, &full),
		0);
	ck_assert_uint_eq(some, 16015644);
	ck_assert_uint_eq(full, 77);
	ck_assert_int_eq(proc_pressure_parse("some avg10=0.00\nfull total=5\n", &some, &full),
			 -EINVAL);
	ck_assert_int_eq(proc_loadavg_parse("1.56 0.07 10.00 2/107 7641\n", load, &tasks), 0);
	ck_assert_uint_eq(load[0], 156);
	ck_assert_uint_eq(load[1], 7);
	ck_assert_uint_eq(load[2], 1000);
	ck_assert_uint_eq(tasks, 107);
	ck_assert_int_eq(proc_loadavg_parse("1.56 0.07\n", load, &tasks), -EINVAL);
	ck_assert_int_eq(proc_loadavg_parse("", load, &tasks), -EINVAL);
}
END_TEST

START_TEST(diskstats)
{
	static const char text[] = "   8       1 sda1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"
				   "\n"
				   " 259 0 nvme0n1 1 2 3 4 5 6 7 8 9 10 11\n"
				   " 8 2 sda2 1 2 3\n"
				   " 4096 0 far 1 2 3 4 5 6 7 8 9 10 11\n"
				   " 104 0 cciss/c0d0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 "
				   "19";
	const char *p = text, *name;
	struct sample_disk d;
	size_t len;

	ck_assert_int_eq(proc_diskstats_line(&p, &d, &name, &len), 1);
	ck_assert_uint_eq(d.dev, 8u << 20 | 1);
	ck_assert_uint_eq(len, 4);
	ck_assert_mem_eq(name, "sda1", 4);
	ck_assert_uint_eq(d.rd_ios, 1);
	ck_assert_uint_eq(d.wr_sectors, 7);
	ck_assert_uint_eq(d.io_ms, 10);
	ck_assert_uint_eq(d.dc_ios, 12);
	ck_assert_uint_eq(d.fl_ms, 17);
	ck_assert_int_eq(proc_diskstats_line(&p, &d, &name, &len), -EINVAL);
	ck_assert_int_eq(proc_diskstats_line(&p, &d, &name, &len), 1);
	ck_assert_uint_eq(d.dev, 259u << 20);
	ck_assert_uint_eq(d.weighted_ms, 11);
	ck_assert_uint_eq(d.dc_ios, 0);
	ck_assert_int_eq(proc_diskstats_line(&p, &d, &name, &len), -EINVAL);
	ck_assert_int_eq(proc_diskstats_line(&p, &d, &name, &len), -EINVAL);
	ck_assert_int_eq(proc_diskstats_line(&p, &d, &name, &len), 1);
	ck_assert_mem_eq(name, "cciss/c0d0", 10);
	ck_assert_int_eq(proc_diskstats_line(&p, &d, &name, &len), 0);
}
END_TEST

START_TEST(mountinfo)
{
	static const char text[] =
		"27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard\n"
		"28 27 0:25 /@home /mnt/a\\040b rw - btrfs /dev/sdb1 ro\n"
		"broken\n"
		"29 27 8:1 / /x rw shared:1 ext4 /dev/sda1 rw\n";
	const char *p = text;
	struct proc_mount m;
	char point[64];

	ck_assert_int_eq(proc_mountinfo_line(&p, &m), 1);
	ck_assert_uint_eq(m.dev, 254u << 20);
	ck_assert_mem_eq(m.fstype, "ext4", m.fstype_len);
	ck_assert_mem_eq(m.source, "/dev/vda", m.source_len);
	ck_assert_mem_eq(m.super, "rw,discard", m.super_len);
	ck_assert_int_eq(proc_mountinfo_line(&p, &m), 1);
	ck_assert_uint_eq(m.dev, 25);
	ck_assert_uint_eq(m.root_len, 6);
	proc_unescape(point, m.point, m.point_len);
	ck_assert_str_eq(point, "/mnt/a b");
	ck_assert_int_eq(proc_mountinfo_line(&p, &m), -EINVAL);
	ck_assert_int_eq(proc_mountinfo_line(&p, &m), -EINVAL);
	ck_assert_int_eq(proc_mountinfo_line(&p, &m), 0);
	proc_unescape(point, "\\", 1);
	ck_assert_str_eq(point, "\\");
	proc_unescape(point, "\\04", 3);
	ck_assert_str_eq(point, "\\04");
	proc_unescape(point, "\\134\\999", 8);
	ck_assert_str_eq(point, "\\\\999");
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("proc", NULL, NULL);

	tcase_add_loop_test(tcase, stat_text, 0, ARRAY_SIZE(stats));
	tcase_add_test(tcase, stat_short);
	tcase_add_test(tcase, stat_in_a_time_namespace);
	tcase_add_test(tcase, io_text);
	tcase_add_test(tcase, status_text);
	tcase_add_loop_test(tcase, cgroup_text, 0, ARRAY_SIZE(cgroups));
	tcase_add_test(tcase, values);
	tcase_add_test(tcase, diskstats);
	tcase_add_test(tcase, mountinfo);
	return unit_run();
}
