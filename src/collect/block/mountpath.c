// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/block/mountpath.h"

#include <stdio.h>
#include <string.h>

#include "base/macro.h"
#include "base/parse.h"

void mountpath_read(struct mountpath *m, const char *proc)
{
	char path[512];

	buf_reset(&m->text);
	snprintf(path, sizeof(path), "%s/self/mountinfo", proc);
	if (buf_read_file(&m->text, -1, path, 4 << 20) < 0)
		buf_reset(&m->text);
}

void mountpath_release(struct mountpath *m)
{
	buf_release(&m->text);
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/*
 * A field up to the blank, in which some characters stand as backslash and three digits. Moves *p
 * behind it.
 */
static void scan_field(const char **p, struct buf *out)
{
	const char *s = *p;

	buf_reset(out);
	while (*s && *s != ' ' && *s != '\n') {
		if (s[0] == '\\' && is_octal(s[1]) && is_octal(s[2]) && is_octal(s[3])) {
			buf_putc(out, (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + s[3] - '0'));
			s += 4;
		} else {
			buf_putc(out, *s++);
		}
	}
	while (*s == ' ')
		s++;
	*p = s;
}

/* What follows folder in path, "" for folder itself; NULL: path is not below it. */
static const char *below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	while (n && folder[n - 1] == '/')
		n--;
	return !strncmp(path, folder, n) && (path[n] == '/' || !path[n]) ? path + n : NULL;
}

/*
 * Appends the path of a file by which it is reached here; inside: its path from the root of its
 * file system, dev: major << 20 | minor. False when that is mounted nowhere we see.
 */
static bool file_path(const struct mountpath *m, uint32_t dev, const char *inside, struct buf *out)
{
	_cleanup_(buf_release) struct buf root = { 0 }, point = { 0 }, best = { 0 };
	size_t shortest = SIZE_MAX;

	for (const char *p = m->text.len ? m->text.data : ""; *p; scan_line(&p)) {
		const char *rest;
		uint64_t major, minor;

		scan_u64(&p);
		scan_u64(&p);
		major = scan_u64(&p);
		if (*p != ':')
			continue;
		p++;
		minor = scan_u64(&p);
		while (*p == ' ')
			p++;
		if ((major << 20 | minor) != dev)
			continue;
		scan_field(&p, &root);
		scan_field(&p, &point);
		rest = root.len && point.len ? below(inside, root.data) : NULL;
		/* Of several ways to it, the one that shows the most of the file system. */
		if (!rest || root.len >= shortest)
			continue;
		shortest = root.len;
		buf_reset(&best);
		if (strcmp(point.data, "/"))
			buf_puts(&best, point.data);
		buf_puts(&best, rest);
	}
	if (shortest == SIZE_MAX)
		return false;
	buf_puts(out, best.len ? best.data : "/");
	return true;
}

/* They come from the file upwards. */
const char *mountpath_name(const struct mountpath *m, struct sample *s, uint32_t sdev,
			   const struct abi_names *names)
{
	_cleanup_(buf_release) struct buf inside = { 0 }, path = { 0 };
	const char *parts[32];
	size_t at = 0, n = 0;

	while (n < MIN(names->count, ARRAY_SIZE(parts)) && at < sizeof(names->name)) {
		parts[n++] = names->name + at;
		at += strnlen(names->name + at, sizeof(names->name) - at) + 1;
	}
	if (at > sizeof(names->name) || (!n && !(names->flags & ABI_FILE_WHOLE)))
		return NULL;
	/* What has no name is the root. */
	buf_puts(&inside, !n ? "/" : names->flags & ABI_FILE_WHOLE ? "" : "...");
	while (n--) {
		buf_putc(&inside, '/');
		buf_puts(&inside, parts[n]);
	}
	if (!(names->flags & ABI_FILE_WHOLE) || !file_path(m, sdev, inside.data, &path))
		return sample_str(s, inside.data, inside.len);
	return sample_str(s, path.data, path.len);
}
