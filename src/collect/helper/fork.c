// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/fork.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/macro.h"
#include "collect/helper/wire.h"

pid_t fork_bound(const char *name)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* It may have ended before it was to be told of. */
	if (getppid() != parent)
		_exit(0);
	prctl(PR_SET_NAME, name);
	return 0;
}

int fork_wired(const char *name, int *ret_socket, pid_t *ret_pid)
{
	int sockets[2], r = wire_pair(sockets);
	pid_t pid;

	if (r < 0)
		return r;
	pid = fork_bound(name);
	r = pid < 0 ? -errno : 0;
	close(sockets[pid != 0]);
	if (r < 0) {
		close(sockets[0]);
		return r;
	}
	*ret_socket = sockets[pid == 0];
	*ret_pid = pid;
	return 0;
}

void fork_leave_terminal(void)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };

	setsid();
	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		signal(ignored[i], SIG_IGN);
}
