/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the next screen will need: who looks at one soon looks at another. */
#ifndef IOTOP_COLLECT_AHEAD_H
#define IOTOP_COLLECT_AHEAD_H

struct collect_set;

/*
 * After a sample: once there is something to look at, the addresses that programs of other screens
 * compare begin to be read, in a thread of their own. Nothing where nobody waits for keys.
 */
void ahead_look(struct collect_set *set);
/* The kernel's types (6 MB) stay for a minute where somebody waits for keys, else they go now. */
void ahead_release(const struct collect_set *set);

#endif
