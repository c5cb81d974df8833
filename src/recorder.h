/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "iotop record". */
#ifndef IOTOP_RECORDER_H
#define IOTOP_RECORDER_H

#include "base/err.h"
#include "options/options.h"

struct helper;
struct trigger;

/*
 * Until a stop request, or as many samples as were asked for. The helpers were forked. trigger may
 * be NULL.
 */
int recorder_run(const struct options *o, struct helper *helper, struct trigger *trigger,
		 struct err *err);

#endif
