// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose calls are looked at: told to the programs before they run. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/abi.h"
#include "bpf/layers.skel.h"
#include "collect/collect.h"
#include "collect/layers.h"

void layers_filter_set(struct layers *l, const struct collect_options *opt)
{
	struct layers_bpf *skel = l->skel;

	skel->rodata->min_ns = opt->min_latency;
	skel->rodata->layers_wanted = l->layers;
	skel->rodata->want_tid = opt->tid;
	skel->rodata->want_pids = opt->pids && opt->pids[0];
	skel->rodata->want_cgroup = opt->cgroup != NULL;
	bpf_map__set_autocreate(skel->maps.layer_cgroup, opt->cgroup != NULL);
}

int layers_filter_fill(struct layers *l, const struct collect_options *opt, struct err *err)
{
	uint32_t zero = 0;
	uint8_t one = 1;
	int fd, r;

	for (const uint32_t *pid = opt->pids; pid && *pid; pid++)
		bpf_map_update_elem(bpf_map__fd(l->skel->maps.layer_pids), pid, &one, 0);
	if (!opt->cgroup)
		return 0;
	fd = cgroup_open(l->proc, opt->cgroup);
	if (fd < 0)
		return err_set(err, -fd, "the control group \"%s\": %s", opt->cgroup, strerror(-fd));
	r = bpf_map_update_elem(bpf_map__fd(l->skel->maps.layer_cgroup), &zero, &fd, 0) < 0 ? -errno : 0;
	close(fd);
	return r < 0 ? err_set(err, -r, "the control group \"%s\": %s", opt->cgroup, strerror(-r)) : 0;
}
