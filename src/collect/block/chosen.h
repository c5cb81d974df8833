/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells programs which tasks are chosen by the options (bpf/common/chosen.h). */
#ifndef IOTOP_COLLECT_BLOCK_CHOSEN_H
#define IOTOP_COLLECT_BLOCK_CHOSEN_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_map;
struct collect_options;
struct err;

/* What bpf/common/chosen.h has in one object. */
struct chosen {
	bool *want_pids, *want_uids, *want_cgroup;
	uint32_t *want_tid;
	struct bpf_map *pids, *uids, *cgroups;
};

/* Of a skeleton. */
#define CHOSEN(skel)                                                                    \
	&(const struct chosen)                                                          \
	{                                                                               \
		.want_pids = &(skel)->rodata->want_pids,                                \
		.want_uids = &(skel)->rodata->want_uids,                                \
		.want_cgroup = &(skel)->rodata->want_cgroup,                            \
		.want_tid = &(skel)->rodata->want_tid, .pids = (skel)->maps.chosen_pids, \
		.uids = (skel)->maps.chosen_uids, .cgroups = (skel)->maps.chosen_cgroups, \
	}

/* Before loading. */
void chosen_set(const struct chosen *c, const struct collect_options *opt);
/* After loading: processes and users. */
void chosen_fill(const struct chosen *c, const struct collect_options *opt);
/* cgroup_follow() of --cgroup, and a sentence where it is not there. */
int chosen_follow(const struct collect_options *opt, int *cgroup, struct err *err);
/* The control group whose folder this is, and all that are below it now. */
void chosen_scan(const struct chosen *c, int cgroup);

#endif
