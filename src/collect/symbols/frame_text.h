/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names as the texts of stacks have them. */
#ifndef IOTOP_COLLECT_SYMBOLS_FRAME_TEXT_H
#define IOTOP_COLLECT_SYMBOLS_FRAME_TEXT_H

#include "base/buf.h"

/* Appends a name, cut and without line breaks and tabs. */
void frame_text_put(struct buf *out, const char *name);
/* Appends frames as the parser tells them, cut: their names are clean. */
void frame_text_put_all(struct buf *out, const char *frames);

#endif
