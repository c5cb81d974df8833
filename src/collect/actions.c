// SPDX-License-Identifier: GPL-2.0-or-later
/* What a person may do to a task. The task is checked to be still the one that was shown. */
#include "collect/actions.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/parse.h"
#include "collect/privilege.h"
#include "collect/proc/proc.h"

#define IOPRIO_WHO_PROCESS 1

/* Once --secure was given nothing takes it back. */
static bool refused;
/* How often a priority was set: who keeps priorities reads them again. */
static unsigned changes;

void actions_refuse(void)
{
	refused = true;
}

/* 0 when /proc/TGID/task/TID is this very task. */
static int check_task(const struct task_id *id, struct err *err)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	char path[64];
	struct proc_stat st;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/stat", id->tgid, id->tid);
	if (buf_read_file(&b, AT_FDCWD, path, 4096) < 0 || !b.len ||
	    proc_stat_parse(b.data, &st) < 0 || st.start != id->start / proc_tick_ns())
		return err_set(err, ESRCH, _("task %u has ended"), id->tid);
	return 0;
}

unsigned actions_changes(void)
{
	return changes;
}

static int check_allowed(const struct task_id *id, struct err *err)
{
	if (refused)
		return err_set(err, EPERM, _("not with --secure"));
	/* A residual like [journal] has a small number for a tid: no process to act on. */
	if (!id->start || !id->tid || !id->tgid)
		return err_set(err, ESRCH, _("this row is not a task"));
	return check_task(id, err);
}

static int set_one(uint32_t tid, uint32_t ioprio)
{
	return syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, (int)tid, (int)ioprio) < 0 ? -errno : 0;
}

/* Every thread; one that ends meanwhile is none of our business. */
static int set_threads(const struct task_id *id, uint32_t ioprio)
{
	char path[32];
	struct dirent *e;
	DIR *dir;
	int result = 0;

	snprintf(path, sizeof(path), "/proc/%u/task", id->tgid);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while ((e = readdir(dir))) {
		uint32_t tid;
		int r;

		if (parse_u32(e->d_name, &tid) < 0)
			continue;
		r = set_one(tid, ioprio);
		if (r < 0 && r != -ESRCH)
			result = r;
	}
	closedir(dir);
	return result;
}

int task_ioprio_set(const struct task_id *id, uint32_t ioprio, bool whole_process, struct err *err)
{
	int r = check_allowed(id, err);
	uint64_t before;

	if (r < 0)
		return r;
	changes++;
	before = privilege_raise(PRIV_PRIORITY);
	r = whole_process ? set_threads(id, ioprio) : set_one(id->tid, ioprio);
	privilege_restore(before);
	if (r == -EPERM)
		return err_set(err, EPERM,
			_("no right to set the I/O priority of %u: other users' tasks and "
			  "real-time need root"), id->tid);
	if (r < 0)
		return err_set(err, -r, _("I/O priority of %u: %s"), id->tid, strerror(-r));
	return 0;
}

int task_kill(const struct task_id *id, int signal, struct err *err)
{
	int r = check_allowed(id, err), fd, code;
	uint64_t before;

	if (r < 0)
		return r;
	/* The descriptor holds the process: checked again, it cannot turn into another one. */
	fd = (int)syscall(SYS_pidfd_open, (int)id->tgid, 0);
	if (fd < 0)
		return err_set(err, errno, _("process %u: %s"), id->tgid, strerror(errno));
	r = check_task(id, err);
	before = privilege_raise(PRIV_SIGNAL);
	code = !r && syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) < 0 ? errno : 0;
	privilege_restore(before);
	if (code)
		r = err_set(err, code, _("signal %d to %u: %s"), signal, id->tgid, strerror(code));
	close(fd);
	return r;
}
