/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stop requests (SIGINT, SIGTERM, SIGHUP, q), and the guard: a thread that sees to it that the
 * program ends within 2 s of one, whatever hangs. A signal handler of the main thread could not: a
 * system call that waits for a file system or for a process may be in a state in which handlers do
 * not run, and nobody reads the key q then. The guard takes the signals. When the main thread does
 * not end by itself, the guard puts back the terminal and what was changed in the system, and ends
 * the process.
 */
#ifndef IOTOP_STOP_H
#define IOTOP_STOP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define STOP_KEY 'q'
#define STOP_KEYS 256	/* bytes that stop_read_keys() may return */

/*
 * Blocks the signals in this thread, the main one, and in those it starts, and starts the guard,
 * which stays until the process ends. 0 also where there can be no thread: then stop_is_guarded()
 * is false, and whoever waits for events waits for the signals, too.
 */
int stop_open(struct err *err);
bool stop_is_guarded(void);
/*
 * Before stop_open(): SIGHUP is no stop request but an event of its own (events.h). From here on it
 * waits for events_open() and does not end the process.
 */
void stop_spare_hangup(void);
bool stop_spares_hangup(void);

/* Asks for the end, as a signal does. */
void stop_request(void);
bool stop_requested(void);
/* Readable from the first stop request on; nobody reads from it. Valid until the process ends. */
int stop_fd(void);
/*
 * The last report after a stop request takes its time and gets on: the guard waits anew, unless
 * there is a second request.
 */
void stop_progress(void);
/* While on, a write() of the main thread that blocks after a stop request returns EINTR soon. */
void stop_interrupts(bool on);

/*
 * The guard watches that the keys of the terminal `tty` (a non-blocking descriptor; -1: none) are
 * read, and where they are not for long, takes them itself; STOP_KEY as the last of them ends the
 * program, but while a text is typed.
 */
void stop_watch_keys(int tty);
void stop_typing(bool on);
/*
 * For the main thread, each time before it reads keys: how many bytes the guard has read in its
 * place, now in keys.
 */
size_t stop_read_keys(char keys[static STOP_KEYS]);
/* Readable when there are such bytes. */
int stop_keys_fd(void);

#endif
