/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "iotop record": a session without a screen, whose samples go into a store. */
#ifndef IOTOP_KEEP_H
#define IOTOP_KEEP_H

#include "base/err.h"
#include "options/options.h"

struct helper;
struct trigger;

/*
 * Until a stop request, or as many samples as were asked for. The helpers were forked. trigger may
 * be NULL.
 */
int keep_run(const struct options *o, struct helper *helper, struct trigger *trigger,
	     struct err *err);

#endif
