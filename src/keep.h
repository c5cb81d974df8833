/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A store that is kept: samples of "iotop record" go there, and those of "iotop serve --store".
 */
#ifndef IOTOP_KEEP_H
#define IOTOP_KEEP_H

#include "base/err.h"
#include "options/options.h"

struct keep;
struct session;
struct session_viewer;

/*
 * Reads the settings; keep_open() opens the store, keep_free() closes it, and takes NULL. NULL:
 * err says what the settings say that is not understood.
 */
struct keep *keep_new(const struct options *o, struct err *err);
void keep_free(struct keep *k);
int keep_open(struct keep *k, struct err *err);
/* Seconds between samples, as the settings say now. */
double keep_delay(const struct keep *k);
/* The settings again; what is wrong with them is said, and nothing changes. */
void keep_reload(struct keep *k);
/* For each step of this session. */
struct session_viewer keep_viewer(struct keep *k, const struct session *s);

#endif
