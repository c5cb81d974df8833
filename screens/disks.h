/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the disks screen. */
#ifndef IOTOP_SCREENS_DISKS_H
#define IOTOP_SCREENS_DISKS_H

#include "data/disk/disk.h"
#include "tui/binding.h"
#include "tui/draw/heat.h"
#include "tui/draw/text_cursor.h"
#include "tui/screen.h"

/* disks_detail.c: what Enter opens. */
int disk_detail(struct canvas *c, struct rect area, int top, const struct view *v,
		const struct row *row, struct detail_state *state);
extern const struct binding disk_detail_keys[];

/* disks_heat.c: latency over time, with a cursor. */
enum heat_shown {
	HEAT_BOTH,
	HEAT_READS,
	HEAT_WRITES,
	HEAT_SHOWN_COUNT,
};

struct disk_map {
	const struct disk_heat *heat;
	struct heat plot;
	unsigned band, step, lines;	/* lowest band drawn, bands to a line, lines of bands */
	enum heat_shown shown;
	bool active;			/* the cursor is on */
	unsigned at_tick, at_line;	/* where; lines count upwards */
};

/* What is to be drawn in so many columns and lines; the cursor moves by what the keys asked for. */
void disk_map_init(struct disk_map *m, const struct disk_heat *heat, int columns, int lines,
		   struct detail_state *state);
/* Bands and the line of times below them. */
int disk_map_lines(const struct disk_map *m);
void disk_map_line(struct text_cursor *tc, int x, const struct disk_map *m, int line);
/* Band, count and who was in it, in one line. */
void disk_map_cursor(struct text_cursor *tc, int x, int columns, const struct disk_map *m);
/* The same at length: fills the detail. */
void disk_map_cell(struct text_cursor *tc, const struct disk_map *m);

#endif
