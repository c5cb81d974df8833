/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process that was forked keeps of the descriptors of the one before. */
#ifndef IOTOP_COLLECT_HELPER_DESCRIPTORS_H
#define IOTOP_COLLECT_HELPER_DESCRIPTORS_H

#include <stdbool.h>

/* The first that is not of standard input, output and errors. */
#define DESCRIPTOR_FIRST 3

void descriptors_close_from(unsigned first);
/*
 * Leaves these two (the second may be -1) open as DESCRIPTOR_FIRST and the next; and nothing of the
 * terminal's, unless errors go on to be said. Ends the process where it cannot: another descriptor
 * in their place could lead to a process with privileges.
 */
void descriptors_keep(int one, int two, bool errors);

#endif
