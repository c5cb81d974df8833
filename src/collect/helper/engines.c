// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/engines.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

#define STORAGE "var/lib/containers/storage/overlay-containers/"
#define BUNDLE "containerd/io.containerd.runtime.v2.task/"
#define OF(kind) (1u << CONTAINER_##kind)

const struct engine_file engine_files[] = {
	{ "var/lib/docker/containers/%s/config.v2.json", ENGINE_DOCKER, OF(DOCKER) | OF(OTHER) },
	{ STORAGE "containers.json", ENGINE_STORAGE, OF(PODMAN) | OF(CRIO) | OF(OTHER) },
	/* Those that are to be removed when they end (podman run --rm). */
	{ STORAGE "volatile-containers.json", ENGINE_STORAGE, OF(PODMAN) },
	{ "run/" BUNDLE "k8s.io/%s/config.json", ENGINE_BUNDLE, OF(CONTAINERD) | OF(OTHER) },
	{ "run/k3s/" BUNDLE "k8s.io/%s/config.json", ENGINE_BUNDLE, OF(CONTAINERD) | OF(OTHER) },
	{ "run/" BUNDLE "default/%s/config.json", ENGINE_BUNDLE, OF(CONTAINERD) | OF(OTHER) },
	{ 0 },
};

/* Whether nobody but the owner can have made or changed it. */
static bool is_owned(int fd, uid_t owner, mode_t kind)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == kind && st.st_uid == owner &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH)) && (kind == S_IFDIR || st.st_nlink == 1);
}

int engine_open(int root, const char *path, uid_t owner)
{
	int at = openat(root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC), r = at < 0 ? -errno : 0;

	while (!r) {
		size_t len = strcspn(path, "/");
		bool last = !path[len];
		char name[NAME_MAX + 1];
		int fd;

		if (!len || len >= sizeof(name)) {
			r = -EINVAL;
			break;
		}
		memcpy(name, path, len);
		name[len] = '\0';
		/* At a FIFO nobody is waited for. */
		fd = openat(at, name, O_NOFOLLOW | O_CLOEXEC |
				      (last ? O_RDONLY | O_NONBLOCK : O_PATH | O_DIRECTORY));
		if (fd < 0)
			r = -errno;
		else if (!is_owned(fd, owner, last ? S_IFREG : S_IFDIR)) {
			close(fd);
			r = -EPERM;
		}
		close(at);
		if (r)
			return r;
		if (last)
			return fd;
		at = fd;
		path += len + 1;
	}
	fd_close(at);
	return r;
}
