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
		const struct row *row, const struct detail_state *state);
void disk_detail_settle(struct detail_state *state, struct rect area, const struct view *v,
			const struct row *row);
extern const struct binding disk_detail_keys[];

/* disks_sizes.c: from one in a hundred on, over as many lines as it takes. */
void disk_sizes(struct text_cursor *tc, const uint64_t *counts, enum style style,
		const char *label);

/* disks_heat.c: latency, size or place over time, with a cursor. */
struct disk_map {
	const struct disk_heat *heat;
	struct heat plot;
	unsigned band, step, lines;	/* lowest band drawn, bands to a line, lines of bands */
	enum heat_shown shown;
	uint64_t place_bytes;		/* of a place; 0: not known */
	bool active;			/* the cursor is shown */
	unsigned at_tick, at_line;	/* of the cursor; lines count upwards */
};

/* What is to be drawn in so many columns and lines, with the cursor where state has it. */
void disk_map_init(struct disk_map *m, const struct disk_heat *heat, int columns, int lines,
		   const struct detail_state *state);
/* Moves the cursor in this map to where the keys sent it. */
void disk_map_settle(const struct disk_map *m, struct detail_state *state);
/* Lines of the map: its bands, and the times below them. */
int disk_map_lines(const struct disk_map *m);
void disk_map_line(struct text_cursor *tc, int x, const struct disk_map *m, int line);
/* The cell under the cursor in one line: its band, its counts, whose requests these may be. */
void disk_map_cursor(struct text_cursor *tc, int x, int columns, const struct disk_map *m);
/* The cell under the cursor in full, with everybody in it: fills the detail. */
void disk_map_cell(struct text_cursor *tc, const struct disk_map *m);

#endif
