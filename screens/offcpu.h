/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the off-CPU tab. */
#ifndef IOTOP_SCREENS_OFFCPU_H
#define IOTOP_SCREENS_OFFCPU_H

#include "tui/draw/canvas.h"

struct row;
struct view;

/* Who woke the task under the cursor, who had woken that one, … */
void offcpu_chain(struct canvas *c, struct rect area, const struct view *v, const struct row *row);

#endif
