// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/cgroup_limit.h"

#include <string.h>

#include "base/macro.h"
#include "base/mem.h"
#include "collect/proc/cgroup_peers.h"

#define TEXT_MAX 65536

static bool several_lines(const char *text)
{
	const char *first = strchr(text, '\n');

	return first && first[1];
}

/* The words of a line that are a limit; "max" is none. */
static void put_words(const char *line, size_t len, bool disk, struct buf *ret)
{
	size_t number = strcspn(line, " \n"), from = ret->len;

	for (size_t at = number; at < len;) {
		size_t word;

		at += strspn(line + at, " ");
		word = MIN(strcspn(line + at, " \n"), len - at);
		if (word > 4 && strncmp(line + at + word - 4, "=max", 4)) {
			if (disk && ret->len == from)
				buf_printf(ret, " %.*s", (int)number, line);
			buf_putc(ret, ' ');
			buf_putn(ret, line + at, word);
		}
		at += word ? word : 1;
	}
}

void cgroup_limit_max(const char *text, struct buf *ret)
{
	bool several = several_lines(text);

	for (const char *p = text; *p; p += strspn(p, "\n")) {
		size_t len = strcspn(p, "\n");

		put_words(p, len, several, ret);
		p += len;
	}
}

void cgroup_limit_device(const char *text, const char *key, struct buf *ret)
{
	bool several = several_lines(text);

	for (const char *p = text; *p; p += strspn(p, "\n")) {
		size_t number = strcspn(p, " \n"), len = strcspn(p, "\n");

		if (several)
			buf_printf(ret, " %.*s", (int)number, p);
		if (number < len)
			buf_printf(ret, " %s=%.*s", key, (int)(len - number - 1), p + number + 1);
		p += len;
	}
}

void cgroup_limit_weight(const char *text, struct buf *ret)
{
	static const char all[] = "default ";

	if (!strncmp(text, all, strlen(all)))
		text += strlen(all);
	for (const char *p = text; *p; p += strspn(p, "\n")) {
		size_t len = strcspn(p, "\n");

		buf_putc(ret, ' ');
		buf_putn(ret, p, len);
		p += len;
	}
}

/* Where a group is, and how it is called when it is not the one that was asked for. */
struct group {
	int root;
	const char *folder, *of;
	bool holding;	/* what holds it back, not what is set there */
	bool cost;	/* with iocost a weight is a limit */
};

static bool read_file(const struct group *g, const char *file, struct buf *ret)
{
	_cleanup_(buf_release) struct buf path = { 0 };

	buf_printf(&path, "./%s/%s", g->folder, file);
	return buf_read_file(ret, g->root, path.data, TEXT_MAX) == 0 && ret->len;
}

/* Adds limits of one kind, where there are any. */
static void put_limits(const struct group *g, const char *kind, const struct buf *words,
		       struct buf *ret)
{
	if (!words->len)
		return;
	buf_printf(ret, "%s%s%s", ret->len ? "; " : "", kind, words->data);
	if (g->of)
		buf_printf(ret, " (%s)", g->of);
}

static void put_file(const struct group *g, const char *file,
		     void (*words_of)(const char *text, struct buf *ret), struct buf *ret)
{
	_cleanup_(buf_release) struct buf text = { 0 }, words = { 0 };

	if (read_file(g, file, &text))
		words_of(text.data, &words);
	put_limits(g, file, &words, ret);
}

static void put_peers(const struct group *g, struct buf *ret)
{
	_cleanup_(buf_release) struct buf words = { 0 };

	cgroup_peers_read(g->root, g->folder, &words);
	if (words.len)
		buf_printf(ret, "%sio.latency%s", ret->len ? "; " : "", words.data);
}

/* Of version 2. */
static void read_unified(const struct group *g, struct buf *ret)
{
	put_file(g, "io.max", cgroup_limit_max, ret);
	if (g->holding)
		put_peers(g, ret);
	else
		put_file(g, "io.latency", cgroup_limit_max, ret);
	if (g->cost)
		put_file(g, "io.weight", cgroup_limit_weight, ret);
}

static void read_v1(const struct group *g, struct buf *ret)
{
	static const struct {
		const char *file, *key;
	} files[] = {
		{ "blkio.throttle.read_bps_device", "rbps" },
		{ "blkio.throttle.write_bps_device", "wbps" },
		{ "blkio.throttle.read_iops_device", "riops" },
		{ "blkio.throttle.write_iops_device", "wiops" },
	};
	_cleanup_(buf_release) struct buf words = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(buf_release) struct buf text = { 0 };

		if (read_file(g, files[i].file, &text))
			cgroup_limit_device(text.data, files[i].key, &words);
	}
	put_limits(g, "blkio.throttle", &words, ret);
}

/* Whether iocost is at work at some disk: the root group says so. */
static bool iocost_is_on(int root)
{
	_cleanup_(buf_release) struct buf text = { 0 };

	return buf_read_file(&text, root, "./io.cost.qos", TEXT_MAX) == 0 && text.len &&
	       strstr(text.data, "enable=1");
}

static void read_all(struct group g, bool unified, struct buf *ret)
{
	void (*read)(const struct group *g, struct buf *ret) = unified ? read_unified : read_v1;
	_cleanup_(mem_freep) char *folder = mem_strdup(g.folder);
	char *last;

	g.cost = unified && iocost_is_on(g.root);
	g.folder = folder;
	read(&g, ret);
	g.of = folder;
	while ((last = strrchr(folder, '/')) && last != folder) {
		*last = '\0';
		read(&g, ret);
	}
}

void cgroup_limit_read(int root, const char *path, bool unified, struct buf *ret)
{
	read_all((struct group){ .root = root, .folder = path }, unified, ret);
}

void cgroup_limit_holding(int root, const char *path, bool unified, struct buf *ret)
{
	read_all((struct group){ .root = root, .folder = path, .holding = true }, unified, ret);
}
