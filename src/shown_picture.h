/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A canvas as a picture (SVG), in the colours of the dark theme. */
#ifndef IOTOP_SHOWN_PICTURE_H
#define IOTOP_SHOWN_PICTURE_H

#include "base/buf.h"
#include "tui/draw/canvas.h"

/* Appends the whole picture; ret is the caller's. */
void shown_picture(struct buf *ret, const struct canvas *c);

#endif
