// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mounts of file systems that a server answers for, on another machine or a process (FUSE): what
 * the kernel counts of them. Their names are chosen by whoever mounts, and their files may wait for
 * ever: nothing of them is opened.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "collect/collector.h"
#include "collect/disks/fuse_calls.h"
#include "collect/disks/nfs_stats.h"
#include "collect/proc/proc.h"
#include "collect/set.h"

#define MOUNTS_MAX 256	/* file systems; of more only the first, and a loss is told */
#define NSEC_PER_MSEC 1000000u

enum far_kind {
	FAR_NOT,
	FAR_NFS,
	FAR_FUSE,
	FAR_OTHER,	/* nothing is known of them but that they are there */
};

struct far_mount {
	uint32_t dev;
	enum far_kind kind;
	bool bind;	/* not the root of its file system */
	char *fs, *source, *point;
	char *addr;	/* of the server; NULL: not told */
};

struct far_mounts {
	int proc, sys;
	int mountinfo;	/* polled: the kernel tells when it changed; -1: not there */
	bool read;
	struct far_mount mounts[MOUNTS_MAX];
	size_t n;
	uint64_t full;	/* mounts that found no room */
	struct fuse_calls *fuse;	/* NULL: without BPF */
	struct buf buf;
};

static void forget(struct far_mounts *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->mounts[i].fs);
		free(f->mounts[i].source);
		free(f->mounts[i].point);
		free(f->mounts[i].addr);
	}
	f->n = 0;
}

static int far_open(struct collect_set *set, unsigned sources, void **ret_state, struct err *err)
{
	const struct collect_options *opt = collect_set_options(set);
	int proc = proc_dir(opt->proc);
	struct far_mounts *f;

	if (proc < 0)
		return err_set(err, -proc, "%s: %m", opt->proc);
	f = mem_zalloc(sizeof(*f));
	f->proc = proc;
	f->sys = proc_dir(opt->sys);
	f->fuse = opt->no_bpf ? NULL : fuse_calls_new();
	f->mountinfo = openat(proc, "self/mountinfo", O_RDONLY | O_CLOEXEC);
	*ret_state = f;
	return 0;
}

static void far_close(void *state)
{
	struct far_mounts *f = state;

	forget(f);
	fuse_calls_free(f->fuse);
	buf_release(&f->buf);
	fd_close(f->mountinfo);
	fd_close(f->sys);
	close(f->proc);
	free(f);
}

static bool is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !strncmp(text, word, len);
}

static enum far_kind kind_of(const char *fs, size_t len)
{
	static const char *const others[] = { "9p", "cifs", "smb3", "ceph", "afs", "coda",
					      "orangefs", "lustre" };

	if (is(fs, len, "nfs") || is(fs, len, "nfs4"))
		return FAR_NFS;
	if (is(fs, len, "fuse") || is(fs, len, "fuseblk") || is(fs, len, "virtiofs") ||
	    (len > 5 && !strncmp(fs, "fuse.", 5)))
		return FAR_FUSE;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (is(fs, len, others[i]))
			return FAR_OTHER;
	return FAR_NOT;
}

/* The server's address among the options of an NFS mount; NULL: it is not there. */
static char *address_of(const struct proc_mount *m)
{
	const char *end = m->super + m->super_len;

	for (const char *p = m->super; p < end; p++) {
		size_t len = strcspn(p, ", \n");

		if (len > 5 && !strncmp(p, "addr=", 5))
			return mem_strndup(p + 5, len - 5);
		p += len;
	}
	return NULL;
}

static struct far_mount *find(struct far_mounts *f, uint32_t dev)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->mounts[i].dev == dev)
			return &f->mounts[i];
	return NULL;
}

/* A file system has one row, at the first place that shows its root. */
static void add(struct far_mounts *f, const struct proc_mount *m)
{
	enum far_kind kind = kind_of(m->fstype, m->fstype_len);
	struct far_mount *to = find(f, m->dev);
	bool bind = m->root_len != 1;

	if (to && to->bind && !bind) {
		free(to->point);
		to->point = proc_unescaped(m->point, m->point_len);
		to->bind = false;
	}
	if (to || kind == FAR_NOT)
		return;
	if (f->n == MOUNTS_MAX) {
		f->full++;
		return;
	}
	f->mounts[f->n++] = (struct far_mount){
		.dev = m->dev, .kind = kind, .bind = bind,
		.fs = proc_unescaped(m->fstype, m->fstype_len),
		.source = proc_unescaped(m->source, m->source_len),
		.point = proc_unescaped(m->point, m->point_len),
		.addr = kind == FAR_NFS ? address_of(m) : NULL,
	};
}

static bool changed(struct far_mounts *f)
{
	struct pollfd fd = { .fd = f->mountinfo, .events = POLLPRI };

	if (f->mountinfo < 0)
		return false;
	return !f->read || (poll(&fd, 1, 0) > 0 && (fd.revents & (POLLPRI | POLLERR)));
}

/* What answers is a process, whose calls kernel programs count while there is such a mount. */
static void fuse_changed(struct far_mounts *f)
{
	uint32_t devs[MOUNTS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->mounts[i].kind == FAR_FUSE)
			devs[n++] = f->mounts[i].dev;
	if (f->fuse)
		fuse_calls_keep(f->fuse, devs, n);
}

static void update(struct far_mounts *f)
{
	struct proc_mount m;
	const char *p;
	int r;

	if (!changed(f) ||
	    buf_read_file(&f->buf, f->proc, "self/mountinfo", 0) < 0 || !f->buf.len)
		return;
	f->read = true;
	forget(f);
	p = f->buf.data;
	while ((r = proc_mountinfo_line(&p, &m)) != 0)
		if (r > 0)
			add(f, &m);
	fuse_changed(f);
}

/* Requests that its process has not answered; root of fusectl, or whoever mounted, may read it. */
static void fuse_fill(struct far_mounts *f, struct sample *s, struct sample_mount *row)
{
	char path[64];

	if (f->fuse)
		fuse_calls_fill(f->fuse, s, row);
	snprintf(path, sizeof(path), "fs/fuse/connections/%u/waiting", row->dev);
	if (f->sys < 0 || buf_read_file(&f->buf, f->sys, path, 64) < 0 || !f->buf.len)
		return;
	row->waiting = strtoull(f->buf.data, NULL, 10);
	row->have |= MOUNT_WAITING;
}

static bool is_at(const char *escaped, size_t len, const char *path)
{
	char *text = proc_unescaped(escaped, len);
	bool ret = !strcmp(text, path);

	free(text);
	return ret;
}

/* Mounts of one server ask for the same: the one before may know. */
static void nfs_fill(struct far_mounts *f, size_t i, struct sample_mount *rows)
{
	const char *addr = f->mounts[i].addr;

	for (size_t k = 0; addr && k < i; k++)
		if (f->mounts[k].addr && !strcmp(f->mounts[k].addr, addr)) {
			rows[i].waiting = rows[k].waiting;
			rows[i].have |= rows[k].have & MOUNT_WAITING;
			return;
		}
	if (addr && !nfs_waiting(f->sys, &f->buf, addr, &rows[i].waiting))
		rows[i].have |= MOUNT_WAITING;
}

static void nfs_count(struct sample_mount *row, const struct nfs_stats *stats)
{
	row->have |= MOUNT_CALLS;
	row->answers = stats->answers;
	row->calls = stats->ops;
	row->ns = stats->execute_ms * NSEC_PER_MSEC;
	row->rtt_ns = stats->rtt_ms * NSEC_PER_MSEC;
	row->retrans = stats->retrans;
	row->errors = stats->errors;
	row->read = stats->read;
	row->write = stats->write;
}

static void nfs_read(struct far_mounts *f, struct sample_mount *rows)
{
	struct nfs_stats stats;
	const char *p;

	if (buf_read_file(&f->buf, f->proc, "self/mountstats", 0) < 0 || !f->buf.len)
		return;
	p = f->buf.data;
	while (nfs_stats_next(&p, &stats))
		for (size_t i = 0; i < f->n; i++)
			if (f->mounts[i].kind == FAR_NFS &&
			    is_at(stats.point, stats.point_len, f->mounts[i].point) &&
			    is_at(stats.source, stats.source_len, f->mounts[i].source))
				nfs_count(&rows[i], &stats);
}

/* What is missing of some mount; NULL: nothing. */
static const char *missing(const struct sample *s)
{
	sample_each(s, MOUNT, const struct sample_mount, m) {
		enum far_kind kind = kind_of(m->kind, strlen(m->kind));

		if (kind == FAR_FUSE && !(m->have & MOUNT_WAITING))
			return N_("what waits for FUSE is not known: fusectl is not mounted, or "
				  "not ours to read");
		if (kind == FAR_FUSE && !(m->have & MOUNT_CALLS))
			return N_("calls to FUSE are not counted: without BPF, or before Linux "
				  "6.11");
		if (kind == FAR_NFS && !(m->have & MOUNT_WAITING))
			return N_("what waits for NFS is not known: this kernel has no "
				  "/sys/kernel/sunrpc");
	}
	return NULL;
}

static void add_rows(const struct far_mounts *f, struct sample *s)
{
	for (size_t i = 0; i < f->n; i++) {
		struct sample_mount *row = sample_add_row(s, MOUNT, struct sample_mount);

		row->dev = f->mounts[i].dev;
		row->kind = arena_strdup(&s->arena, f->mounts[i].fs);
		row->source = arena_strdup(&s->arena, f->mounts[i].source);
		row->point = arena_strdup(&s->arena, f->mounts[i].point);
	}
}

static int far_collect(void *state, struct sample *s, struct err *err)
{
	struct far_mounts *f = state;
	struct sample_mount *rows;
	bool nfs = false;
	const char *why;

	update(f);
	add_rows(f, s);
	rows = s->tables[TABLE_MOUNT].rows;
	for (size_t i = 0; i < f->n; i++) {
		if (f->mounts[i].kind == FAR_FUSE)
			fuse_fill(f, s, &rows[i]);
		else if (f->mounts[i].kind == FAR_NFS)
			nfs_fill(f, i, rows);
		nfs |= f->mounts[i].kind == FAR_NFS;
	}
	if (nfs)
		nfs_read(f, rows);
	if (f->fuse)
		fuse_calls_tasks(f->fuse, s);
	sample_lose(s, "mounts.full", f->full);
	why = missing(s);
	sample_source(s, SRC_MOUNTS, why ? SOURCE_PART : SOURCE_ON, why);
	return 0;
}

static void far_probe(void *state, struct probe_list *list)
{
	const struct far_mounts *f = state;

	if (f->fuse)
		fuse_calls_probe(f->fuse, list);
}

const struct collector collector_far_mounts = {
	.name = "mounts",
	.provides = SRC_MOUNTS,
	.privileges = PRIV_FILES,
	.open = far_open,
	.collect = far_collect,
	.probe = far_probe,
	.close = far_close,
};
