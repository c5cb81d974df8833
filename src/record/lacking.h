/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields that a sample lacks, as a recording names them: "dirty.ino dirty.bytes". */
#ifndef IOTOP_RECORD_LACKING_H
#define IOTOP_RECORD_LACKING_H

#include "base/buf.h"
#include "data/sample.h"

/* Adds the names of those of the tables that are late, or of those that are not. */
void lacking_put(struct buf *out, const struct sample *s, bool late);
/* Adds what is named to what s lacks. Fields that are not known are none of ours. */
void lacking_read(struct sample *s, const char *text, size_t len);

#endif
