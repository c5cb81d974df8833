// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.task_delayacct is put back whatever way the iotops end that changed it, in folders that
 * stand for /proc and /run.
 */
#include "folder.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/collector.h"
#include "collect/delayacct.h"

#define SWITCH "proc/sys/kernel/task_delayacct"
#define MARK "run/iotop/delayacct"

static struct collect_options opt;
static char proc[96], run[96];
/* What a process has that ends without freeing it; from here a search for leaks finds it. */
static struct delayacct *volatile never_freed;

static void setup(void)
{
	static const char *const names[] = { "proc", "proc/sys", "proc/sys/kernel", "run" };

	folder_setup();
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ck_assert_int_eq(mkdir(path_of(names[i]), 0700), 0);
	snprintf(proc, sizeof(proc), "%s/proc", folder);
	snprintf(run, sizeof(run), "%s/run", folder);
	write_file(SWITCH, "0\n", 2);
	opt = (struct collect_options){ .no_bpf = true, .proc = proc, .sys = proc, .run = run };
}

static int first_of(const char *name)
{
	struct buf b = { 0 };
	int c = buf_read_file(&b, AT_FDCWD, path_of(name), 16) < 0 || !b.len ? -1 : b.data[0];

	buf_release(&b);
	return c;
}

static bool marked(void)
{
	return !access(path_of(MARK), F_OK);
}

static struct delayacct *switched_on(void)
{
	struct delayacct *d = delayacct_new(&opt);
	struct err err = { "" };

	ck_assert_msg(delayacct_set(d, true, &err) == 0, "%s", err.text);
	return d;
}

/* Another iotop, which has switched it on; it ends when it is told through `end', or is killed. */
struct other {
	pid_t pid;
	int end;
};

static struct other other_start(void)
{
	int ready[2], end[2];
	struct other o;
	char c;

	ck_assert(!pipe(ready) && !pipe(end));
	o.pid = fork();
	if (!o.pid) {
		struct delayacct *d;

		close(end[1]);
		d = switched_on();
		if (write(ready[1], "x", 1) != 1 || read(end[0], &c, 1) != 1)
			_exit(1);
		delayacct_free(d);
		_exit(0);
	}
	o.end = end[1];
	close(end[0]);
	ck_assert_int_eq(read(ready[0], &c, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return o;
}

static void other_end(const struct other *o, bool kill_it)
{
	int status;

	if (kill_it)
		kill(o->pid, SIGKILL);
	else
		ck_assert_int_eq(write(o->end, "x", 1), 1);
	close(o->end);
	ck_assert_int_eq(waitpid(o->pid, &status, 0), o->pid);
	ck_assert(kill_it ? WIFSIGNALED(status) : WIFEXITED(status) && !WEXITSTATUS(status));
}

static void next_start(bool repairs)
{
	struct delayacct *d = delayacct_new(&opt);

	ck_assert_int_eq(delayacct_repaired(d), repairs);
	ck_assert_int_eq(first_of(SWITCH), '0');
	ck_assert(!marked());
	delayacct_free(d);
	ck_assert_int_eq(first_of(SWITCH), '0');
}

START_TEST(ends_as_it_should)
{
	struct delayacct *d = switched_on();
	struct stat st;

	ck_assert_int_eq(first_of(SWITCH), '1');
	ck_assert_int_eq(first_of(MARK), '0');
	ck_assert(!stat(path_of(MARK), &st) && (st.st_mode & 07777) == 0600);
	ck_assert(!stat(path_of("run/iotop"), &st) && (st.st_mode & 07777) == 0700);
	delayacct_free(d);
	next_start(false);
}
END_TEST

START_TEST(killed)
{
	struct other o = other_start();

	other_end(&o, true);
	ck_assert_int_eq(first_of(SWITCH), '1');
	ck_assert(marked());
	next_start(true);
	next_start(false);
}
END_TEST

/* By exit(), as without memory, with nothing freed; what it has forked puts nothing back. */
START_TEST(exits)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		never_freed = switched_on();
		pid = fork();
		if (!pid)
			exit(0);
		waitpid(pid, &status, 0);
		exit(first_of(SWITCH) == '1' ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(first_of(SWITCH), '0');
	next_start(false);
}
END_TEST

/*
 * Whoever ends first, and how: as long as one is there that wants it, it stays; then it is put
 * back.
 */
START_TEST(two)
{
	for (unsigned how = 0; how < 16; how++) {
		bool kill_first = how & 1, kill_second = how & 2, swap = how & 4, late = how & 8;
		struct other a = other_start(), b = other_start(), *first = swap ? &b : &a,
			     *second = swap ? &a : &b;
		struct delayacct *d;

		other_end(first, kill_first);
		ck_assert_int_eq(first_of(SWITCH), '1');
		/* One that starts meanwhile finds it held, and changes nothing. */
		d = late ? NULL : delayacct_new(&opt);
		ck_assert(!d || !delayacct_repaired(d));
		delayacct_free(d);
		ck_assert_int_eq(first_of(SWITCH), '1');
		other_end(second, kill_second);
		ck_assert_int_eq(first_of(SWITCH), kill_second ? '1' : '0');
		ck_assert_int_eq(marked(), kill_second);
		next_start(kill_second);
	}
}
END_TEST

/* One that was there before the other was killed, and one that came after. */
START_TEST(started_on)
{
	struct other o = other_start();
	struct delayacct *d = delayacct_new(&opt);
	struct err err = { "" };

	other_end(&o, true);
	ck_assert_int_eq(delayacct_set(d, true, &err), 0);
	delayacct_free(d);
	next_start(false);
	/* It was on: it stays. */
	write_file(SWITCH, "1\n", 2);
	d = delayacct_new(&opt);
	ck_assert_int_eq(delayacct_set(d, false, &err), 0);
	ck_assert_int_eq(first_of(MARK), '1');
	delayacct_free(d);
	ck_assert_int_eq(first_of(SWITCH), '1');
	ck_assert(!marked());
}
END_TEST

/* Without a mark it is as good as it can be. */
static void without(void)
{
	struct delayacct *d = switched_on();

	ck_assert_int_eq(first_of(SWITCH), '1');
	delayacct_free(d);
	ck_assert_int_eq(first_of(SWITCH), '0');
}

START_TEST(without_a_folder)
{
	opt.run = "/nonexistent";
	without();
	opt.run = NULL;
	without();
	opt.run = run;
	/* A file where the folder should be. */
	write_file("run/iotop", "x", 1);
	without();
}
END_TEST

/* What is in the way is not touched, and nothing is believed of it. */
START_TEST(not_the_mark)
{
	struct delayacct *d;

	write_file("precious", "1\n", 2);
	ck_assert_int_eq(mkdir(path_of("run/iotop"), 0700), 0);
	for (unsigned kind = 0; kind < 5; kind++) {
		char to[160];

		snprintf(to, sizeof(to), "%s/precious", folder);
		if (kind == 0)
			ck_assert_int_eq(symlink(to, path_of(MARK)), 0);
		else if (kind == 1)
			ck_assert_int_eq(link(to, path_of(MARK)), 0);
		else if (kind == 2)
			ck_assert_int_eq(mkfifo(path_of(MARK), 0600), 0);
		else if (kind == 3)
			ck_assert_int_eq(mkdir(path_of(MARK), 0700), 0);
		else
			/* Others may put what they like in this folder. */
			ck_assert(!chmod(path_of("run/iotop"), 0777));
		if (kind == 4)
			write_file(MARK, "1\n", 2);
		d = delayacct_new(&opt);
		ck_assert(!delayacct_repaired(d));
		delayacct_free(d);
		ck_assert_int_eq(first_of(SWITCH), '0');
		without();
		ck_assert_int_eq(first_of("precious"), '1');
		ck_assert(!remove(path_of(MARK)));
	}
}
END_TEST

/* Cut off in the middle of being made: nothing was changed then. */
START_TEST(nothing_in_it)
{
	static const char *const texts[] = { "", "1", "x\n", "11" };

	ck_assert_int_eq(mkdir(path_of("run/iotop"), 0700), 0);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		write_file(MARK, texts[i], strlen(texts[i]));
		ck_assert_int_eq(chmod(path_of(MARK), 0600), 0);
		next_start(false);
	}
}
END_TEST

START_TEST(with_secure)
{
	struct other o = other_start();

	other_end(&o, true);
	opt.secure = true;
	delayacct_free(delayacct_new(&opt));
	ck_assert_int_eq(first_of(SWITCH), '1');
	opt.secure = false;
	next_start(true);
}
END_TEST

static void come_and_go(unsigned seed)
{
	for (unsigned i = 0; i < 40; i++) {
		struct delayacct *d = delayacct_new(&opt);
		struct err err;

		seed = seed * 1103515245 + 12345;
		if (seed & 1 << 16)
			delayacct_set(d, true, &err);
		if (seed & 1 << 17)
			delayacct_set(d, false, &err);
		usleep(seed >> 20 & 0x3ff);
		if ((seed >> 24) % 32 == 0)
			kill(getpid(), SIGKILL);
		delayacct_free(d);
	}
}

/* All at once; some are killed in the middle. */
START_TEST(many)
{
	pid_t pids[8];

	for (unsigned i = 0; i < ARRAY_SIZE(pids); i++) {
		pids[i] = fork();
		if (!pids[i]) {
			come_and_go((unsigned)_i * 100 + i);
			_exit(0);
		}
	}
	for (unsigned i = 0; i < ARRAY_SIZE(pids); i++)
		ck_assert_int_eq(waitpid(pids[i], NULL, 0), pids[i]);
	delayacct_free(delayacct_new(&opt));
	ck_assert_int_eq(first_of(SWITCH), '0');
	ck_assert(!marked());
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		ends_as_it_should, killed,	 two,		started_on,
		without_a_folder,  not_the_mark, nothing_in_it, with_secure,
		exits,
	};
	TCase *tcase = unit_case("mark", setup, folder_teardown);

	for (size_t i = 0; i < ARRAY_SIZE(tests); i++)
		tcase_add_test(tcase, tests[i]);
	tcase_add_loop_test(tcase, many, 0, 10);
	return unit_run();
}
