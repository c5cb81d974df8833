/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the counters of losses mean: for whoever reads one on the status line, in a report or in a
 * recording.
 */
#ifndef IOTOP_DATA_LOSS_H
#define IOTOP_DATA_LOSS_H

/* effect: what a reader sees of it, after a number; both are not yet translated. */
struct loss {
	const char *name, *effect, *help;
};

/* One that nobody knows (a recording of another version) is its name. Valid until the next call. */
const struct loss *loss_find(const char *name);

#endif
