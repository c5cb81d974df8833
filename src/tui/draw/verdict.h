/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Below the machine: what is wrong with it. */
#ifndef IOTOP_TUI_DRAW_VERDICT_H
#define IOTOP_TUI_DRAW_VERDICT_H

#include "tui/draw/canvas.h"

struct model;

/* The finding that needed two lines on a canvas so wide; { 0 }: none. */
struct verdict_wide {
	uint64_t key;
	int width;
};

/*
 * In one or two lines at most; returns how many it took. wide: kept between drawings, so that a
 * finding keeps its second line while its numbers change and what is below does not move.
 */
int verdict_draw(struct canvas *c, int y, int lines, struct verdict_wide *wide,
		 const struct model *m);

#endif
