// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose calls and requests are looked at: told to the programs before they run. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/i18n.h"
#include "bpf/abi.h"
#include "bpf/layers/layers.skel.h"
#include "collect/block/attribution.h"
#include "collect/collect.h"
#include "collect/layers/layers.h"
#include "collect/proc/cgroup.h"
#include "collect/set.h"

/*
 * Whose a request is, and how long a limit held it back, the block programs know, in whose maps it
 * is looked up.
 */
static int share_attribution(struct layers *l, const struct collect_options *opt, struct err *err)
{
	struct layers_bpf *skel = l->skel;
	struct block_attribution block;

	if (!(l->layers & LAYERS_OF_DISKS) || !block_attribution(l->set, &block)) {
		bpf_map__set_max_entries(skel->maps.block_held, 1);
		return 0;
	}
	skel->rodata->has_held = l->layers & 1u << LAYER_LIMIT;
	if (collect_chosen(opt)) {
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
	skel->rodata->want_tid = opt->tid;
	skel->rodata->want_pids = opt->tgids != NULL;
	if (opt->tgids)
		bpf_map__set_max_entries(skel->maps.layer_pids, (uint32_t)opt->tgids->n);
	skel->rodata->want_uids = opt->uids != NULL;
	if (opt->uids)
		bpf_map__set_max_entries(skel->maps.layer_uids, (uint32_t)opt->uids->n);
	skel->rodata->want_cgroup = opt->cgroup != NULL;
	bpf_map__set_autocreate(skel->maps.layer_cgroup, opt->cgroup != NULL);
	return share_attribution(l, opt, err);
}

static void cgroup_put(void *arg, uint64_t id)
{
	const struct layers *l = arg;
	uint8_t one = 1;

	bpf_map_update_elem(bpf_map__fd(l->skel->maps.layer_cgroups), &id, &one, 0);
}

static void put_all(const struct bpf_map *map, const struct number_set *set)
{
	uint8_t one = 1;

	for (size_t i = 0; set && i < set->n; i++)
		bpf_map_update_elem(bpf_map__fd(map), &set->items[i], &one, 0);
}

int layers_filter_fill(struct layers *l, const struct collect_options *opt, struct err *err)
{
	uint32_t zero = 0;
	int r;

	put_all(l->skel->maps.layer_pids, opt->tgids);
	put_all(l->skel->maps.layer_uids, opt->uids);
	if (!opt->cgroup)
		return 0;
	l->cgroup = cgroup_open(l->proc, opt->cgroup, NULL);
	if (l->cgroup < 0)
		return err_set(err, -l->cgroup, "the control group \"%s\": %s", opt->cgroup,
			       strerror(-l->cgroup));
	r = bpf_map_update_elem(bpf_map__fd(l->skel->maps.layer_cgroup), &zero, &l->cgroup, 0) < 0
		    ? -errno
		    : 0;
	if (r < 0)
		return err_set(err, -r, "the control group \"%s\": %s", opt->cgroup, strerror(-r));
	cgroup_each(l->cgroup, cgroup_put, l);
	return 0;
}

void layers_filter_refresh(struct layers *l)
{
	if (l->cgroup >= 0 && l->block)
		cgroup_each(l->cgroup, cgroup_put, l);
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
