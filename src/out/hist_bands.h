/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms as people read them: what they are made of. */
#ifndef IOTOP_OUT_HIST_BANDS_H
#define IOTOP_OUT_HIST_BANDS_H

#include "data/disk/disk.h"
#include "out/writer.h"

/* A histogram as it is written: of times (ns) or of sizes (bytes), a band a line. */
struct bands {
	uint64_t count[DISK_BANDS];
	unsigned n;
	bool sizes;
};

/* From the first range that is not empty to the last. False: all are empty, nothing is written. */
bool out_bands(struct out *o, const struct view *v, const char *name, const struct bands *b);

#endif
