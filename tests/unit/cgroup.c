// SPDX-License-Identifier: GPL-2.0-or-later
/* What --cgroup opens, in a folder that stands for a mounted cgroup2. */
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "collect/proc/cgroup.h"
#include "collect/proc/cgroup_limit.h"

static char point[96];

static void folders(const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(mkdir(path_of(names[i]), 0700), 0);
}

static void setup(void)
{
	static const char *const names[] = {
		"proc", "proc/self", "mount", "mount/web", "mount/web/one",
		"mount/..dots", "secret", "secret/inside", "mountain",
	};
	char line[256];
	int n;

	folder_setup();
	folders(names, ARRAY_SIZE(names));
	snprintf(point, sizeof(point), "%s/mount", folder);
	n = snprintf(line, sizeof(line), "30 20 0:26 / %s rw,nosuid - cgroup2 cgroup2 rw\n", point);
	write_file("proc/self/mountinfo", line, (size_t)n);
	write_file("mount/cgroup.procs", "1\n", 2);
	ck_assert_int_eq(symlink("../secret", path_of("mount/link")), 0);
	ck_assert_int_eq(symlink("web", path_of("mount/alias")), 0);
}

/*
 * Before 5.6 the kernel does not know openat2(); some containers refuse it. The process of the test
 * is the only one it holds for.
 */
static void without_openat2(int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = ARRAY_SIZE(code), .filter = code };

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
	ck_assert(syscall(SYS_openat2, -1, "", NULL, 0) < 0 && errno == error);
}

static int open_group(const char *path, struct buf *ret)
{
	char proc[96];

	snprintf(proc, sizeof(proc), "%s/proc", folder);
	buf_reset(ret);
	return cgroup_open(proc, path, ret);
}

static void check_all(void)
{
	static const struct {
		const char *path, *name;
	} good[] = {
		{ "web", "/web" }, { "/web", "/web" }, { "//web//one/", "/web/one" },
		{ "web/one", "/web/one" }, { "/", "" },
		{ ".", "" }, { "..dots", "/..dots" }, { "./web/./one", "/web/one" },
	};
	static const char *const bad[] = {
		"..", "../", "../secret", "../secret/inside", "../nothing", "web/../../secret",
			"web/../../nothing", "web/..", "../mount",
		"../../../../../../../../root", "../../../../../../../../nothing", "link",
			"link/inside", "link/nothing", "alias",
		"alias/one", "cgroup.procs", "cgroup.procs/x", "nothing", "web/nothing",
	};
	char path[160], far[300];
	struct buf name = { 0 };
	int fd;

	for (size_t i = 0; i < 2 * ARRAY_SIZE(good); i++) {
		/* By its whole path as well. */
		snprintf(path, sizeof(path), "%s%s%s", i % 2 ? point : "", i % 2 ? "/" : "",
			 good[i / 2].path);
		fd = open_group(path, &name);
		ck_assert_msg(fd >= 0, "%s: %s", path, strerror(-fd));
		ck_assert_str_eq(name.data ? name.data : "", good[i / 2].name);
		close(fd);
	}
	for (size_t i = 0; i < 2 * ARRAY_SIZE(bad); i++) {
		snprintf(path, sizeof(path), "%s%s%s", i % 2 ? point : "", i % 2 ? "/" : "",
			 bad[i / 2]);
		fd = open_group(path, &name);
		ck_assert_msg(fd == -ENOENT, "%s: %d", path, fd);
	}
	ck_assert_int_eq(open_group(path_of("secret"), &name), -ENOENT);
	/* Begins like the mount point and is another folder. */
	ck_assert_int_eq(open_group(path_of("mountain"), &name), -ENOENT);
	memset(far, 'x', sizeof(far));
	far[sizeof(far) - 1] = '\0';
	ck_assert_int_lt(open_group(far, &name), 0);
	buf_release(&name);
}

START_TEST(only_what_lies_beneath)
{
	check_all();
}
END_TEST

START_TEST(only_what_lies_beneath_before_openat2)
{
	without_openat2(ENOSYS);
	check_all();
}
END_TEST

START_TEST(only_what_lies_beneath_in_a_container)
{
	without_openat2(EPERM);
	check_all();
}
END_TEST

/* Without its files a folder stands for one that the kernel has removed. */
START_TEST(made_anew)
{
	char proc[96], gone[96];
	struct stat st, now;
	int fd = -1;

	snprintf(proc, sizeof(proc), "%s/proc", folder);
	snprintf(gone, sizeof(gone), "%s/secret/gone", folder);
	ck_assert_int_eq(cgroup_follow(proc, "/web/one", &fd), 1);
	ck_assert_int_eq(cgroup_follow(proc, "/web/one", &fd), 1);
	write_file("mount/web/one/cgroup.procs", "", 0);
	ck_assert_int_eq(cgroup_follow(proc, "/web/one", &fd), 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_int_eq(unlink(path_of("mount/web/one/cgroup.procs")), 0);
	ck_assert_int_eq(rename(path_of("mount/web/one"), gone), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(cgroup_follow(proc, "/web/one", &fd), -ENOENT);
		ck_assert_int_eq(fd, -1);
	}
	ck_assert_int_eq(mkdir(path_of("mount/web/one"), 0700), 0);
	ck_assert_int_eq(cgroup_follow(proc, "/web/one", &fd), 1);
	ck_assert_int_eq(fstat(fd, &now), 0);
	ck_assert_int_ne(st.st_ino, now.st_ino);
	close(fd);
}
END_TEST

START_TEST(limits)
{
	static const struct {
		const char *text, *key, *words;
	} t[] = {
		{ "", NULL, NULL },
		{ "8:0 rbps=max wbps=max riops=20 wiops=max\n", NULL, " riops=20" },
		{ "8:0 rbps=1000 wbps=max riops=max wiops=5\n"
		  "7:1 rbps=max wbps=9 riops=max wiops=max\n", NULL,
		  " 8:0 rbps=1000 wiops=5 7:1 wbps=9" },
		{ "8:0 rbps=max wbps=max riops=max wiops=max\n", NULL, NULL },
		{ "8:0\n", NULL, NULL },
		{ "8:0 20\n", "riops", " riops=20" },
		{ "8:0 20\n8:16 30\n", "wbps", " 8:0 wbps=20 8:16 wbps=30" },
		{ "", "wbps", NULL },
		{ "8:0 target=75000\n", NULL, " target=75000" },
		{ "default 100\n", "", " 100" },
		{ "default 100\n8:0 50\n", "", " 100 8:0 50" },
		{ "", "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		_cleanup_(buf_release) struct buf words = { 0 };

		if (t[i].key && !*t[i].key)
			cgroup_limit_weight(t[i].text, &words);
		else if (t[i].key)
			cgroup_limit_device(t[i].text, t[i].key, &words);
		else
			cgroup_limit_max(t[i].text, &words);
		ck_assert_pstr_eq(words.len ? words.data : NULL, t[i].words);
	}
}
END_TEST

static void put_latency(const char *path, const char *text)
{
	write_file(path, text, strlen(text));
}

/* A group waits for the targets of those beside it that are shorter than its own. */
START_TEST(latency_of_others)
{
	static const char *const names[] = { "mount/db", "mount/web/two" };
	_cleanup_(buf_release) struct buf set = { 0 }, holds = { 0 }, no = { 0 };
	int root = open(point, O_PATH | O_DIRECTORY);

	folders(names, ARRAY_SIZE(names));
	put_latency("mount/..dots/io.latency", "8:0 target=501\n8:16 target=1\n");
	put_latency("mount/db/io.latency", "8:0 target=500\n8:16 target=900\n");
	put_latency("mount/web/io.latency", "8:0 target=700\n8:16 target=800\n8:32 target=5\n");
	put_latency("mount/web/one/io.latency", "");
	put_latency("mount/web/two/io.latency", "8:0 target=300\n");
	cgroup_limit_read(root, "/web/one", true, &set);
	ck_assert_str_eq(set.data,
			 "io.latency 8:0 target=700 8:16 target=800 8:32 target=5 (/web)");
	cgroup_limit_holding(root, "/web/one", true, &holds);
	ck_assert_str_eq(holds.data, "io.latency 8:0 target=300 (/web/two); "
				     "io.latency 8:0 target=500 (/db) 8:16 target=1 (/..dots)");
	cgroup_limit_holding(root, "/web/two", true, &no);
	ck_assert_str_eq(no.data, "io.latency 8:0 target=500 (/db) 8:16 target=1 (/..dots)");
	close(root);
}
END_TEST

UNIT_FIXTURE_MAIN("cgroup", setup, folder_teardown, only_what_lies_beneath, limits, made_anew,
		  latency_of_others,
		  only_what_lies_beneath_before_openat2, only_what_lies_beneath_in_a_container)
