// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose calls and requests are looked at: told to the programs before they run. */
#include <errno.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/err.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/layers/layers.skel.h"
#include "collect/block/attribution.h"
#include "collect/block/chosen.h"
#include "collect/layers/layers.h"
#include "collect/set.h"

/*
 * Whose a request is, and how long a limit held it back, the block programs know, in whose maps it
 * is looked up. Calls go to the ring buffer of their events.
 */
static int share_attribution(struct layers *l, const struct collect_options *opt, struct err *err)
{
	struct layers_bpf *skel = l->skel;
	struct block_attribution block;

	if (!block_attribution(l->set, &block)) {
		bpf_map__set_max_entries(skel->maps.block_held, 1);
		return 0;
	}
	l->events = block.anchor;
	skel->rodata->has_held = l->layers & 1u << LAYER_LIMIT;
	skel->rodata->block_throttled_flag = block.throttled_flag;
	if (collect_chosen(opt) && l->layers & LAYERS_OF_DISKS) {
		skel->rodata->has_attribution = true;
		skel->rodata->block_inflight_sets = block.inflight_sets;
		skel->rodata->block_anchor_at = block.anchor_at;
		l->block = block.anchor;
	}
	return block_attribution_share(&block, skel->obj, err);
}

int layers_filter_set(struct layers *l, const struct collect_options *opt, struct err *err)
{
	struct layers_bpf *skel = l->skel;

	skel->rodata->min_ns = opt->min_latency;
	skel->rodata->layers_enabled = l->layers;
	chosen_set(CHOSEN(skel), opt);
	bpf_map__set_autocreate(skel->maps.layer_cgroup, opt->cgroup != NULL);
	return share_attribution(l, opt, err);
}

void layers_filter_fill(struct layers *l, const struct collect_options *opt)
{
	struct err gone;	/* each sample says so */

	chosen_fill(CHOSEN(l->skel), opt);
	layers_filter_refresh(l, &gone);
}

int layers_filter_refresh(struct layers *l, struct err *err)
{
	const struct collect_options *opt = collect_set_options(l->set);
	uint32_t zero = 0;
	int r = opt->cgroup ? chosen_follow(opt, &l->cgroup, err) : 0;

	if (r > 0 && bpf_map_update_elem(bpf_map__fd(l->skel->maps.layer_cgroup), &zero,
					 &l->cgroup, 0) < 0) {
		r = err_set(err, errno, "the control group \"%s\": %m", opt->cgroup);
		fd_close(l->cgroup);
		l->cgroup = -1;
	}
	if (l->cgroup >= 0 && l->block)
		chosen_scan(CHOSEN(l->skel), l->cgroup);
	return MIN(r, 0);
}

const char *layers_filter_reason(const struct layers *l, const struct collect_options *opt)
{
	if (!collect_chosen(opt) || !(l->layers & LAYERS_OF_DISKS))
		return NULL;
	if (!l->block)
		return N_("without the block programs a request is of the task that submits it");
	return block_attribution_valid(l->set, l->block)
		       ? NULL
		       : N_("whose requests are is not known: the block programs ended");
}
