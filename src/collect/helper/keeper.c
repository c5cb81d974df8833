// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The keeper: forked before anything was read, it forks the helpers whenever one is wanted. They so
 * begin with nothing of what the main process knows by then, and share no memory with it.
 */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/macro.h"
#include "collect/helper/descriptors.h"
#include "collect/helper/fork.h"
#include "collect/helper/helper.h"
#include "collect/helper/process.h"
#include "collect/helper/sandbox.h"
#include "collect/privilege.h"
#ifdef HAVE_BPF
#include "collect/symbols/debugfile.h"
#endif

#define CHILDREN_MAX 64
#define END_MS 50	/* what helpers may take to end */
#define FIRST DESCRIPTOR_FIRST

static struct {
	const char *proc, *fetched;
	int control;
	pid_t children[CHILDREN_MAX];
	size_t n;
} keeper;

/* Whoever ended is forgotten: its number may be another process's by now. */
static void reap(void)
{
	size_t left = 0;

	for (size_t i = 0; i < keeper.n; i++)
		if (waitpid(keeper.children[i], NULL, WNOHANG) == 0)
			keeper.children[left++] = keeper.children[i];
	keeper.n = left;
}

static void kill_child(pid_t pid)
{
	for (size_t i = 0; i < keeper.n; i++)
		if (keeper.children[i] == pid)
			kill(pid, SIGKILL);
}

/* In the child: true. */
static bool child_begins(pid_t *ret_pid, const char *name, int one, int two)
{
	*ret_pid = fork_bound(name);
	if (*ret_pid > 0)
		keeper.children[keeper.n++] = *ret_pid;
	if (*ret_pid)
		return false;
	descriptors_keep(one, two, false);
	return true;
}

static pid_t start_users(int socket)
{
	pid_t pid;

	if (child_begins(&pid, "iotop-users", socket, -1)) {
		sandbox_enter(SANDBOX_NSS);
		users_run(FIRST);
		_exit(0);
	}
	return pid;
}

#ifdef HAVE_BPF

static int fetched_open(void)
{
	return debugfile_fetched(keeper.fetched);
}

static pid_t start_parser(int socket)
{
	pid_t pid;

	if (child_begins(&pid, "iotop-parser", socket, -1)) {
		sandbox_enter(SANDBOX_PARSE);
		parser_run(FIRST);
		_exit(0);
	}
	return pid;
}

#else

/* Stacks are all that there is to be parsed for. */
static int fetched_open(void)
{
	return -1;
}

static pid_t start_parser(int socket)
{
	return 0;
}

#endif

static void start_names(int socket, pid_t ret_pids[2])
{
	int parser[2], fetched;

	if (wire_pair(parser) < 0)
		return;
	if (child_begins(&ret_pids[0], "iotop-opener", socket, parser[0])) {
		fetched = fetched_open();
		sandbox_enter(SANDBOX_OPEN);
		opener_run(FIRST, FIRST + 1, fetched, keeper.proc);
		_exit(0);
	}
	ret_pids[1] = start_parser(parser[1]);
	close(parser[0]);
	close(parser[1]);
}

/* Answers without a descriptor when it could not be. */
static int start(uint32_t kind)
{
	struct wire_head head = { .kind = MESSAGE_START, .id = kind };
	pid_t started[2] = { 0 };
	uint32_t pids[2];
	int sockets[2], r;

	if (keeper.n + 2 > CHILDREN_MAX || kind >= HELPER_KINDS || wire_pair(sockets) < 0)
		return wire_send(keeper.control, &head, NULL, -1, true);
	if (kind == HELPER_USERS)
		started[0] = start_users(sockets[1]);
	else
		start_names(sockets[1], started);
	close(sockets[1]);
	for (int i = 0; i < 2; i++)
		pids[i] = (uint32_t)MAX(started[i], 0);
	head.len = sizeof(pids);
	r = wire_send(keeper.control, &head, pids, sockets[0], true);
	close(sockets[0]);
	return r;
}

/* One that hangs in the kernel ends when that lets it, and is then somebody else's. */
static void end_children(void)
{
	const struct timespec step = { .tv_nsec = 1000000 };

	for (size_t i = 0; i < keeper.n; i++)
		kill_child(keeper.children[i]);
	for (int i = 0; i < END_MS && keeper.n; i++) {
		reap();
		if (keeper.n)
			nanosleep(&step, NULL);
	}
}

static void limit_self(void)
{
	/* The terminal's keys and its end are for the main process, whose end ends us. */
	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	privilege_limit(PRIV_TASKS | PRIV_FILES | PRIV_MAPPED);
}

void keeper_run(int control, const char *proc, const char *fetched)
{
	static struct wire_packet packet;

	descriptors_keep(control, -1, false);
	keeper.control = FIRST;
	keeper.proc = proc;
	keeper.fetched = fetched;
	limit_self();
	while (wire_recv(keeper.control, &packet, NULL, true) == 1) {
		uint32_t args[2] = { 0 };

		memcpy(args, packet.data, MIN((size_t)packet.head.len, sizeof(args)));
		reap();
		if (packet.head.kind == MESSAGE_START && start(args[0]) < 0)
			break;
		for (int i = 0; packet.head.kind == MESSAGE_KILL && i < 2; i++)
			kill_child((pid_t)args[i]);
	}
	end_children();
}
