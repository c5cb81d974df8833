/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the counters of losses mean: for whoever reads one on the status line, in a report or in a
 * recording.
 */
#ifndef IOTOP_DATA_LOSS_H
#define IOTOP_DATA_LOSS_H

#include <stddef.h>

struct loss {
	const char *name, *help;
};

extern const struct loss losses[];
extern const size_t losses_n;

/* One line, not yet translated; NULL for a name nobody knows (a recording of another version). */
const char *loss_help(const char *name);

#endif
