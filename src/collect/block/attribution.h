/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose a bio is, for the programs of other objects: they run after the block programs and look
 * into their maps (bpf/common/block_anchor.h).
 */
#ifndef IOTOP_COLLECT_BLOCK_ATTRIBUTION_H
#define IOTOP_COLLECT_BLOCK_ATTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h>

#include "base/err.h"

struct bpf_map;
struct bpf_object;
struct collect_set;

/* Borrowed from the block collector while it is open. */
struct block_attribution {
	const struct bpf_map *inflight, *counters, *refs, *parts, *ref_index, *ref_tids, *asked;
	const struct bpf_map *held, *held_last, *inodes, *events, *ended;
	const struct bpf_map *variables;	/* anchor_at: where in it lies what addresses are
						 * counted from */
	uint32_t inflight_sets, anchor_at;
	uint32_t throttled_flag;	/* of a bio that blk-throttle let pass; 0: none */
	const volatile __u64 *anchor;	/* what addresses are counted from; 0 until it is known */
};

/* False when the block programs are not at work. */
bool block_attribution(const struct collect_set *set, struct block_attribution *ret);
/* Whether these are still the maps of the block programs: the collector may have been closed. */
bool block_attribution_valid(const struct collect_set *set, const volatile __u64 *anchor);
/* Whether requests in flight are to be counted by who asked for them: it costs something an I/O. */
void block_attribution_ask(const struct collect_set *set, bool wanted);
/*
 * Before an object is loaded: its maps block_inflight, block_counters, block_task_refs,
 * block_parts, block_ref_index, .data.tids, block_asked, block_held, block_held_last, block_ended,
 * block_variables, block_event_rings, as far as it has them, are these. 0, or -errno and the
 * reason.
 */
int block_attribution_share(const struct block_attribution *c, const struct bpf_object *obj,
			    struct err *err);

#endif
