/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a control group is for, as its path tells: a container of an engine, a virtual machine, a
 * pod, a unit. Nothing is looked up.
 */
#ifndef IOTOP_BASE_CONTAINER_H
#define IOTOP_BASE_CONTAINER_H

#include <stdbool.h>

#include "base/buf.h"

enum container_kind {
	CONTAINER_NONE,
	CONTAINER_DOCKER,
	CONTAINER_PODMAN,
	CONTAINER_CRIO,
	CONTAINER_CONTAINERD,
	CONTAINER_OTHER,	/* has an id, but the path does not say whose */
	/* Those below have their name in the path. */
	CONTAINER_LXC,
	CONTAINER_NSPAWN,
	CONTAINER_VM,
	CONTAINER_KINDS,
};

extern const char *const container_kinds[CONTAINER_KINDS];	/* "docker", … */

#define CONTAINER_ID 64		/* hexadecimal digits of an id */
#define CONTAINER_ID_SHOWN 12	/* of these, as the engines' tools show it */

/* Pointers into the path; of several containers and units that enclose each other the innermost. */
struct container {
	enum container_kind kind;
	const char *name;	/* an id, or a name as the path has it; NULL: no container */
	size_t name_len;
	bool escaped;		/* systemd wrote the name: \x2d is a - */
	const char *inside;	/* path within the container: "" or from its first / on */
	const char *pod;	/* uid of a pod of Kubernetes; NULL: none */
	size_t pod_len;
	const char *unit;	/* service or scope of systemd; NULL: none */
	size_t unit_len;
};

void container_find(const char *path, struct container *ret);
/* Whether its name is an id, for which an engine has a name that people gave. */
bool container_has_id(const struct container *c);
/* What is known without asking: the first digits of the id, or the name. Not clean when escaped. */
void container_put_name(struct buf *out, const struct container *c);

#endif
