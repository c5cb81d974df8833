/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where one is in time, what there is, and where something was wrong: a line. */
#ifndef IOTOP_TUI_TIME_BAR_H
#define IOTOP_TUI_TIME_BAR_H

#include "tui/app.h"

/* From cell x of the line y to its column `columns`. */
void time_bar_draw(struct canvas *c, int x, int y, int columns, const struct app_time *time);

#endif
