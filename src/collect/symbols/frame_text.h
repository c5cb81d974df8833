/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names as the texts of stacks have them. */
#ifndef IOTOP_COLLECT_SYMBOLS_FRAME_TEXT_H
#define IOTOP_COLLECT_SYMBOLS_FRAME_TEXT_H

#include "base/buf.h"

/* The last part of a path; all of one that ends in a slash. */
const char *frame_text_file(const char *path);
/* Appends a name, cut and without line breaks and tabs. */
void frame_text_put(struct buf *out, const char *name);
/*
 * Appends frames as the parser tells them, a line each, cut: a name and, behind a tab, where it is.
 * Behind a second tab each gets the name of the file that they are in. Whatever the parser tells,
 * there are two tabs in each line.
 */
void frame_text_put_all(struct buf *out, const char *frames, const char *file);

#endif
