/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that starts the command of --exec. It is forked before anything is opened, gives up
 * every privilege at once, and has nothing of this process but a socket: so the command has none
 * either. What the command is told is its standard input, never an argument.
 */
#ifndef IOTOP_EXEC_H
#define IOTOP_EXEC_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct exec;

/*
 * command is given to /bin/sh. quiet: what it writes goes nowhere, else to our standard error.
 * exec_stop() by the caller; no thread may run yet.
 */
int exec_start(const char *command, bool quiet, struct exec **ret, struct err *err);
/*
 * Starts the command, and returns at once. -EBUSY: the one before has not ended, or was started
 * less than EXEC_PAUSE seconds ago. Other failures: it cannot be started.
 */
int exec_run(struct exec *e, const struct buf *input);
/* Whether one has ended since the last call, and its status as wait(2) has it; < 0: -errno. */
bool exec_ended(struct exec *e, int *ret_status);
/* A command that still runs goes on. NULL: nothing. */
void exec_stop(struct exec *e);

#define EXEC_PAUSE 10

#endif
