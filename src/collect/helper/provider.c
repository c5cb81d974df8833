// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/provider.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "base/mem.h"
#include "collect/helper/descriptors.h"
#include "collect/helper/fork.h"
#include "collect/helper/provider_process.h"
#include "collect/privilege.h"
#include "collect/probe_list.h"

#define END_MS 50	/* what the process may take to end */

struct asked {
	struct provider_disk disk;
	bool waiting;			/* for its answer */
	bool told;			/* the newest answer was none that it refuses */
	bool refused;			/* for good: it is not asked again */
	int error;			/* as in provider_answer */
	struct provider_answer last;	/* that told; at_ns is 0: none */
	struct provider_counts counts;
};

struct provider {
	int socket;			/* -1: there is no process */
	pid_t pid;			/* 0: likewise, or it is none of ours */
	bool denied;			/* this process must not ask */
	unsigned rounds;
	size_t waiting;			/* disks that have not answered in this round */
	uint64_t asked_at;		/* CLOCK_MONOTONIC ns: when the round began */
	size_t n;
	struct asked disks[PROVIDER_DISKS];
};

bool provider_model(const char *model)
{
	static const char *const models[] = {
		"Amazon Elastic Block Store", "Amazon EC2 NVMe Instance Storage",
	};

	for (size_t i = 0; model && i < ARRAY_SIZE(models); i++)
		if (!strncmp(model, models[i], strlen(models[i])))
			return true;
	return false;
}

static bool read_text(int dir, const char *name, const char *file, struct buf *b)
{
	char path[NAME_MAX + 32];

	snprintf(path, sizeof(path), "block/%s/%s", name, file);
	return buf_read_file(b, dir, path, 256) >= 0 && b->len;
}

/* A whole disk that may tell; a path of a multipath disk is none. */
static bool disk_read(int sys, const char *name, struct provider_disk *ret)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	unsigned major, minor;

	if (strncmp(name, "nvme", 4) || strlen(name) >= sizeof(ret->name) ||
	    !read_text(sys, name, "device/model", &b) || !provider_model(b.data) ||
	    (read_text(sys, name, "hidden", &b) && b.data[0] != '0') ||
	    !read_text(sys, name, "dev", &b) || sscanf(b.data, "%u:%u", &major, &minor) != 2)
		return false;
	*ret = (struct provider_disk){ .dev = major << 20 | (minor & 0xfffff) };
	strcpy(ret->name, name);
	return true;
}

static size_t disks_find(const char *path, struct provider_disk *ret, size_t max)
{
	int sys = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;
	struct dirent *e;
	size_t n = 0;
	DIR *d;

	if (sys < 0)
		return 0;
	fd = openat(sys, "block", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d = fd < 0 ? NULL : fdopendir(fd);
	while (d && n < max && (e = readdir(d)))
		n += disk_read(sys, e->d_name, &ret[n]);
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
	close(sys);
	return n;
}

struct provider *provider_at(int socket, const struct provider_disk *disks, size_t n)
{
	struct provider *p = mem_zalloc(sizeof(*p));

	p->socket = socket;
	p->n = MIN(n, (size_t)PROVIDER_DISKS);
	for (size_t i = 0; i < p->n; i++)
		p->disks[i].disk = disks[i];
	return p;
}

static void child_begins(int socket, const char *dev, const struct provider_disk *disks, size_t n)
{
	fork_leave_terminal();
	descriptors_keep(socket, -1, false);
	provider_run(dev, disks, n);
	_exit(0);
}

struct provider *provider_start(const char *sys, const char *dev)
{
	struct provider_disk disks[PROVIDER_DISKS];
	size_t n = disks_find(sys, disks, PROVIDER_DISKS);
	struct provider *p;
	int socket = -1;
	pid_t pid = 0;

	if (!n)
		return NULL;
	if (privilege_permitted(PRIV_LOG_PAGE) &&
	    fork_wired("iotop-provider", &socket, &pid) >= 0 && !pid)
		child_begins(socket, dev, disks, n);
	p = provider_at(socket, disks, n);
	p->pid = pid;
	p->denied = !privilege_permitted(PRIV_LOG_PAGE);
	return p;
}

void provider_stop(struct provider *p)
{
	const struct timespec step = { .tv_nsec = 1000000 };

	if (!p)
		return;
	fd_close(p->socket);
	for (int i = 0; i < END_MS && p->pid && waitpid(p->pid, NULL, WNOHANG) == 0; i++)
		nanosleep(&step, NULL);
	free(p);
}

static void give_up(struct provider *p)
{
	close(p->socket);
	p->socket = -1;
}

/* A counter that fell, or a clock that did, is of another disk: what follows counts from here. */
static void count(struct asked *d, const struct provider_answer *a)
{
	const struct provider_answer *last = &d->last;
	uint64_t time_us = (a->at_ns - last->at_ns) / 1000;
	bool goes_on = last->at_ns && a->at_ns > last->at_ns;

	for (size_t i = 0; i < LIMIT_COUNT; i++)
		goes_on &= a->exceeded_us[i] >= last->exceeded_us[i];
	if (goes_on)
		d->counts.told_ns += time_us * 1000;
	for (size_t i = 0; goes_on && i < LIMIT_COUNT; i++)
		d->counts.exceeded_ns[i] +=
			MIN(a->exceeded_us[i] - last->exceeded_us[i], time_us) * 1000;
	d->last = *a;
}

/* False: it is no answer to what was asked. */
static bool take(struct provider *p, const struct provider_answer *a)
{
	struct asked *d = a->disk < p->n ? &p->disks[a->disk] : NULL;

	if (!d || !d->waiting)
		return false;
	d->waiting = false;
	p->waiting--;
	d->error = a->error;
	d->told = !a->error;
	d->refused = provider_is_final(a->error);
	if (!a->error)
		count(d, a);
	return true;
}

static void take_answers(struct provider *p)
{
	struct provider_answer a;
	ssize_t len;

	while (p->socket >= 0) {
		len = recv(p->socket, &a, sizeof(a), MSG_DONTWAIT | MSG_TRUNC);
		if (len < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (len != sizeof(a) || !take(p, &a))
			give_up(p);
	}
}

static void ask(struct provider *p, uint64_t now)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct provider_question q = { .disk = (uint32_t)i };

		if (p->disks[i].refused)
			continue;
		if (send(p->socket, &q, sizeof(q), MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof(q))
			break;
		p->disks[i].waiting = true;
		p->waiting++;
	}
	p->asked_at = now;
	p->rounds++;
}

void provider_turn(struct provider *p, uint64_t now)
{
	uint64_t pause;

	if (!p)
		return;
	take_answers(p);
	pause = p->rounds == 1 ? PROVIDER_PAUSE_FIRST : PROVIDER_PAUSE;
	if (p->socket >= 0 && !p->waiting && (!p->rounds || now - p->asked_at >= pause))
		ask(p, now);
}

enum disk_limits provider_get(const struct provider *p, uint32_t dev, uint64_t now,
			      struct provider_counts *ret)
{
	const struct asked *d = NULL;

	*ret = (struct provider_counts){ 0 };
	for (size_t i = 0; p && i < p->n; i++)
		if (p->disks[i].disk.dev == dev)
			d = &p->disks[i];
	if (!d)
		return LIMITS_SILENT;
	if (p->denied)
		return LIMITS_DENIED;
	/* Its number may be another disk's by now, of which nobody asks. */
	if (d->error == -ENODEV || d->error == -ENXIO)
		return LIMITS_SILENT;
	*ret = d->counts;
	if (p->socket < 0 || !d->told || (d->waiting && now - p->asked_at > PROVIDER_LATE))
		return LIMITS_SILENT;
	return LIMITS_TOLD;
}

/* Why it does not tell, a sentence; NULL: it tells. */
static const char *silence(const struct provider *p, const struct asked *d, char *room, size_t size)
{
	if (p->denied)
		return _("not told without CAP_SYS_ADMIN");
	if (d->waiting)
		return _("no answer yet");
	if (d->error <= 0)
		return d->told ? NULL : strerror(-d->error);
	snprintf(room, size, _("refused, NVMe status 0x%x"), (unsigned)d->error);
	return room;
}

void provider_probe(struct provider *p, struct probe_list *list)
{
	uint64_t end = clock_mono() + NSEC_PER_SEC;

	if (!p)
		return;
	provider_turn(p, clock_mono());
	while (p->socket >= 0 && p->waiting && clock_mono() < end) {
		poll(&(struct pollfd){ .fd = p->socket, .events = POLLIN }, 1, 10);
		take_answers(p);
	}
	if (p->pid)
		probe_process(list, "process provider", (uint32_t)p->pid);
	for (size_t i = 0; i < p->n; i++) {
		char room[64], what[64];
		const char *why = silence(p, &p->disks[i], room, sizeof(room));

		snprintf(what, sizeof(what), "provider's limits of %s", p->disks[i].disk.name);
		probe_add(list, what, !why, "%s", why ? why : _("told by the disk"));
	}
}
