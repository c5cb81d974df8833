/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes beside this one that end with it, whatever ends it. */
#ifndef IOTOP_COLLECT_HELPER_FORK_H
#define IOTOP_COLLECT_HELPER_FORK_H

#include <sys/types.h>

/* As fork(); the new process has this name, at most 15 bytes of it, and ends with this one. */
pid_t fork_bound(const char *name);
/*
 * The same with a socket pair (wire.h) between the two: each gets its side, the caller's from now
 * on. *ret_pid is 0 in the new process. 0 or -errno.
 */
int fork_wired(const char *name, int *ret_socket, pid_t *ret_pid);
/*
 * In the new process: the terminal's keys and its end are for the main process, whose end ends this
 * one.
 */
void fork_leave_terminal(void);

#endif
