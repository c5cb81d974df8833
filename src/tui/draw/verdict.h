/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Below the machine: what is wrong with it. */
#ifndef IOTOP_TUI_DRAW_VERDICT_H
#define IOTOP_TUI_DRAW_VERDICT_H

#include "tui/draw/canvas.h"

struct model;

/* In as many lines at most; returns how many it took. */
int verdict_draw(struct canvas *c, int y, int lines, const struct model *m);

#endif
