// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose calls and requests are looked at: told to the programs before they run. */
#include <errno.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/i18n.h"
#include "bpf/abi.h"
#include "bpf/layers/layers.skel.h"
#include "collect/block/attribution.h"
#include "collect/block/chosen.h"
#include "collect/layers/layers.h"
#include "collect/proc/cgroup.h"
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

int layers_filter_fill(struct layers *l, const struct collect_options *opt, struct err *err)
{
	uint32_t zero = 0;
	int r;

	chosen_fill(CHOSEN(l->skel), opt);
	if (!opt->cgroup)
		return 0;
	l->cgroup = cgroup_open(l->proc, opt->cgroup, NULL);
	if (l->cgroup < 0)
		return err_set(err, -l->cgroup, "the control group \"%s\": %m", opt->cgroup);
	r = bpf_map_update_elem(bpf_map__fd(l->skel->maps.layer_cgroup), &zero, &l->cgroup, 0) < 0
		    ? -errno
		    : 0;
	if (r < 0)
		return err_set(err, -r, "the control group \"%s\": %m", opt->cgroup);
	chosen_scan(CHOSEN(l->skel), l->cgroup);
	return 0;
}

void layers_filter_refresh(struct layers *l)
{
	if (l->cgroup >= 0 && l->block)
		chosen_scan(CHOSEN(l->skel), l->cgroup);
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
