/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What changed most between the two ranges of a comparison. */
#ifndef IOTOP_DATA_CHANGES_H
#define IOTOP_DATA_CHANGES_H

#include "data/model.h"

struct change {
	const char *who;		/* a name: of tasks by that name, a disk, a layer */
	const struct column *column;	/* the number that changed */
	double before, now;		/* per second where the column is a rate */
};

#define CHANGES_MAX 16

/*
 * Of tasks, disks, layers and servers, in that order, the largest of each first; returns how many
 * there are. Their names are the model's or in `texts`. m is a comparison.
 */
size_t changes_find(const struct model *m, struct arena *texts, struct change ret[CHANGES_MAX]);
/* "dd: WRITE 12.0 MiB/s, before 0 B/s (+12.0 MiB/s)", in the reader's language; its length. */
size_t change_text(const struct change *change, const struct unit_style *style, char *text,
		   size_t size);

#endif
