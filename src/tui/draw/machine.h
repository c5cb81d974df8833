/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine at a glance: two lines above a table. */
#ifndef IOTOP_TUI_DRAW_MACHINE_H
#define IOTOP_TUI_DRAW_MACHINE_H

#include "data/model.h"
#include "tui/draw/canvas.h"

/* Draws from line y on; a screen's header. Returns how many lines it took. */
int machine_header(struct canvas *c, int y, const struct model *m, enum span span);

#endif
