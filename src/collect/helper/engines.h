/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files in which engines keep the names of containers: where they are (the opener), and what is in
 * them (the parser). No engine is asked.
 */
#ifndef IOTOP_COLLECT_HELPER_ENGINES_H
#define IOTOP_COLLECT_HELPER_ENGINES_H

#include <sys/types.h>

#include "base/container.h"

/* How such a file is to be read: all of them are JSON. */
enum engine_form {
	ENGINE_DOCKER,		/* one container: "Name" */
	ENGINE_STORAGE,		/* a list of all of podman and CRI-O: "id", "names" */
	ENGINE_BUNDLE,		/* what containerd runs: "annotations" */
	ENGINE_FORMS,
};

#define ENGINE_FILE_MAX (4u << 20)	/* bytes */

struct engine_file {
	const char *path;	/* below /, with one %s for the id */
	enum engine_form form;
	unsigned kinds;		/* 1 << enum container_kind of those that may be in it */
};

extern const struct engine_file engine_files[];	/* one without a path ends them */

/*
 * Opens a file for reading that `owner' and nobody else can have put there: each folder from root
 * (a descriptor) down belongs to it, none is a link, nobody else may write. -errno.
 */
int engine_open(int root, const char *path, uid_t owner);
/*
 * What the container is called: "web", of Kubernetes "namespace/pod/container". False: it is not in
 * there, or is no name that an engine would give.
 */
bool engine_name(const char *text, size_t len, enum engine_form form, const char *id,
		 struct buf *ret);

#endif
