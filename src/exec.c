// SPDX-License-Identifier: GPL-2.0-or-later
#include "exec.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "base/mem.h"
#include "base/parse.h"
#include "collect/helper/descriptors.h"
#include "collect/helper/fork.h"
#include "collect/helper/wire.h"
#include "collect/privilege.h"

#define CONTROL 3	/* the descriptor of the process, whatever it was before the fork */

struct exec {
	int control;
	pid_t pid;
	bool running;		/* a command was started and has not ended */
	uint64_t started;	/* clock_mono() of the last */
};

/* On the control socket. */
enum message {
	MESSAGE_RUN = 1,	/* with the file that is its input */
	MESSAGE_ENDED,		/* u32 status of wait(2); with id 1: u32 errno, it was not
				 * started */
};

/* Of root by way of sudo the user who asked for it; what cannot be is left as it is. */
static void become_invoker(void)
{
	const char *uid = secure_getenv("SUDO_UID"), *gid = secure_getenv("SUDO_GID");
	uint32_t u, g;

	if (geteuid() || !uid || !gid || parse_u32(uid, &u) || parse_u32(gid, &g) || !u)
		return;
	privilege_raise(PRIV_USER);
	if (setgroups(1, &(gid_t){ g }) || setresgid(g, g, g) || setresuid(u, u, u))
		_exit(1);
}

static void command_begins(const char *command, int input)
{
	const char *const args[] = { "sh", "-c", command, NULL };
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	if (dup2(input, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(127);
	descriptors_close_from(STDERR_FILENO + 1);
	execv("/bin/sh", (char *const *)(uintptr_t)args);
	_exit(127);
}

static void tell_ended(uint32_t failed, uint32_t what)
{
	struct wire_head head = { .kind = MESSAGE_ENDED, .id = failed, .len = sizeof(what) };

	wire_send(CONTROL, &head, &what, -1, true);
}

/* False: the other side is gone. */
static bool take_request(struct wire_packet *packet, const char *command, pid_t *child)
{
	int input = -1, r = wire_recv(CONTROL, packet, &input, true);

	if (r == 1 && packet->head.kind == MESSAGE_RUN && input >= 0 && *child <= 0) {
		*child = fork();
		if (!*child)
			command_begins(command, input);
		if (*child < 0)
			tell_ended(1, (uint32_t)errno);
	}
	fd_close(input);
	return r == 1;
}

/* All that ended; that one is told of. */
static void reap(int signals, pid_t *child)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	if (read(signals, &info, sizeof(info)) < 0)
		return;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != *child)
			continue;
		*child = 0;
		tell_ended(0, (uint32_t)status);
	}
}

static void run(const char *command)
{
	struct wire_packet *packet = mem_zalloc(sizeof(*packet));
	struct pollfd fds[2] = { { .fd = CONTROL, .events = POLLIN }, { .events = POLLIN } };
	pid_t child = 0;
	sigset_t set;
	bool more = true;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fds[1].fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	while (more && fds[1].fd >= 0) {
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0)
			continue;
		if (fds[1].revents)
			reap(fds[1].fd, &child);
		if (fds[0].revents)
			more = take_request(packet, command, &child);
	}
	free(packet);
}

static void child_begins(const char *command, bool quiet, int control)
{
	fork_leave_terminal();
	become_invoker();
	privilege_limit(0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	/* Becoming another user clears it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	descriptors_keep(control, -1, !quiet);
	run(command);
	_exit(0);
}

int exec_start(const char *command, bool quiet, struct exec **ret, struct err *err)
{
	int control, r;
	pid_t pid;

	r = fork_wired("iotop-exec", &control, &pid);
	if (r < 0)
		return err_set(err, -r, _("cannot start a process: %s"), strerror(-r));
	if (!pid)
		child_begins(command, quiet, control);
	*ret = mem_zalloc(sizeof(**ret));
	**ret = (struct exec){ .control = control, .pid = pid };
	return 0;
}

/* A file without a name that nobody can change any more: a reader waits for nobody. */
static int input_file(const struct buf *input)
{
	int fd = memfd_create("iotop-finding", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	size_t at = 0;

	if (fd < 0)
		return -errno;
	while (at < input->len) {
		ssize_t n = write(fd, input->data + at, input->len - at);

		if (n < 0) {
			int r = -errno;

			close(fd);
			return r;
		}
		at += (size_t)n;
	}
	fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

int exec_run(struct exec *e, const struct buf *input)
{
	struct wire_head head = { .kind = MESSAGE_RUN };
	uint64_t now = clock_mono();
	int fd, r;

	if (e->running || (e->started && now - e->started < EXEC_PAUSE * NSEC_PER_SEC))
		return -EBUSY;
	fd = input_file(input);
	if (fd < 0)
		return fd;
	r = wire_send(e->control, &head, NULL, fd, false);
	close(fd);
	if (r < 0)
		return r;
	e->running = true;
	e->started = now;
	return 0;
}

bool exec_ended(struct exec *e, int *ret_status)
{
	struct wire_packet *packet;
	uint32_t what = 0;
	int r;

	if (!e->running)
		return false;
	packet = mem_alloc(sizeof(*packet));
	r = wire_recv(e->control, packet, NULL, false);
	if (r == 1 && packet->head.kind == MESSAGE_ENDED && packet->head.len == sizeof(what)) {
		memcpy(&what, packet->data, sizeof(what));
		*ret_status = packet->head.id ? -(int)(what & INT16_MAX) : (int)(what & UINT16_MAX);
	} else if (r != -EAGAIN) {
		*ret_status = -ECHILD;
	}
	free(packet);
	e->running = r == -EAGAIN;
	return !e->running;
}

void exec_stop(struct exec *e)
{
	if (!e)
		return;
	close(e->control);
	waitpid(e->pid, NULL, 0);
	free(e);
}
