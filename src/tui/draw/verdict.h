/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line below the machine: what is wrong with it. */
#ifndef IOTOP_TUI_DRAW_VERDICT_H
#define IOTOP_TUI_DRAW_VERDICT_H

#include "tui/draw/canvas.h"

struct model;

void verdict_draw(struct canvas *c, int y, const struct model *m);

#endif
