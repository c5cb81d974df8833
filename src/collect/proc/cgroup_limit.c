// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/cgroup_limit.h"

#include <stdlib.h>
#include <string.h>

#include "base/macro.h"
#include "base/mem.h"

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

/* Adds the limits of one group, in a folder below root. */
static void read_group(int root, const char *folder, bool unified, const char *of, struct buf *ret)
{
	static const struct {
		const char *file, *key;
	} files[] = {
		{ "io.max", NULL },
		{ "blkio.throttle.read_bps_device", "rbps" },
		{ "blkio.throttle.write_bps_device", "wbps" },
		{ "blkio.throttle.read_iops_device", "riops" },
		{ "blkio.throttle.write_iops_device", "wiops" },
	};

	_cleanup_(buf_release) struct buf words = { 0 };

	for (size_t i = unified ? 0 : 1; i < (unified ? 1 : ARRAY_SIZE(files)); i++) {
		_cleanup_(buf_release) struct buf path = { 0 }, text = { 0 };

		buf_printf(&path, "./%s/%s", folder, files[i].file);
		if (buf_read_file(&text, root, path.data, TEXT_MAX) < 0 || !text.len)
			continue;
		if (unified)
			cgroup_limit_max(text.data, &words);
		else
			cgroup_limit_device(text.data, files[i].key, &words);
	}
	if (!words.len)
		return;
	buf_printf(ret, "%s%s%s", ret->len ? "; " : "", unified ? "io.max" : "blkio.throttle",
		   words.data);
	if (of)
		buf_printf(ret, " (%s)", of);
}

void cgroup_limit_read(int root, const char *path, bool unified, struct buf *ret)
{
	_cleanup_(mem_freep) char *folder = mem_strdup(path);
	char *last;

	read_group(root, folder, unified, NULL, ret);
	while ((last = strrchr(folder, '/')) && last != folder) {
		*last = '\0';
		read_group(root, folder, unified, folder, ret);
	}
}
