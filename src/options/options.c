// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/options.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/message.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "collect/collect.h"
#include "collect/proc/cgroup.h"
#include "options/table.h"
#include "tui/screen.h"

#define LONG_BASE 256	/* getopt's value of the long option with index 0 */

const struct option_info *option_find(const char *name)
{
	for (unsigned i = 0; i < option_count; i++)
		if (!strcmp(option_table[i].name, name))
			return &option_table[i];
	return NULL;
}

bool option_available(const struct option_info *info)
{
	if (!info->screens)
		return true;
	for (const char *p = info->screens; *p;) {
		size_t n = strcspn(p, " ");

		for (unsigned i = 0; screens[i]; i++)
			if (strlen(screens[i]->name) == n && !strncmp(screens[i]->name, p, n))
				return true;
		p += n + strspn(p + n, " ");
	}
	return false;
}

static int complain_unknown(struct buf *why, const char *word)
{
	size_t n = strcspn(word, "=");
	char name[64];
	struct nearest near = { .word = name };

	snprintf(name, sizeof(name), "%.*s", (int)n, word);
	for (unsigned i = 0; i < option_count; i++)
		if (option_available(&option_table[i]))
			nearest_offer(&near, option_table[i].name);
	if (near.best)
		buf_printf(why, _("unknown option --%s; did you mean --%s?"), name, near.best);
	else
		buf_printf(why, _("unknown option --%s; --help lists them"), name);
	return -EINVAL;
}

/* What getopt_long() found wrong. */
static int complain(struct buf *why, int found, const char *word)
{
	const struct option_info *info =
		optopt >= LONG_BASE ? &option_table[optopt - LONG_BASE] : NULL;

	for (unsigned i = 0; !info && optopt && i < option_count; i++)
		if (option_table[i].letter == optopt)
			info = &option_table[i];
	if (found == ':' && info)
		buf_printf(why, _("option --%s needs an argument: %s"), info->name, info->arg);
	else if (info)
		buf_printf(why, _("option --%s takes no argument"), info->name);
	else if (optopt)
		buf_printf(why, _("unknown option -%c; --help lists them"),
			   optopt > ' ' && optopt < 127 ? optopt : '?');
	else
		return complain_unknown(why, word + strspn(word, "-"));
	return -EINVAL;
}

static void getopt_tables(struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (unsigned i = 0; i < option_count; i++) {
		const struct option_info *info = &option_table[i];
		bool optional = info->kind == OPT_FLAG || (info->arg && info->arg[0] == '[');

		longs[i] = (struct option){
			.name = info->name,
			.has_arg = optional    ? optional_argument
				   : info->arg ? required_argument
					       : no_argument,
			.val = LONG_BASE + (int)i,
		};
		if (!info->letter)
			continue;
		*shorts++ = info->letter;
		if (info->arg)
			*shorts++ = ':';
	}
	*shorts = '\0';
}

static const struct option_info *info_of(int found)
{
	if (found >= LONG_BASE)
		return &option_table[found - LONG_BASE];
	for (unsigned i = 0; i < option_count; i++)
		if (option_table[i].letter == found)
			return &option_table[i];
	return NULL;
}

/* biotop's way: interval, then count. */
static int parse_positional(struct options *o, int argc, char *const argv[], struct buf *why)
{
	static const char *const names[] = { "delay", "iter" };

	for (int i = 0; i < argc; i++) {
		if (i >= (int)ARRAY_SIZE(names)) {
			buf_printf(
				why,
				_("what is \"%s\"? Only an interval and a count can stand alone"),
				argv[i]);
			return -EINVAL;
		}
		if (option_apply(o, option_find(names[i]), argv[i], why) < 0)
			return -EINVAL;
	}
	return 0;
}

static int parse_arguments(struct options *o, int argc, char *const argv[], struct buf *why)
{
	struct option longs[128] = { { 0 } };
	char shorts[2 * 128 + 2];
	int found;

	getopt_tables(longs, shorts);
	opterr = 0;
	optind = 0;	/* glibc: forget an earlier run */
	while ((found = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct option_info *info =
			found == '?' || found == ':' ? NULL : info_of(found);

		if (!info)
			return complain(why, found, argv[optind - 1]);
		if (!option_available(info)) {
			buf_printf(why, _("option --%s: there is no screen \"%s\""), info->name,
				   info->screens);
			return -EINVAL;
		}
		if (option_apply(o, info, optarg, why) < 0)
			return -EINVAL;
	}
	return parse_positional(o, argc - optind, argv + optind, why);
}

static void options_init(struct options *o)
{
	*o = (struct options){ .delay = 1, .group = -1, .layer = -1, .op = -1 };
	arena_init(&o->strings);
}

void options_release(struct options *o)
{
	for (size_t i = 0; i < o->nusers; i++)
		free(o->users[i]);
	free(o->users);
	free(o->pids);
	free(o->tgids);
	arena_release(&o->strings);
	options_init(o);
}

/* Names become numbers: these are known of every task, whether names are or not. */
static int check_users(struct options *o, struct buf *why)
{
	for (size_t i = 0; i < o->nusers; i++) {
		const struct passwd *user;
		uint32_t uid;

		if (!parse_u32(o->users[i], &uid))
			continue;
		user = getpwnam(o->users[i]);
		if (!user) {
			buf_printf(why, _("there is no user \"%s\""), o->users[i]);
			return -EINVAL;
		}
		free(o->users[i]);
		o->users[i] = mem_alloc(16);
		snprintf(o->users[i], 16, "%u", user->pw_uid);
	}
	return 0;
}

/* The process of a thread; the id itself where /proc does not tell. */
static uint32_t tgid_of(uint32_t pid)
{
	struct buf text = { 0 };
	const char *p;
	char path[32];
	uint32_t tgid = 0;

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
	if (!o->npids)
		return 0;
	o->tgids = mem_alloc((o->npids + 1) * sizeof(*o->tgids));
	for (size_t i = 0; i < o->npids; i++) {
		if (kill((pid_t)o->pids[i], 0) && errno == ESRCH) {
			buf_printf(why, _("there is no process %u"), o->pids[i]);
			return -EINVAL;
		}
		o->tgids[i] = tgid_of(o->pids[i]);
	}
	o->tgids[o->npids] = 0;
	return 0;
}

/* People paste /dev/sda, /dev/mapper/vg-root; the name alone is what disks are called. */
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
		found = !stat(path.data, &st) && (!i || S_ISBLK(st.st_mode));
		buf_release(&path);
		if (found)
			return 0;
	}
	buf_printf(why, _("there is no disk \"%s\"; -b --screen=disks lists them"), o->disk);
	return -EINVAL;
}

/*
 * As the groups of tasks are called: from where they are mounted on, a slash before each part; the
 * root is "".
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

/* Those that are loaded; of those that are not, the modules that can be. */
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

static int check(struct options *o, struct buf *why)
{
	if (o->action != ACTION_RUN)
		return 0;
	if (o->record && o->replay) {
		buf_puts(why, _("--record and --replay exclude each other"));
		return -EINVAL;
	}
	if (o->max_block && o->min_block > o->max_block) {
		buf_puts(why, _("--min-block is above --max-block"));
		return -EINVAL;
	}
	if (o->state && (!*o->state || o->state[strspn(o->state, "SDTtPI")])) {
		buf_puts(why, _("--state takes some of the letters S D T t P I"));
		return -EINVAL;
	}
	if (o->disk)
		plain_disk(o);
	/* A recording has its own users, processes and disks. */
	if (o->replay && o->cgroup)
		name_cgroup(o, o->cgroup, strlen(o->cgroup));
	if (o->replay)
		return 0;
	if (o->disk && check_disk(o, why) < 0)
		return -EINVAL;
	if (o->fs && check_fs(o, why) < 0)
		return -EINVAL;
	if (o->cgroup && check_cgroup(o, why) < 0)
		return -EINVAL;
	return check_users(o, why) < 0 ? -EINVAL : check_pids(o, why);
}

/*
 * What a file says of columns is of its screen: another one on the command line leaves it aside.
 * What the command line itself gave is another pointer.
 */
static void forget_screen(struct options *o, const struct options *file)
{
	struct buf why = { 0 };
	const struct screen *of_file = options_screen(file->screen, &why);

	if (o->screen && of_file && strcmp(o->screen, of_file->name)) {
		if (o->columns == file->columns)
			o->columns = NULL;
		if (o->sort == file->sort)
			o->sort = NULL;
		if (o->filter == file->filter)
			o->filter = NULL;
		if (o->group == file->group)
			o->group = -1;
	}
	buf_release(&why);
}

static int parse_all(struct options *o, int argc, char *const argv[], struct buf *why)
{
	int r = parse_arguments(o, argc, argv, why);

	if (r < 0)
		return r;
	/* Once more, now over the file. */
	if (!o->batch && o->action == ACTION_RUN) {
		struct options file;

		options_release(o);
		r = options_read_config_file(o, why);
		file = *o;
		if (!r)
			r = parse_arguments(o, argc, argv, why);
		if (!r)
			forget_screen(o, &file);
	}
	return r < 0 ? r : check(o, why);
}

int options_parse(struct options *o, int argc, char *const argv[], struct buf *why)
{
	size_t from = why->len;
	int r;

	options_init(o);
	r = parse_all(o, argc, argv, why);
	/* It quotes arguments, which may hold anything. */
	if (r < 0)
		message_tidy(why, from);
	return r;
}
