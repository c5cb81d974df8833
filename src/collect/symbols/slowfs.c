// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/slowfs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/macro.h"
#include "collect/proc/proc.h"

#define AGAIN (2 * NSEC_PER_SEC)	/* a mount that came since our mounts were read */
#define KNOWN_MAX 4096
#define TEXT_MAX ((size_t)8 << 20)

struct device {
	uint64_t dev;
	bool slow;
};

void slowfs_init(struct slowfs *s, const char *proc)
{
	*s = (struct slowfs){ .proc = proc };
	hash_init(&s->known, offsetof(struct device, dev), sizeof(uint64_t));
}

void slowfs_release(struct slowfs *s)
{
	hash_clear(&s->known, hash_free_value, NULL);
	buf_release(&s->text);
}

static bool is_slow_type(const char *type, size_t len)
{
	static const char *const slow[] = {
		"nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "9p",
		"afs", "ceph", "coda", "orangefs", "lustre", "glusterfs", "gfs2",
		"ocfs2", "gpfs", "virtiofs", "autofs", "fuse", "fuseblk",
	};

	if (len > 5 && !memcmp(type, "fuse.", 5))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(slow); i++)
		if (strlen(slow[i]) == len && !memcmp(slow[i], type, len))
			return true;
	return false;
}

static void note(struct slowfs *s, uint64_t dev, bool slow)
{
	struct device *d = hash_get(&s->known, &dev);

	if (!d) {
		/* Numbers of devices without disks are many over time, and used again. */
		if (s->known.n >= KNOWN_MAX)
			hash_filter(&s->known, NULL, hash_free_value, NULL);
		d = mem_alloc(sizeof(*d));
		d->dev = dev;
		hash_put(&s->known, d);
	}
	d->slow = slow;
}

static void read_mounts(struct slowfs *s, const char *of)
{
	struct proc_mount m;
	char path[300];
	const char *p;
	int r;

	snprintf(path, sizeof(path), "%s/%s/mountinfo", s->proc, of);
	if (buf_read_file(&s->text, AT_FDCWD, path, TEXT_MAX) < 0 || !s->text.len)
		return;
	for (p = s->text.data; (r = proc_mountinfo_line(&p, &m)) != 0;)
		if (r > 0)
			note(s, (uint64_t)(m.dev >> 20) << 32 | (m.dev & 0xfffff),
			     is_slow_type(m.fstype, m.fstype_len));
}

bool slowfs_has(struct slowfs *s, uint64_t dev, uint32_t tgid)
{
	struct device *d;
	char pid[16];

	if (!s->read_at || (clock_mono() - s->read_at > AGAIN && !hash_get(&s->known, &dev))) {
		s->read_at = clock_mono();
		read_mounts(s, "self");
	}
	d = hash_get(&s->known, &dev);
	if (!d) {
		snprintf(pid, sizeof(pid), "%u", tgid);
		read_mounts(s, pid);
		d = hash_get(&s->known, &dev);
	}
	if (!d) {
		note(s, dev, !(dev >> 32));
		d = hash_get(&s->known, &dev);
	}
	return d->slow;
}
