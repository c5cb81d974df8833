/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the full screen shows, as a file (:write). */
#ifndef IOTOP_SHOWN_FILE_H
#define IOTOP_SHOWN_FILE_H

#include "base/err.h"
#include "tui/app.h"

/*
 * The end of the name says how: .txt as it is drawn, on the canvas, .csv, .json, and of paths .svg.
 * What is there already is not replaced. 0, or -errno and a sentence.
 */
int shown_file_write(struct app *app, struct canvas *c, const char *path, struct err *err);

#endif
