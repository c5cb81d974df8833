/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Below the machine: what is wrong with it. */
#ifndef IOTOP_TUI_DRAW_VERDICT_H
#define IOTOP_TUI_DRAW_VERDICT_H

#include "tui/draw/canvas.h"

struct model;

/*
 * In one or two lines at most; returns how many it took. wide: the finding that needed two, which
 * it keeps while its numbers change: what is below does not move.
 */
int verdict_draw(struct canvas *c, int y, int lines, uint64_t *wide, const struct model *m);

#endif
