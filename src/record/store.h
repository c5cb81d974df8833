/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who writes a store: one segment an hour, one writer, the oldest go. */
#ifndef IOTOP_RECORD_STORE_H
#define IOTOP_RECORD_STORE_H

#include "base/err.h"
#include "data/sample.h"

struct store;

#define STORE_STAGES 2

struct store_options {
	const char *path;   /* of its folder */
	uint64_t retain_ns; /* 0: for ever */
	uint64_t max_bytes; /* 0: no bound */
	/* What is older than after_ns (0: nothing is) keeps one sample of each interval. */
	struct store_stage {
		uint64_t after_ns, interval_ns;
	} stages[STORE_STAGES];
};

/* opt->path is borrowed. -EBUSY: another one writes. */
int store_open(const struct store_options *opt, struct store **ret, struct err *err);
/*
 * One moment: a sample, what was fetched late since the one before, and replay_mark() of it.
 * After a failure the next call tries anew; nothing of this one is kept.
 */
int store_write(struct store *st, const struct sample *s, const struct sample *late, unsigned mark,
		struct err *err);
/* How long and how much is kept, from now on; the path stays. */
void store_set_options(struct store *st, const struct store_options *opt);
void store_close(struct store *st); /* takes NULL */

#endif
