/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this process is allowed to do beyond its user. Nothing of it is effective while the program
 * waits, reads settings, draws, or reads what other users wrote: a privilege is raised around the
 * call that needs it, by the thread that makes the call, and lowered again. Capabilities belong to
 * threads (capabilities(7)); a new thread begins with those of its creator.
 */
#ifndef IOTOP_COLLECT_PRIVILEGE_H
#define IOTOP_COLLECT_PRIVILEGE_H

#include <stdbool.h>
#include <stdint.h>

/* What privileges are for. */
enum privilege {
	PRIV_BPF = 1 << 0,	 /* load, attach and read kernel programs */
	PRIV_ACCOUNTING = 1 << 1, /* taskstats over netlink */
	PRIV_TASKS = 1 << 2,	 /* /proc of other users' tasks */
	PRIV_SYMBOLS = 1 << 3,	 /* addresses in /proc/kallsyms */
	PRIV_FILES = 1 << 4,	 /* what only root may read: tracefs, control groups by their ids */
	PRIV_MAPPED = 1 << 5,	 /* files that other processes have mapped, themselves */
	PRIV_PRIORITY = 1 << 6,	 /* I/O priorities of other users' tasks */
	PRIV_SIGNAL = 1 << 7,	 /* signals to other users' tasks */
	PRIV_SYSCTL = 1 << 8,	 /* kernel.task_delayacct */
	PRIV_RECORD = 1 << 9,	 /* root's recording in a folder of another user */
	PRIV_LISTEN = 1 << 10,	 /* a port below 1024 */
	PRIV_USER = 1 << 11,	 /* the command of --exec runs as the user of sudo */
	PRIV_LOG_PAGE = 1 << 12, /* the log of an NVMe disk: of a process that does nothing else */
};
/* What a collector with kernel programs needs. */
#define PRIV_PROGRAMS (PRIV_BPF | PRIV_SYMBOLS | PRIV_FILES)

/*
 * The first thing the program does: no privilege is effective from here on, execve() gives none
 * back (no_new_privs), and where privileges came with the program's file (AT_SECURE) the
 * environment does not choose what libraries read.
 */
void privilege_begin(void);
/*
 * Whether the privileges came with the program's file: the invoking user is not trusted with what
 * they show.
 */
bool privilege_of_file(void);
/*
 * Makes these (enum privilege bits) effective in this thread, as far as the process is permitted to
 * have them; returns what was effective before, for privilege_restore(). Calls nest.
 */
uint64_t privilege_raise(unsigned what);
/*
 * The same from what was effective before (privilege_raise(), of 0 for instance), whatever is now:
 * for one after the other, that mostly need the same.
 */
void privilege_change(uint64_t before, unsigned what);
/* None is effective in this thread; returns what was. */
uint64_t privilege_lower(void);
void privilege_restore(uint64_t before);
/* The effective capabilities of this thread hold this one. */
bool privilege_has(int capability);
/* From now on and for good the process may have at most these; 0: none at all. */
void privilege_limit(unsigned what);
/* Gives up for good what is needed for these only. */
void privilege_drop(unsigned what);
/*
 * Whether the process may raise them: all of their capabilities that this kernel knows are
 * permitted.
 */
bool privilege_permitted(unsigned what);

#endif
