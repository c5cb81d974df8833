/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the off-CPU screen share. */
#ifndef IOTOP_SCREENS_OFFCPU_H
#define IOTOP_SCREENS_OFFCPU_H

#include "tui/draw/canvas.h"

struct row;
struct view;

/* The alternative view: the wakers of the task under the cursor, their wakers, and so on. */
int offcpu_chain(struct canvas *c, struct rect area, int top, const struct view *v,
		 const struct row *row);

#endif
