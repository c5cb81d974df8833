// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/options.h"

#include "base/clock.h"
#include "out/out.h"

#define HISTORY_DEFAULT (600 * NSEC_PER_SEC)
#define KEEP_DEFAULT (30 * NSEC_PER_SEC)
#define DAY	       (24 * 3600 * NSEC_PER_SEC)
#define RETAIN_DEFAULT (7 * DAY)
#define SIZE_DEFAULT (2ULL << 30)
#define UNWIND_DEFAULT (32u << 20)	/* bytes: some four million rows */

void options_init(struct options *o)
{
	*o = (struct options){ .delay = 1, .history = HISTORY_DEFAULT, .group = -1, .layer = -1,
			       .op = -1,
			       .hist_by = 1u << OUT_HIST_DISK | 1u << OUT_HIST_OP,
			       .metrics = 1u << METRICS_DISKS | 1u << METRICS_CGROUPS |
					  1u << METRICS_LAYERS,
			       .unwind_tables = UNWIND_DEFAULT,
			       .retain = RETAIN_DEFAULT, .max_size = SIZE_DEFAULT,
			       .fine = DAY, .coarse = 7 * DAY, .keep = KEEP_DEFAULT };
	arena_init(&o->strings);
}

void options_release(struct options *o)
{
	number_set_release(&o->pids);
	number_set_release(&o->tgids);
	number_set_release(&o->uids);
	text_set_release(&o->users);
	arena_release(&o->strings);
	options_init(o);
}
