// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/block/attribution.h"

#include <bpf/libbpf.h>

#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"
#include "collect/set.h"

bool block_attribution(const struct collect_set *set, struct block_attribution *ret)
{
	const struct block *b = set_state(set, &collector_block);

	if (!b)
		return false;
	*ret = (struct block_attribution){
		.inflight = b->skel->maps.inflight,
		.counters = b->skel->maps.counters,
		.refs = b->skel->maps.task_refs,
		.parts = b->skel->maps.parts,
		.ref_index = b->skel->maps.task_ref_index,
		.ref_tids = b->skel->maps.data_tids,
		.asked = b->skel->maps.asked,
		.held = b->skel->maps.held,
		.held_last = b->skel->maps.held_last,
		.ended = b->skel->maps.ended,
		.inodes = b->skel->maps.inodes,
		.events = b->skel->maps.event_rings,
		.inflight_sets = b->skel->rodata->inflight_sets,
		.throttled_flag = b->skel->rodata->throttled_flag,
		.anchor = &b->skel->bss->anchor_address,
		.variables = b->skel->maps.bss,
		.anchor_at = (char *)&b->skel->bss->anchor - (char *)b->skel->bss,
	};
	return true;
}

bool block_attribution_valid(const struct collect_set *set, const volatile __u64 *anchor)
{
	struct block_attribution now;

	return block_attribution(set, &now) && now.anchor == anchor;
}

void block_attribution_ask(const struct collect_set *set, bool wanted)
{
	const struct block *b = set_state(set, &collector_block);

	if (b)
		b->skel->bss->want_asked = wanted;
}

int block_attribution_share(const struct block_attribution *c, const struct bpf_object *obj,
			    struct err *err)
{
	const struct {
		const char *name;
		const struct bpf_map *map;
	} maps[] = {
		{ "block_inflight", c->inflight },
		{ "block_counters", c->counters },
		{ "block_task_refs", c->refs },
		{ "block_parts", c->parts },
		{ "block_ref_index", c->ref_index },
		{ ".data.tids", c->ref_tids },
		{ "block_asked", c->asked },
		{ "block_held", c->held },
		{ "block_held_last", c->held_last },
		{ "block_ended", c->ended },
		{ "block_variables", c->variables },
		{ "block_event_rings", c->events },
		{ "block_inodes", c->inodes },
	};
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(maps) && !r; i++) {
		struct bpf_map *own = bpf_object__find_map_by_name(obj, maps[i].name);

		r = own ? bpf_map__reuse_fd(own, bpf_map__fd(maps[i].map)) : 0;
	}
	return r < 0 ? err_set(err, -r, "the maps of the block programs: %m") : 0;
}
