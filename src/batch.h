/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports one after the other: for logs and scripts. */
#ifndef IOTOP_BATCH_H
#define IOTOP_BATCH_H

#include "options/view.h"
#include "session.h"

struct batch_options {
	const struct options *options;
	const struct screen *screen;
	struct options_view *view;
};

/*
 * Every report covers a full interval, the first as well. Ends after the number of reports asked
 * for, at the end of a replay, or at a signal: then with -a the last report covers what there was
 * until then. -EPIPE: nobody reads on.
 */
int batch_run(struct session *s, const struct batch_options *opt, struct err *err);

#endif
