/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts the terminal back where curses cannot be called: in the handler of a crash, and in another
 * thread while the main one hangs. Functions marked (handler) are async-signal-safe and never wait
 * for the terminal.
 */
#ifndef IOTOP_TUI_RESTORE_H
#define IOTOP_TUI_RESTORE_H

#include <stdbool.h>

/*
 * Before curses changes them: the modes of the terminal on stdin; opens the second descriptor,
 * once.
 */
void restore_prepare(void);
/*
 * What is written to put the screen back: called once for each piece. NULL and (char *)-1, as
 * terminfo has them, add nothing.
 */
void restore_add(const char *text);
/*
 * From arming on there is something to put back; a crash does it, and what a crash does otherwise.
 */
void restore_arm(bool on);

/* A descriptor of the terminal that never waits, whatever the first ones do; -1: there is none. */
int restore_tty(void);
/* Output that somebody stopped by ^S goes on (handler). */
void restore_unstop(void);
/* The screen and the modes as they were before; nothing when that is done already (handler). */
void restore_now(void);

#endif
