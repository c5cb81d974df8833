/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures. */
#ifndef IOTOP_OUT_SVG_H
#define IOTOP_OUT_SVG_H

#include "base/buf.h"
#include "base/units.h"
#include "data/disk/disk.h"

/* Text or an attribute; what XML has no way to hold becomes a replacement character. */
void svg_text(struct buf *b, const char *s);
/*
 * The heat map of a disk: a cell for each band of each interval, its counts in its title and,
 * exact, in data attributes. disk->heat is not NULL.
 */
void svg_heat(struct buf *b, const struct disk_row *disk, enum heat_shown shown, const char *host,
	      const struct unit_style *units);

#endif
