// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/check.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "base/when.h"
#include "collect/collect.h"
#include "collect/proc/cgroup.h"
#include "data/column.h"
#include "options/config_file.h"
#include "out/out.h"

/* Looks up names of users: the uid of a task is always known, its user's name not. */
static int check_users(struct options *o, struct buf *why)
{
	for (size_t i = 0; i < o->users.n; i++) {
		const struct passwd *user = getpwnam(o->users.items[i]);

		if (!user) {
			buf_printf(why, _("there is no user \"%s\""), o->users.items[i]);
			return -EINVAL;
		}
		number_set_add(&o->uids, user->pw_uid);
	}
	text_set_release(&o->users);
	return 0;
}

/*
 * The process of a thread; the id itself where /proc does not tell. pidfd_open() (kernel 5.3) opens
 * processes and no other threads, in a fraction of the time that /proc/PID/status takes.
 */
static uint32_t tgid_of(uint32_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	struct buf text = { 0 };
	const char *p;
	char path[32];
	uint32_t tgid = 0;

	if (fd >= 0) {
		close(fd);
		return pid;
	}
	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (!buf_read_file(&text, AT_FDCWD, path, 1 << 16) && text.data &&
	    (p = strstr(text.data, "\nTgid:"))) {
		p += strlen("\nTgid:");
		tgid = (uint32_t)scan_u64(&p);
	}
	buf_release(&text);
	return tgid ? tgid : pid;
}

static int check_pids(struct options *o, struct buf *why)
{
	for (size_t i = 0; i < o->pids.n; i++) {
		if (kill((pid_t)o->pids.items[i], 0) && errno == ESRCH) {
			buf_printf(why, _("there is no process %u"), o->pids.items[i]);
			return -EINVAL;
		}
		number_set_add(&o->tgids, tgid_of(o->pids.items[i]));
	}
	return 0;
}

/* Drops the folder of /dev/sda and /dev/mapper/vg-root. */
static void plain_disk(struct options *o)
{
	static const char *const folders[] = { "/dev/mapper/", "/dev/" };

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (!strncmp(o->disk, folders[i], strlen(folders[i])))
			o->disk += strlen(folders[i]);
}

static int check_disk(const struct options *o, struct buf *why)
{
	static const char *const folders[] = { "/sys/class/block", "/dev/mapper", "/dev" };

	for (size_t i = 0; *o->disk && i < ARRAY_SIZE(folders); i++) {
		struct buf path = { 0 };
		struct stat st;
		bool found;

		buf_printf(&path, "%s/%s", folders[i], o->disk);
		found = *o->disk != '.' && !stat(path.data, &st) && (!i || S_ISBLK(st.st_mode));
		buf_release(&path);
		if (found)
			return 0;
	}
	buf_printf(why, _("there is no disk \"%s\"; -b --screen=disks lists them"), o->disk);
	return -EINVAL;
}

/*
 * Sets cgroup_name to the path as the rows of tasks have it: below the mount of cgroup2, with a
 * slash before each part, "" for the root.
 */
static void name_cgroup(struct options *o, const char *path, size_t len)
{
	struct buf name = { 0 };

	while (len && path[len - 1] == '/')
		len--;
	if (len && *path != '/')
		buf_putc(&name, '/');
	buf_putn(&name, path, len);
	o->cgroup_name = utf8_clean(&o->strings, name.data ? name.data : "", name.len);
	buf_release(&name);
}

static int check_cgroup(struct options *o, struct buf *why)
{
	struct buf path = { 0 };
	int fd = *o->cgroup ? cgroup_open("/proc", o->cgroup, &path) : -ENOENT;

	if (fd >= 0) {
		name_cgroup(o, path.data, path.len);
		buf_release(&path);
		close(fd);
		return 0;
	}
	buf_printf(why, _("there is no control group \"%s\" in a mounted cgroup2"), o->cgroup);
	return -EINVAL;
}

/* A file system that is registered, or that a module of this kernel provides. */
static int check_fs(const struct options *o, struct buf *why)
{
	_cleanup_(buf_release) struct buf text = { 0 }, path = { 0 }, loaded = { 0 }, alias = { 0 };
	struct utsname u;

	buf_printf(&loaded, "\t%s\n", o->fs);
	if (*o->fs && buf_read_file(&text, -1, "/proc/filesystems", 1 << 16) >= 0 && text.len &&
	    strstr(text.data, loaded.data))
		return 0;
	buf_reset(&text);
	buf_printf(&alias, "alias fs-%s ", o->fs);
	buf_printf(&path, "/lib/modules/%s/modules.alias", uname(&u) < 0 ? "" : u.release);
	if (*o->fs && buf_read_file(&text, -1, path.data, 1 << 25) >= 0 && text.len &&
	    strstr(text.data, alias.data))
		return 0;
	buf_printf(why, _("this kernel has no file system \"%s\"; /proc/filesystems lists them"),
		   o->fs);
	return -EINVAL;
}

/* To read a store is to replay it. */
static int check_store(struct options *o, struct buf *why)
{
	if (o->store && !*o->store)
		o->store = STORE_FOLDER;
	if (o->command || !o->store)
		return 0;
	if (o->replay || o->record) {
		buf_printf(why, _("--%s and --store exclude each other"),
			   o->replay ? "replay" : "record");
		return -EINVAL;
	}
	o->replay = o->store;
	return 0;
}

static int check_fetched(struct options *o, struct buf *why)
{
	char *path = debuginfod_cache_path();
	struct stat st;

	if (!path || stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		buf_printf(why,
			   _("--debuginfod: there is no folder %s; debuginfod-find(1) makes it"),
			   path ? path : "~/.cache/debuginfod_client");
	else if (st.st_uid != getuid())
		buf_printf(why, _("--debuginfod: %s is another user's"), path);
	else
		o->fetched = arena_strdup(&o->strings, path);
	free(path);
	return o->fetched ? 0 : -EINVAL;
}

static int check_time(const char *text, struct buf *why)
{
	uint64_t when;

	if (!when_parse(text, clock_real(), &when))
		return 0;
	buf_printf(why, _("\"%s\" is no time such as 03:12, -15m or yesterday 14:00"), text);
	return -EINVAL;
}

/* What of a recording is meant. Its own clock counts later: here they need only be times. */
static int check_times(struct options *o, struct buf *why)
{
	const char *comma = o->compare ? strchr(o->compare, ',') : NULL;

	if ((o->begin && check_time(o->begin, why) < 0) ||
	    (o->end && check_time(o->end, why) < 0))
		return -EINVAL;
	if (!o->compare)
		return 0;
	if (!comma) {
		buf_puts(why, _("--compare takes two times: 03:00,04:00"));
		return -EINVAL;
	}
	if (check_time(arena_strndup(&o->strings, o->compare, (size_t)(comma - o->compare)), why))
		return -EINVAL;
	return check_time(comma + 1, why);
}

/* Options that exclude each other. */
static int check_pairs(const struct options *o, struct buf *why)
{
	if (o->record && o->replay)
		buf_puts(why, _("--record and --replay exclude each other"));
	else if (o->max_block && o->min_block > o->max_block)
		buf_puts(why, _("--min-block is above --max-block"));
	else if (o->all_events && o->min_latency)
		buf_puts(why, _("--all and --min-latency exclude each other"));
	else if (o->why > 0 && o->iterations && !o->replay)
		buf_puts(why, _("--why and --iter exclude each other"));
	else
		return 0;
	return -EINVAL;
}

static int check(struct options *o, struct buf *why)
{
	if (check_store(o, why) < 0 || check_pairs(o, why) < 0 || check_times(o, why) < 0)
		return -EINVAL;
	if (o->state && (!*o->state || o->state[strspn(o->state, "SDTtPI")])) {
		buf_puts(why, _("--state takes some of the letters S D T t P I"));
		return -EINVAL;
	}
	if (o->why > 0) {
		o->screen = o->screen ? o->screen : "why";
		/* Of a recording all is looked at. */
		if (!o->replay)
			o->iterations = (uint64_t)ceil(o->why / o->delay);
	}
	if (o->summary && o->span == SPAN_TICK)
		o->span = SPAN_SUM;
	if (o->compare && o->span == SPAN_TICK)
		o->span = SPAN_MEAN;
	if (o->disk)
		plain_disk(o);
	/* A recording has its own users, processes and disks: nothing is looked up here. */
	if (o->replay && o->cgroup)
		name_cgroup(o, o->cgroup, strlen(o->cgroup));
	if (o->replay)
		return 0;
	if (o->debuginfod && !o->command && check_fetched(o, why) < 0)
		return -EINVAL;
	if (o->disk && check_disk(o, why) < 0)
		return -EINVAL;
	if (o->fs && check_fs(o, why) < 0)
		return -EINVAL;
	if (o->cgroup && check_cgroup(o, why) < 0)
		return -EINVAL;
	return check_users(o, why) < 0 ? -EINVAL : check_pids(o, why);
}

/* What would be attached here, as text or JSON. */
static int check_probes(const struct options *o, struct buf *why)
{
	if (o->replay || o->store)
		buf_printf(why, _("--probes and --%s exclude each other"),
			   o->replay ? "replay" : "store");
	else if (o->format != OUT_TEXT && o->format != OUT_JSON)
		buf_puts(why, _("--probes: --format is text or json"));
	else
		return 0;
	return -EINVAL;
}

int options_check(struct options *o, struct buf *why)
{
	int r = o->action == ACTION_RUN	     ? check(o, why)
		: o->action == ACTION_PROBES ? check_probes(o, why)
					     : 0;

	number_set_sort(&o->pids);
	number_set_sort(&o->tgids);
	number_set_sort(&o->uids);
	text_set_sort(&o->users);
	return r;
}
