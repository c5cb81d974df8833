// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/block/mountpath.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/macro.h"
#include "base/parse.h"

#define OTHERS_MOST (1 << 20)	/* bytes of mountinfo of another process: others chose them */

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

const char *mountpath_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	while (n && folder[n - 1] == '/')
		n--;
	return !strncmp(path, folder, n) && (path[n] == '/' || !path[n]) ? path + n : NULL;
}

static int by_dev(const void *pa, const void *pb)
{
	const struct mountpath_mount *a = pa, *b = pb;

	return a->dev != b->dev ? ORDER(a->dev, b->dev) : ORDER(a->line, b->line);
}

/* "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw". False: it is no such line. */
static bool parse_line(struct mountpath *m, const char *p, struct mountpath_mount *ret)
{
	_cleanup_(buf_release) struct buf root = { 0 }, point = { 0 }, word = { 0 };
	uint64_t major;

	scan_u64(&p);
	scan_u64(&p);
	major = scan_u64(&p);
	if (*p != ':')
		return false;
	p++;
	ret->dev = (uint32_t)(major << 20 | scan_u64(&p));
	while (*p == ' ')
		p++;
	scan_field(&p, &root);
	scan_field(&p, &point);
	if (!root.len || !point.len)
		return false;
	/* Options and any number of other fields end with a hyphen. */
	do {
		scan_field(&p, &word);
	} while (word.len && strcmp(word.data, "-"));
	scan_field(&p, &word);
	ret->root = arena_strdup(&m->arena, root.data);
	ret->point = arena_strdup(&m->arena, point.data);
	ret->fs = arena_strdup(&m->arena, word.len ? word.data : "?");
	ret->options = NULL;
	if (strcmp(ret->fs, "overlay"))
		return true;
	scan_field(&p, &word);
	scan_field(&p, &word);
	ret->options = arena_strdup(&m->arena, word.len ? word.data : "");
	return true;
}

static void parse(struct mountpath *m)
{
	const char *text = m->text.len ? m->text.data : "";
	size_t lines = 0;

	arena_reset(&m->arena);
	for (const char *p = text; *p; scan_line(&p))
		lines++;
	m->mounts = arena_new(&m->arena, struct mountpath_mount, lines);
	m->n = 0;
	for (const char *p = text; *p; scan_line(&p)) {
		m->mounts[m->n].line = (uint32_t)m->n;
		m->n += parse_line(m, p, &m->mounts[m->n]);
	}
	if (m->n > 1)
		qsort(m->mounts, m->n, sizeof(*m->mounts), by_dev);
}

/* Takes the text, and parses it when it is another one. */
static void take(struct mountpath *m, struct buf *text)
{
	if (!m->ready)
		arena_init(&m->arena);
	m->ready = true;
	if (text->len == m->text.len &&
	    (!text->len || !memcmp(text->data, m->text.data, text->len)))
		return;
	buf_release(&m->text);
	m->text = *text;
	*text = (struct buf){ 0 };
	parse(m);
}

/* A folder above a mount that gets another name is no change to the kernel: read again anyway. */
#define ROUNDS 16

/*
 * Whether our own may be others than when this was asked last. The kernel (mounts_poll()) tells it
 * once a descriptor, since it was opened.
 */
static bool may_differ(struct mountpath *m, const char *path)
{
	struct pollfd fd = { .fd = m->changes, .events = POLLPRI };

	if (m->watched)
		return ++m->rounds % ROUNDS == 0 || poll(&fd, 1, 0) != 0;
	m->changes = open(path, O_RDONLY | O_CLOEXEC);
	m->watched = m->changes >= 0;
	return true;
}

void mountpath_read(struct mountpath *m, const char *proc)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	char path[512];

	snprintf(path, sizeof(path), "%s/self/mountinfo", proc);
	if (!may_differ(m, path))
		return;
	if (buf_read_file(&text, -1, path, 4 << 20) < 0)
		buf_reset(&text);
	take(m, &text);
}

bool mountpath_read_of(struct mountpath *m, const char *proc, uint32_t tgid)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	char path[512];

	snprintf(path, sizeof(path), "%s/%u/mountinfo", proc, tgid);
	if (buf_read_file(&text, -1, path, OTHERS_MOST) < 0 || !text.len)
		return false;
	take(m, &text);
	return true;
}

void mountpath_release(struct mountpath *m)
{
	buf_release(&m->text);
	if (m->ready)
		arena_release(&m->arena);
	if (m->watched)
		close(m->changes);
	*m = (struct mountpath){ 0 };
}

static int has_dev(const void *key, const void *mount)
{
	uint32_t a = *(const uint32_t *)key, b = ((const struct mountpath_mount *)mount)->dev;

	return ORDER(a, b);
}

/* The first mount of a device, NULL: there is none. */
static const struct mountpath_mount *first_of(const struct mountpath *m, uint32_t dev)
{
	const struct mountpath_mount *at =
		m->n ? bsearch(&dev, m->mounts, m->n, sizeof(*m->mounts), has_dev) : NULL;

	while (at && at > m->mounts && at[-1].dev == dev)
		at--;
	return at;
}

/*
 * Of several mounts of a device the one that shows the most of the file system; of those that show
 * `inside', its path from the root of the file system, or NULL: of all.
 */
static const struct mountpath_mount *widest(const struct mountpath *m, uint32_t dev,
					    const char *inside)
{
	const struct mountpath_mount *at = first_of(m, dev), *best = NULL;

	for (; at && at < m->mounts + m->n && at->dev == dev; at++)
		if ((!inside || mountpath_below(inside, at->root)) &&
		    (!best || strlen(at->root) < strlen(best->root)))
			best = at;
	return best;
}

const struct mountpath_mount *mountpath_of(const struct mountpath *m, uint32_t sdev)
{
	return widest(m, sdev, NULL);
}

void mountpath_tell(const struct mountpath *m, struct sample *s, uint32_t sdev,
		    struct mountpath_told *told)
{
	const struct mountpath_mount *mount = mountpath_of(m, sdev);

	if (mount == told->mount)
		return;
	*told = (struct mountpath_told){ .mount = mount };
	if (!mount)
		return;
	told->point = sample_str(s, mount->point, strlen(mount->point));
	told->fs = sample_str(s, mount->fs, strlen(mount->fs));
}

/*
 * Appends the path of a file by which it is reached here; inside: its path from the root of its
 * file system, dev: major << 20 | minor. False when that is mounted nowhere we see.
 */
static bool file_path(const struct mountpath *m, uint32_t dev, const char *inside, struct buf *out)
{
	const struct mountpath_mount *mount = widest(m, dev, inside);
	size_t begin = out->len;

	if (!mount)
		return false;
	if (strcmp(mount->point, "/"))
		buf_puts(out, mount->point);
	buf_puts(out, mountpath_below(inside, mount->root));
	if (out->len == begin)
		buf_putc(out, '/');
	return true;
}

/* The path from the root of the file system; false: it is not known, not even in part. */
static bool inside_of(const struct abi_names *names, struct buf *out)
{
	const char *parts[32];
	size_t at = 0, n = 0;

	/* They come from the file upwards. */
	while (n < MIN(names->count, ARRAY_SIZE(parts)) && at < sizeof(names->name)) {
		parts[n++] = names->name + at;
		at += strnlen(names->name + at, sizeof(names->name) - at) + 1;
	}
	if (at > sizeof(names->name) || (!n && !(names->flags & ABI_FILE_WHOLE)))
		return false;
	/* What has no name is the root. */
	buf_puts(out, !n ? "/" : names->flags & ABI_FILE_WHOLE ? "" : "...");
	while (n--) {
		buf_putc(out, '/');
		buf_puts(out, parts[n]);
	}
	return true;
}

const char *mountpath_name(const struct mountpath *m, struct sample *s, uint32_t sdev,
			   const struct abi_names *names)
{
	_cleanup_(buf_release) struct buf inside = { 0 }, path = { 0 };

	if (!inside_of(names, &inside))
		return NULL;
	if (!(names->flags & ABI_FILE_WHOLE))
		return sample_str(s, inside.data, inside.len);
	if (!file_path(m, sdev, inside.data, &path))
		buf_printf(&path, "%u:%u:%s", sdev >> 20, sdev & ((1u << 20) - 1), inside.data);
	return sample_str(s, path.data, path.len);
}

bool mountpath_here(const struct mountpath *m, uint32_t sdev, const struct abi_names *names,
		    struct buf *out)
{
	_cleanup_(buf_release) struct buf inside = { 0 };

	return names->flags & ABI_FILE_WHOLE && inside_of(names, &inside) &&
	       file_path(m, sdev, inside.data, out);
}

/* A folder out of the options of an overlay, up to a comma or colon. Moves *p behind it. */
static void scan_folder(const char **p, struct buf *out)
{
	const char *s = *p;

	buf_reset(out);
	for (; *s && *s != ',' && *s != ':'; s++) {
		if (*s == '\\' && s[1])
			s++;
		buf_putc(out, *s);
	}
	*p = s;
}

/* What follows the folder of an overlay's that path is below, NULL: it is below none. */
static const char *below_overlay(const char *options, const char *path)
{
	static const char *const names[] = { "upperdir=", "lowerdir=", "lowerdir+=" };
	_cleanup_(buf_release) struct buf folder = { 0 };
	const char *p = options, *rest = NULL;
	bool folders;

	while (*p && !rest) {
		folders = false;
		for (size_t i = 0; i < ARRAY_SIZE(names) && !folders; i++) {
			folders = !strncmp(p, names[i], strlen(names[i]));
			p += folders ? strlen(names[i]) : 0;
		}
		do {
			scan_folder(&p, &folder);
			/* Of all the machine it says nothing. */
			if (folders && folder.len > 1 && folder.data[0] == '/')
				rest = mountpath_below(path, folder.data);
		} while (*p == ':' && p++ && !rest);
		p += *p == ',';
	}
	return rest;
}

bool mountpath_overlaid(const struct mountpath *m, const char *path, struct buf *out)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct mountpath_mount *mount = &m->mounts[i];
		const char *rest = mount->options && !strcmp(mount->root, "/")
					   ? below_overlay(mount->options, path) : NULL;

		if (!rest)
			continue;
		if (strcmp(mount->point, "/"))
			buf_puts(out, mount->point);
		buf_puts(out, *rest ? rest : "/");
		return true;
	}
	return false;
}
