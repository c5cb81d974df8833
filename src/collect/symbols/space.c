// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/space.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "collect/helper/process.h"
#include "collect/proc/proc.h"
#include "collect/symbols/debugfile.h"
#include "collect/symbols/maps.h"
#include "collect/symbols/slowfs.h"

#define SPACES_MAX 512			/* address spaces known at a time, unless more are in use */
#define SPACES_IDLE 60			/* seconds without use after which one may go */
#define MAPPINGS_MAX (256u << 10)	/* of all of them */
#define OPENED_MAX 128			/* mappings of a process whose files are opened at once */
#define MAPS_TEXT_MAX ((size_t)32 << 20)
#define TEXT_KEPT ((size_t)1 << 20)	/* bytes of room for the next file's text */
#define AGAIN_NEW (NSEC_PER_SEC / 100)	/* a new process loads its libraries: so often ... */
#define NEW 50				/* ... for so many times */
#define AGAIN (2 * NSEC_PER_SEC)	/* an address that is nowhere: the maps have changed, but
					 * are not read all the time */

struct space {
	struct space_key key;
	struct maps maps;
	struct helper_file *files;	/* of each mapping */
	unsigned used;			/* second of its last use */
	uint64_t read_at;		/* CLOCK_MONOTONIC */
	unsigned again;			/* times that it was read because it has changed */
	uint32_t perf;			/* the parser's number of its list, 0: none */
	uint64_t perf_at;		/* CLOCK_MONOTONIC when it was looked for, 0: not yet */
	uint32_t ns_pid;		/* its pid in its own namespace, which is how it names
					 * its list */
	uint32_t uid;
};

struct spaces {
	const char *proc;
	struct mapped *files;
	struct parser *parser;
	struct slowfs slow;
	struct hash by_key;
	unsigned second, aged;
	size_t mappings;	/* of all */
	struct buf text;
};

struct spaces *spaces_new(const char *proc, struct mapped *files, struct parser *parser)
{
	struct spaces *s = mem_zalloc(sizeof(*s));

	s->proc = proc;
	s->files = files;
	s->parser = parser;
	slowfs_init(&s->slow, proc);
	hash_init(&s->by_key, offsetof(struct space, key), sizeof(struct space_key));
	return s;
}

static void space_drop(void *value, void *arg)
{
	struct space *space = value;
	struct spaces *s = arg;

	s->mappings -= space->maps.n;
	maps_release(&space->maps);
	free(space->files);
	free(space);
}

void spaces_free(struct spaces *s)
{
	if (!s)
		return;
	hash_clear(&s->by_key, space_drop, s);
	slowfs_release(&s->slow);
	buf_release(&s->text);
	free(s);
}

/* Once a second what was not used for long goes. */
static void spaces_age(struct spaces *s)
{
	s->second = (unsigned)(clock_mono() / NSEC_PER_SEC);
	if (s->second == s->aged)
		return;
	s->aged = s->second;
	if (s->text.cap > TEXT_KEPT)
		buf_release(&s->text);
	hash_age_rounds(&s->by_key, s->mappings > MAPPINGS_MAX ? s->by_key.n / 2 : SPACES_MAX,
			SPACES_IDLE, offsetof(struct space, used), s->second, space_drop, s);
}

/* Whether the process behind dir is the one that was seen, and not one that has its pid now. */
static bool is_same(struct spaces *s, int dir, uint64_t start)
{
	uint64_t tick = proc_tick_ns(), ticks = start / tick;
	struct proc_stat st;

	if (!start)
		return true;
	if (buf_read_file(&s->text, dir, "stat", 4096) < 0 || !s->text.data ||
	    proc_stat_parse(s->text.data, &st) < 0)
		return false;
	return st.start == ticks || st.start + 1 == ticks || st.start == ticks + 1;
}

/* "NSpid:\t100\t7": the last is its own view. */
static void read_ids(struct spaces *s, struct space *space, int dir)
{
	const char *p;

	space->ns_pid = space->key.tgid;
	space->uid = UINT32_MAX;
	if (buf_read_file(&s->text, dir, "status", 65536) < 0 || !s->text.data)
		return;
	proc_status_uid(s->text.data, &space->uid);
	p = strstr(s->text.data, "\nNSpid:");
	for (p = p ? p + 7 : ""; *p && *p != '\n';) {
		char *after;
		unsigned long pid = strtoul(p, &after, 10);

		if (after == p)
			break;
		space->ns_pid = (uint32_t)pid;
		p = after;
	}
}

static void see_files(struct spaces *s, struct space *space, int dir)
{
	for (size_t i = 0; i < space->maps.n; i++) {
		const struct mapping *m = &space->maps.v[i];
		struct helper_file *f = &space->files[i];

		*f = (struct helper_file){
			.dev = m->dev,
			.ino = m->ino,
			.start = m->start,
			.end = m->end,
			.offset = m->offset,
			.tgid = space->key.tgid,
			.slow = m->path[0] == '/' && slowfs_has(&s->slow, m->dev, space->key.tgid),
			.path = m->path,
			/* Line breaks in it are four bytes each. */
			.path_len = strnlen(m->path, HELPER_PATH_MAX),
		};
		/*
		 * While it is there: a file that is deleted, or its process ended, can still be
		 * read through its descriptor.
		 */
		if (i < OPENED_MAX)
			mapped_see(s->files, dir, f);
	}
}

static bool space_read(struct spaces *s, struct space *space)
{
	int dir = proc_pid_dir(s->proc, space->key.tgid);

	space->read_at = clock_mono();
	if (dir < 0)
		return false;
	if (!is_same(s, dir, space->key.start) ||
	    buf_read_file(&s->text, dir, "maps", MAPS_TEXT_MAX) < 0 || !s->text.len) {
		close(dir);
		return false;
	}
	s->mappings -= space->maps.n;
	maps_parse(&space->maps, s->text.data);
	s->mappings += space->maps.n;
	free(space->files);
	space->files = mem_zalloc((space->maps.n + 1) * sizeof(*space->files));
	read_ids(s, space, dir);
	see_files(s, space, dir);
	close(dir);
	return true;
}

struct space *space_get(struct spaces *s, const struct space_key *key, bool *ret_missed)
{
	struct space *space;

	*ret_missed = false;
	spaces_age(s);
	space = hash_get(&s->by_key, key);
	if (space) {
		space->used = s->second;
		return space;
	}
	space = mem_zalloc(sizeof(*space));
	space->key = *key;
	space->used = s->second;
	maps_init(&space->maps);
	hash_put(&s->by_key, space);
	*ret_missed = !space_read(s, space);
	return space;
}

void space_again(struct spaces *s, struct space *space)
{
	if (clock_mono() - space->read_at > (space->again < NEW ? AGAIN_NEW : AGAIN / 2)) {
		space->again++;
		space_read(s, space);
	}
}

/* No file that others could open by that name. */
static bool is_anonymous(const struct helper_file *f)
{
	return !f->path_len || (f->path_len >= 6 && !memcmp(f->path, "//anon", 6));
}

bool space_mapping(const struct space *space, size_t i, struct helper_file *ret)
{
	if (i >= space->maps.n)
		return false;
	*ret = space->files[i];
	if (is_anonymous(ret) || (ret->path[0] != '/' && strcmp(ret->path, HELPER_VDSO)))
		ret->path_len = 0;
	return true;
}

bool space_place(struct spaces *s, struct space *space, uint64_t address, struct helper_file *ret,
		 uint64_t *ret_offset)
{
	const struct mapping *m = maps_find(&space->maps, address);

	if (!m && address && clock_mono() - space->read_at > AGAIN) {
		space_read(s, space);
		m = maps_find(&space->maps, address);
	}
	if (!m)
		return false;
	*ret = space->files[m - space->maps.v];
	if (is_anonymous(ret)) {
		ret->path_len = 0;
		*ret_offset = address;
	} else {
		*ret_offset = address - m->start + m->offset;
	}
	return true;
}

/*
 * A list that anyone could have put there is not believed: it must be the process's user's, or
 * root's.
 */
static int perf_open(const struct spaces *s, const struct space *space)
{
	int dir = proc_pid_dir(s->proc, space->key.tgid), root, fd;
	char name[64];
	struct stat st;

	if (dir < 0)
		return -errno;
	root = openat(dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	close(dir);
	if (root < 0)
		return -errno;
	snprintf(name, sizeof(name), "/tmp/perf-%u.map", space->ns_pid);
	fd = debugfile_open(root, name);
	close(root);
	if (fd >= 0 && (fstat(fd, &st) < 0 || (st.st_uid && st.st_uid != space->uid))) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

static void perf_load(struct spaces *s, struct space *space)
{
	int fd = perf_open(s, space);

	space->perf_at = clock_mono();
	if (fd < 0)
		return;
	if (!space->perf)
		space->perf = parser_number(s->parser);
	if (parser_perf(s->parser, space->perf, fd) < 0)
		space->perf = 0;
	close(fd);
}

/* Whether all n texts that were appended behind `from` are names. */
static bool all_named(const struct buf *out, size_t from, size_t n)
{
	struct wire_reader r = wire_reader(out->len > from ? out->data + from : NULL,
					   out->len - from);

	for (size_t i = 0; i < n; i++) {
		size_t len;

		wire_text(&r, SIZE_MAX, &len);
		if (!len)
			return false;
	}
	return true;
}

void space_names(struct spaces *s, struct space *space, const uint64_t *addresses, size_t n,
		 struct buf *out)
{
	size_t from = out->len;

	/* Runtimes add to their lists as they go. */
	for (int try = 0; try < 2; try++) {
		out->len = from;
		if (space->perf && !parser_names(s->parser, space->perf, addresses, n, out) &&
		    all_named(out, from, n))
			return;
		if (space->perf_at && clock_mono() - space->perf_at <= AGAIN)
			break;
		perf_load(s, space);
	}
	if (out->len != from)
		return;
	for (size_t i = 0; i < n; i++)
		wire_put_text(out, "", 0);
}
