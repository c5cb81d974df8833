/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people call a control group. */
#ifndef IOTOP_DATA_GROUP_NAME_H
#define IOTOP_DATA_GROUP_NAME_H

struct group_name {
	char *brief;		/* container, service or scope, else the last folder; "/" */
	char *container;	/* docker/web, lxc/101, vm/db1; of Kubernetes
				 * namespace/pod/container; NULL: none */
};

/* path: clean. told: what an engine calls its container, raw; NULL: not known. Heap memory. */
void group_name_init(struct group_name *ret, const char *path, const char *told);
void group_name_release(struct group_name *g);

#endif
