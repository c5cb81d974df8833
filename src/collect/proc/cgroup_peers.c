// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/cgroup_peers.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/macro.h"
#include "base/mem.h"

#define TEXT_MAX 65536
#define PEERS_MAX 1024
#define DISKS_MAX 16

struct target {
	unsigned major, minor;
	unsigned long long us;	/* ULLONG_MAX: there is none */
	char *of;		/* whose it is */
};

struct targets {
	size_t n;
	struct target disks[DISKS_MAX];
};

static struct target *target_at(struct targets *t, unsigned major, unsigned minor)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->disks[i].major == major && t->disks[i].minor == minor)
			return &t->disks[i];
	if (t->n == DISKS_MAX)
		return NULL;
	t->disks[t->n] = (struct target){ major, minor, ULLONG_MAX, NULL };
	return &t->disks[t->n++];
}

/* Of each disk the shortest; "8:0 target=1000" is a line. */
static void take(struct targets *t, const char *text, const char *of)
{
	for (const char *p = text; *p; p += strspn(p, "\n")) {
		struct target line = { 0 }, *have;

		if (sscanf(p, "%u:%u target=%llu", &line.major, &line.minor, &line.us) == 3 &&
		    (have = target_at(t, line.major, line.minor)) && line.us < have->us) {
			have->us = line.us;
			mem_freep(&have->of);
			have->of = of ? mem_strdup(of) : NULL;
		}
		p += strcspn(p, "\n");
	}
}

static void take_all(struct targets *t, int root, const char *parent)
{
	_cleanup_(buf_release) struct buf path = { 0 }, file = { 0 }, text = { 0 };
	int fd;
	DIR *dir;
	struct dirent *e;

	buf_printf(&path, "./%s", parent);
	fd = openat(root, path.data, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir && fd >= 0)
		close(fd);
	for (int left = PEERS_MAX; dir && left && (e = readdir(dir));) {
		if (e->d_type != DT_DIR || !strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		left--;
		buf_reset(&path);
		buf_printf(&path, "%s/%s", parent, e->d_name);
		buf_reset(&file);
		buf_printf(&file, "./%s/io.latency", path.data);
		if (buf_read_file(&text, root, file.data, TEXT_MAX) == 0 && text.len)
			take(t, text.data, path.data);
	}
	if (dir)
		closedir(dir);
}

void cgroup_peers_read(int root, const char *path, struct buf *ret)
{
	_cleanup_(buf_release) struct buf file = { 0 }, text = { 0 };
	_cleanup_(mem_freep) char *parent = mem_strdup(path);
	struct targets own = { 0 }, all = { 0 };
	char *last = strrchr(parent, '/');

	buf_printf(&file, "./%s/io.latency", path);
	if (!last || !last[1] || buf_read_file(&text, root, file.data, TEXT_MAX))
		return;
	if (text.len)
		take(&own, text.data, NULL);
	*last = '\0';
	take_all(&all, root, parent);
	for (size_t i = 0; i < all.n; i++) {
		struct target *t = &all.disks[i], *o = target_at(&own, t->major, t->minor);

		if (t->of && (!o || t->us < o->us))
			buf_printf(ret, " %u:%u target=%llu (%s)", t->major, t->minor, t->us,
				   t->of);
		mem_freep(&t->of);
	}
}
