/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mark below /run that holds what kernel.task_delayacct was before iotop changed it, so that it
 * can be put back after an iotop that was killed. Every iotop that changed it holds a shared lock
 * on the mark; the one that can have it alone is the last.
 */
#ifndef IOTOP_COLLECT_MARK_H
#define IOTOP_COLLECT_MARK_H

#include <stdbool.h>

/*
 * Holds the mark below the folder run; where there is none it is made, with the value that now(arg)
 * says, 0 or 1: it is asked while nobody else has a mark. A descriptor, or -errno: then there is no
 * mark, and nothing more to do.
 */
int mark_hold(const char *run, int (*now)(void *arg), void *arg);
/*
 * Of a mark that nobody holds: a descriptor, now held alone, and the value. -errno: there is none.
 */
int mark_find(const char *run, int *ret_before);
/*
 * Of one's own: the value when nobody else holds it, and from then on nobody can; -errno otherwise.
 */
int mark_alone(int fd);
/* Lets go of the mark; removes it as well (one that is held alone). */
void mark_release(const char *run, int fd, bool remove);

#endif
