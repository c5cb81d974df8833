// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/diskstats, and what the disks are. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "base/kept_file.h"
#include "collect/collector.h"
#include "collect/disks/mounts.h"
#include "collect/disks/topology.h"
#include "collect/disks/uevents.h"
#include "collect/helper/helper.h"
#include "collect/helper/provider.h"
#include "collect/proc/proc.h"
#include "collect/set.h"

#define ACTIVE_FRESH (5 * NSEC_PER_SEC)		/* /sys of a disk at work is read again after
						 * this */
#define IDLE_FRESH (60 * NSEC_PER_SEC)		/* … and of one at rest */
/* … and later by so much for each disk beyond these: of a thousand not all are read each time. */
#define FEW_DISKS 64
#define EACH_FRESH (NSEC_PER_SEC / FEW_DISKS)

struct disks {
	int proc, sys;
	struct kept_file diskstats;
	int dev;		/* /dev; -1: proc and sys are a frozen tree, not the machine's
				 * own */
	int mountinfo;		/* polled: the kernel tells when it changed; -1: not there */
	int uevents;		/* the same of disks; below 0: not there */
	unsigned round;
	struct hash nodes;	/* struct disk_node by dev; those of disks that are gone stay,
				 * for their names */
	struct mounts mounts;
	bool changed;		/* nodes or mounts: the mount points are to be given out again */
	struct provider *provider;	/* NULL: nobody asks disks for their provider's limits */
	struct buf buf;
};

static int disks_open(struct collect_set *set, unsigned sources, void **ret_state, struct err *err)
{
	const struct collect_options *opt = collect_set_options(set);
	int proc = proc_dir(opt->proc);
	struct disks *d;

	if (proc < 0)
		return err_set(err, -proc, "%s: %m", opt->proc);
	if (faccessat(proc, "diskstats", R_OK, 0) < 0) {
		int r = err_set(err, errno, "%s/diskstats: %m", opt->proc);

		close(proc);
		return r;
	}
	d = mem_alloc(sizeof(*d));
	*d = (struct disks){
		.proc = proc,
		.diskstats = KEPT_FILE,
		.sys = proc_dir(opt->sys),
		.dev = strcmp(opt->sys, "/sys") ? -1
						: open("/dev", O_PATH | O_DIRECTORY | O_CLOEXEC),
		.mountinfo = openat(proc, "self/mountinfo", O_RDONLY | O_CLOEXEC),
		.uevents = strcmp(opt->sys, "/sys") ? -1 : uevents_open(),
		.changed = true,
		.provider = helper_provider(opt->helper),
	};
	hash_init(&d->nodes, offsetof(struct disk_node, dev), sizeof(uint32_t));
	*ret_state = d;
	return 0;
}

static void node_drop(void *value, void *arg)
{
	disk_node_free(value);
}

static void disks_close(void *state)
{
	struct disks *d = state;

	hash_clear(&d->nodes, node_drop, NULL);
	mounts_release(&d->mounts);
	buf_release(&d->buf);
	kept_file_close(&d->diskstats);
	fd_close(d->mountinfo);
	fd_close(d->uevents);
	fd_close(d->sys);
	fd_close(d->dev);
	close(d->proc);
	free(d);
}

static bool mounts_changed(struct disks *d)
{
	struct pollfd fd = { .fd = d->mountinfo, .events = POLLPRI };

	if (d->mountinfo < 0)
		return false;
	if (d->round == 1)
		return true;
	return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLPRI | POLLERR));
}

static void update_mounts(struct disks *d)
{
	if (!mounts_changed(d) || buf_read_file(&d->buf, d->proc, "self/mountinfo", 0) < 0 ||
	    !d->buf.len)
		return;
	mounts_parse(&d->mounts, d->buf.data, d->dev);
	d->changed = true;
}

static void node_changed(uint32_t dev, void *arg)
{
	const struct disks *d = arg;
	struct disk_node *n = hash_get(&d->nodes, &dev);

	if (n)
		n->read_at = 0;
}

/* A disk that got another name, another file, other disks below is read again. */
static void update_changed(struct disks *d)
{
	struct disk_node *n;
	size_t i = 0;

	if (d->uevents < 0 || uevents_read(d->uevents, node_changed, d))
		return;
	while ((n = hash_next(&d->nodes, &i)))
		n->read_at = 0;
}

/* Whether /sys is to be read again, of a disk that no event told of. */
static bool is_due(const struct disks *d, const struct disk_node *n, bool active, uint64_t now)
{
	uint64_t age = now - n->read_at,
		 more = d->nodes.n > FEW_DISKS ? (d->nodes.n - FEW_DISKS) * EACH_FRESH : 0;

	if (active && !n->active)
		return age >= more;
	return age > more + (active ? ACTIVE_FRESH : IDLE_FRESH);
}

/* The node of a line of /proc/diskstats, with what /sys says now. */
static struct disk_node *update_node(struct disks *d, const struct sample_disk *line,
				     const char *name, size_t len)
{
	struct disk_node *n = hash_get(&d->nodes, &line->dev);
	uint64_t sectors = line->rd_sectors + line->wr_sectors + line->dc_sectors + line->fl_ios,
		 now = clock_mono();
	bool active;

	if (n && (strncmp(n->name, name, len) || n->name[len])) {
		hash_del(&d->nodes, &line->dev);
		disk_node_free(n);
		n = NULL;
	}
	if (!n) {
		n = disk_node_new(line->dev, name, len);
		n->sectors = sectors;
		hash_put(&d->nodes, n);
	}
	active = sectors != n->sectors;
	if (!n->read_at || is_due(d, n, active, now)) {
		disk_node_read(n, d->sys);
		n->read_at = now;
		d->changed = true;
	}
	n->sectors = sectors;
	n->active = active;
	n->seen = d->round;
	return n;
}

static struct disk_node *node_by_name(const struct disks *d, const char *name)
{
	struct disk_node *n;
	size_t i = 0;

	while ((n = hash_next(&d->nodes, &i))) {
		if (n->seen == d->round && !strcmp(n->name, name))
			return n;
	}
	return NULL;
}

/*
 * The disk that a loop's file is, or is on; NULL: none is known. The file is not looked at: it may
 * lie on a file system that does not answer, and then we would not either.
 */
static struct disk_node *below_loop(const struct disks *d, const struct disk_node *loop)
{
	uint32_t dev = mounts_device(d->dev, loop->backing);
	const struct mount *m = mounts_of_path(&d->mounts, loop->backing);
	struct disk_node *n, *mounted = NULL;
	size_t i = 0;

	while ((n = hash_next(&d->nodes, &i))) {
		if (n == loop || n->seen != d->round)
			continue;
		if (dev ? n->dev == dev : disk_node_is(n, loop->backing))
			return n;
		if (!dev && m && mount_shows(m, n))
			mounted = n;
	}
	return mounted;
}

static void place_loop(const struct disks *d, struct disk_node *loop)
{
	const struct disk_node *n = below_loop(d, loop);

	if (!n)
		return;
	free(loop->below);
	loop->below = mem_strdup(n->name);
	loop->flags &= ~(uint32_t)DISK_LOWEST;
}

static void place_mounts(struct disks *d)
{
	struct disk_node *n;
	size_t i = 0;

	if (!d->changed)
		return;
	while ((n = hash_next(&d->nodes, &i))) {
		if (n->seen != d->round)
			continue;
		free(n->mounts);
		n->mounts = mounts_of_disk(&d->mounts, n);
		free(n->kinds);
		n->kinds = mounts_kinds(&d->mounts, n);
		n->own = mounts_own_number(&d->mounts, n);
		if (n->backing)
			place_loop(d, n);
	}
	d->changed = false;
}

static const char *copy(struct sample *s, const char *str)
{
	return str ? arena_strdup(&s->arena, str) : NULL;
}

static void add_limits(const struct disks *d, const struct sample *s, struct sample_disk *row)
{
	struct provider_counts c;

	row->limits = provider_get(d->provider, row->dev, s->mono, &c);
	row->limits_ns = c.told_ns;
	row->volume_iops_ns = c.exceeded_ns[LIMIT_VOLUME_IOPS];
	row->volume_throughput_ns = c.exceeded_ns[LIMIT_VOLUME_THROUGHPUT];
	row->instance_iops_ns = c.exceeded_ns[LIMIT_INSTANCE_IOPS];
	row->instance_throughput_ns = c.exceeded_ns[LIMIT_INSTANCE_THROUGHPUT];
}

static void describe(const struct disks *d, struct sample *s, struct sample_disk *row,
		     const struct disk_node *n)
{
	const struct disk_node *whole = n->whole ? node_by_name(d, n->whole) : NULL;

	row->whole = whole ? whole->dev : n->dev;
	row->flags = n->flags;
	row->name = copy(s, n->name);
	row->label = copy(s, n->label);
	row->type = copy(s, n->type);
	row->below = copy(s, n->below);
	row->mounts = copy(s, n->mounts);
	row->kinds = copy(s, n->kinds);
	row->own = n->own;
	row->sched = *n->sched ? copy(s, n->sched) : NULL;
	row->size = n->size;
	if (n->limits)
		add_limits(d, s, row);
}

/* Disks that the block maps know and /proc/diskstats does not any more. */
static void add_gone(struct disks *d, struct sample *s)
{
	sample_each(s, DISKOP, struct sample_diskop, op) {
		struct disk_node *n = hash_get(&d->nodes, &op->dev);
		struct sample_disk *row;
		char name[32];

		if (n && n->seen == d->round)
			continue;
		if (!n) {
			int len = snprintf(name, sizeof(name), "%u:%u", op->dev >> 20,
					   op->dev & 0xfffff);

			n = disk_node_new(op->dev, name, (size_t)len);
			hash_put(&d->nodes, n);
		}
		n->seen = d->round;
		row = sample_add_row(s, DISK, struct sample_disk);
		row->dev = op->dev;
		describe(d, s, row, n);
		row->flags |= DISK_GONE;
	}
}

static int disks_collect(void *state, struct sample *s, struct err *err)
{
	struct disks *d = state;
	size_t first = s->tables[TABLE_DISK].n;
	struct sample_disk line;
	const char *p, *name;
	size_t len;
	int r;

	d->round++;
	provider_turn(d->provider, s->mono);
	update_mounts(d);
	update_changed(d);
	r = kept_file_read(&d->diskstats, &d->buf, d->proc, "diskstats", 0);
	if (r < 0)
		return err_set(err, -r, "/proc/diskstats: %m");
	s->counted = clock_mono();
	p = d->buf.data ? d->buf.data : "";
	while ((r = proc_diskstats_line(&p, &line, &name, &len)) != 0) {
		if (r < 0)
			continue;
		if (!update_node(d, &line, name, len)->hidden)
			*sample_add_row(s, DISK, struct sample_disk) = line;
	}
	place_mounts(d);
	sample_each(s, DISK, struct sample_disk, row) {
		const struct disk_node *n = hash_get(&d->nodes, &row->dev);

		if ((size_t)(row - (struct sample_disk *)s->tables[TABLE_DISK].rows) >= first)
			describe(d, s, row, n);
	}
	add_gone(d, s);
	if (d->sys < 0)
		sample_source(s, SRC_DISKS, SOURCE_PART,
			      N_("/sys is not there: no names, no stacking of disks"));
	else
		sample_source(s, SRC_DISKS, SOURCE_ON, NULL);
	return 0;
}

const struct collector collector_disks = {
	.name = "disks",
	.provides = SRC_DISKS,
	.open = disks_open,
	.collect = disks_collect,
	.close = disks_close,
};
