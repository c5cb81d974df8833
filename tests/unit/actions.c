// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What changes the system: kernel.task_delayacct, priorities, signals. Each only for the task
 * meant, and none with --secure.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/actions.h"
#include "collect/collect.h"
#include "collect/delayacct.h"
#include "collect/proc/proc.h"

#define SEC NSEC_PER_SEC

static char dir[64], path[128], cmdline[128];
static struct collect_options opt;

static void put(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static int switch_is(void)
{
	struct buf b = { 0 };
	int c;

	ck_assert_int_eq(buf_read_file(&b, AT_FDCWD, path, 16), 0);
	c = b.data[0];
	buf_release(&b);
	return c;
}

static void setup(void)
{
	char name[128];

	unit_mkdtemp(dir, sizeof(dir));
	snprintf(name, sizeof(name), "%s/sys", dir);
	mkdir(name, 0700);
	snprintf(name, sizeof(name), "%s/sys/kernel", dir);
	mkdir(name, 0700);
	snprintf(path, sizeof(path), "%s/sys/kernel/task_delayacct", dir);
	snprintf(cmdline, sizeof(cmdline), "%s/cmdline", dir);
	opt = (struct collect_options){ .no_bpf = true, .proc = dir, .sys = dir };
}

/* A sample at this moment with a task that started then, both with delays. */
static struct sample *sample_at(uint64_t boot, uint64_t start)
{
	struct sample *s = sample_new();
	struct sample_task *t = sample_add_row(s, TASK, struct sample_task);

	s->boot = boot;
	t->id = (struct task_id){ 7, 7, start };
	t->have = SRC_TASKS | SRC_DELAYS;
	t->blkio_ns = 5;
	sample_source(s, SRC_DELAYS, SOURCE_ON, NULL);
	return s;
}

static void expect(struct delayacct *d, uint64_t boot, uint64_t start, enum source_state state,
		   bool have)
{
	struct sample *s = sample_at(boot, start);
	struct sample_task *t = s->tables[TABLE_TASK].rows;
	struct sample_source *row = s->tables[TABLE_SOURCE].rows;

	delayacct_read(d, boot);
	delayacct_fill(d, s);
	ck_assert_uint_eq(row->state, state);
	ck_assert_int_eq(row->state == SOURCE_ON, !row->reason);
	ck_assert_int_eq(!!(t->have & SRC_DELAYS), have);
	ck_assert_uint_eq(t->blkio_ns, have ? 5 : 0);
	sample_free(s);
}

START_TEST(switched_by_us)
{
	struct delayacct *d;
	struct err err = { "" };
	uint64_t now = clock_boot();

	put(path, "0\n");
	d = delayacct_new(&opt);
	ck_assert_int_eq(delayacct_get(d), 0);
	expect(d, now, now - SEC, SOURCE_OFF, false);
	ck_assert_msg(delayacct_set(d, true, &err) == 0, "%s", err.text);
	ck_assert_int_eq(switch_is(), '1');
	/* Who started before has no delays, and never will. */
	expect(d, now + SEC, now - SEC, SOURCE_PART, false);
	expect(d, now + SEC, now + SEC, SOURCE_ON, true);
	delayacct_free(d);
	ck_assert_int_eq(switch_is(), '0');
}
END_TEST

START_TEST(switched_by_others)
{
	struct delayacct *d;

	put(path, "1\n");
	d = delayacct_new(&opt);
	expect(d, 10 * SEC, 5 * SEC, SOURCE_ON, true);
	put(path, "0\n");
	expect(d, 20 * SEC, 5 * SEC, SOURCE_OFF, false);
	put(path, "1\n");
	expect(d, 30 * SEC, 5 * SEC, SOURCE_PART, false);
	expect(d, 40 * SEC, 35 * SEC, SOURCE_ON, true);
	put(path, "0\n");
	/* Not ours: it stays as it is. */
	delayacct_free(d);
	ck_assert_int_eq(switch_is(), '0');
}
END_TEST

START_TEST(no_switch)
{
	struct delayacct *d;
	struct err err = { "" };

	put(cmdline, "root=/dev/x quiet\n");
	d = delayacct_new(&opt);
	ck_assert_int_eq(delayacct_get(d), 2);
	expect(d, 10 * SEC, 5 * SEC, SOURCE_ON, true);
	ck_assert_int_eq(delayacct_set(d, true, &err), -ENOTSUP);
	put(cmdline, "root=/dev/x nodelayacct\n");
	expect(d, 10 * SEC, 5 * SEC, SOURCE_OFF, false);
	delayacct_free(d);
}
END_TEST

/* A child that sleeps, as an id. */
static struct task_id child(void)
{
	struct buf b = { 0 };
	struct proc_stat st;
	char name[32];
	pid_t pid = fork();

	if (pid == 0) {
		pause();
		_exit(0);
	}
	snprintf(name, sizeof(name), "/proc/%d/stat", (int)pid);
	ck_assert_int_eq(buf_read_file(&b, AT_FDCWD, name, 4096), 0);
	ck_assert_int_eq(proc_stat_parse(b.data, &st), 0);
	buf_release(&b);
	return (struct task_id){ (uint32_t)pid, (uint32_t)pid, st.start * proc_tick_ns() + 5 };
}

static int end(const struct task_id *id)
{
	int status;

	kill((pid_t)id->tgid, SIGKILL);
	ck_assert_int_eq(waitpid((pid_t)id->tgid, &status, 0), (pid_t)id->tgid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

START_TEST(signals)
{
	struct task_id id = child(), other = id, residual = { 0, 2, 0 };
	struct err err = { "" };
	siginfo_t ended;

	/* The same number, another task: it is left alone. */
	other.start += 10 * proc_tick_ns();
	ck_assert_int_eq(task_kill(&other, SIGTERM, &err), -ESRCH);
	ck_assert_int_eq(task_kill(&residual, SIGTERM, &err), -ESRCH);
	ck_assert_int_eq(waitpid((pid_t)id.tgid, NULL, WNOHANG), 0);
	ck_assert_msg(task_kill(&id, SIGUSR1, &err) == 0, "%s", err.text);
	/* Of two signals that wait the lower number is first. */
	ck_assert_int_eq(waitid(P_PID, (id_t)id.tgid, &ended, WEXITED | WNOWAIT), 0);
	ck_assert_int_eq(end(&id), SIGUSR1);
	ck_assert_int_eq(task_kill(&id, SIGTERM, &err), -ESRCH);
	ck_assert_ptr_nonnull(strstr(err.text, "has ended"));
}
END_TEST

static long ioprio(const struct task_id *id)
{
	return syscall(SYS_ioprio_get, 1, (int)id->tid);
}

START_TEST(priorities)
{
	struct task_id id = child(), other = id;
	struct err err = { "" };
	unsigned before = actions_changes();

	other.start -= 10 * proc_tick_ns();
	ck_assert_int_eq(task_ioprio_set(&other, 3 << 13, false, &err), -ESRCH);
	ck_assert_uint_eq(actions_changes(), before);
	ck_assert_msg(task_ioprio_set(&id, 3 << 13, false, &err) == 0, "%s", err.text);
	ck_assert_int_eq(ioprio(&id) >> 13, 3);
	ck_assert_msg(task_ioprio_set(&id, 2 << 13 | 6, true, &err) == 0, "%s", err.text);
	ck_assert_int_eq(ioprio(&id), 2 << 13 | 6);
	ck_assert_uint_gt(actions_changes(), before);
	ck_assert_int_eq(task_ioprio_set(&id, 7 << 13, false, &err), -EINVAL);
	ck_assert(err.text[0]);
	end(&id);
}
END_TEST

/*
 * With --secure nothing is touched; the test runs in a process of its own, so nobody else is
 * secured.
 */
START_TEST(secure)
{
	struct task_id id = child();
	struct collect_set *set;
	struct err err = { "" };

	put(path, "0\n");
	opt.secure = true;
	set = collect_open(&opt);
	ck_assert_int_eq(task_kill(&id, SIGTERM, &err), -EPERM);
	ck_assert_int_eq(task_ioprio_set(&id, 3 << 13, true, &err), -EPERM);
	ck_assert_int_eq(collect_delayacct_set(set, true, &err), -EPERM);
	ck_assert_ptr_nonnull(strstr(err.text, "--secure"));
	ck_assert_int_eq(switch_is(), '0');
	collect_close(set);
	ck_assert_int_eq(end(&id), SIGKILL);
}
END_TEST

UNIT_FIXTURE_MAIN("actions", setup, NULL, switched_by_us, switched_by_others, no_switch,
		  signals, priorities, secure)
