/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said beside reports, to whoever reads standard error. */
#ifndef IOTOP_NOTES_H
#define IOTOP_NOTES_H

#include "base/buf.h"

/* Each line of a text, clean, after "iotop: ". */
void notes_print(const struct buf *lines);

#endif
