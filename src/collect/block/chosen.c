// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/block/chosen.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/err.h"
#include "bpf/abi.h"
#include "collect/collector.h"
#include "collect/proc/cgroup.h"

void chosen_set(const struct chosen *c, const struct collect_options *opt)
{
	*c->want_tid = opt->tid;
	*c->want_pids = opt->tgids != NULL;
	if (opt->tgids)
		bpf_map__set_max_entries(c->pids, (uint32_t)opt->tgids->n);
	*c->want_uids = opt->uids != NULL;
	if (opt->uids)
		bpf_map__set_max_entries(c->uids, (uint32_t)opt->uids->n);
	*c->want_cgroup = opt->cgroup != NULL;
	if (opt->cgroup)
		bpf_map__set_max_entries(c->cgroups, ABI_CHOSEN_CGROUPS);
}

static void put_all(const struct bpf_map *map, const struct number_set *set)
{
	uint8_t one = 1;

	for (size_t i = 0; set && i < set->n; i++)
		bpf_map_update_elem(bpf_map__fd(map), &set->items[i], &one, 0);
}

void chosen_fill(const struct chosen *c, const struct collect_options *opt)
{
	put_all(c->pids, opt->tgids);
	put_all(c->uids, opt->uids);
}

int chosen_follow(const struct collect_options *opt, int *cgroup, struct err *err)
{
	int r = cgroup_follow(opt->proc, opt->cgroup, cgroup);

	return r < 0 ? err_set(err, -r, "the control group \"%s\": %m", opt->cgroup) : r;
}

static void cgroup_put(void *arg, uint64_t id)
{
	const struct chosen *c = arg;
	uint8_t one = 1;

	bpf_map_update_elem(bpf_map__fd(c->cgroups), &id, &one, 0);
}

void chosen_scan(const struct chosen *c, int cgroup)
{
	struct chosen copy = *c;

	cgroup_each(cgroup, cgroup_put, &copy);
}
