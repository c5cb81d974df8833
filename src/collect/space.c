// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/space.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "collect/elfsyms.h"
#include "collect/maps.h"
#include "collect/perfmap.h"
#include "collect/proc.h"

#define SPACES_MAX 512			/* address spaces known at a time, unless more are in use */
#define SPACES_IDLE 60			/* rounds without use after which one may go */
#define MAPPINGS_MAX (256u << 10)	/* of all of them */
#define MAPS_TEXT_MAX ((size_t)32 << 20)
#define PERF_MAP_MAX ((size_t)32 << 20)	/* bytes of a perf-PID.map that are read */
#define TEXT_KEPT ((size_t)1 << 20)	/* bytes of room for the next file's text */
#define PERF_MAPS_MAX 16		/* of them in memory */
#define AGAIN (2 * NSEC_PER_SEC)	/* an address that is nowhere: the maps have changed, but are not read all the time */

struct space {
	struct {
		uint64_t start, mm;
		uint32_t tgid, pad;
	} key;
	struct maps maps;
	uint32_t *files;	/* of each mapping: number + 1, 0: not asked for yet */
	uint32_t number;
	unsigned round;		/* last used */
	uint64_t read_at;	/* CLOCK_MONOTONIC */
	struct perfmap *perf;
	uint64_t perf_at;	/* CLOCK_MONOTONIC when it was looked for, 0: not yet */
	uint32_t ns_pid;	/* its pid in its own namespace, which is how it names its list */
	uint32_t uid;
};

struct spaces {
	const char *proc;
	struct symfiles *files;
	struct hash by_key;
	struct hash by_number;
	uint32_t numbers;
	unsigned round, perf_maps;
	size_t mappings;	/* of all */
	uint64_t missed;
	struct buf text;
};

struct spaces *spaces_new(const char *proc, struct symfiles *files)
{
	struct spaces *s = mem_zalloc(sizeof(*s));

	s->proc = proc;
	s->files = files;
	hash_init(&s->by_key, offsetof(struct space, key), sizeof(((struct space *)0)->key));
	hash_init(&s->by_number, offsetof(struct space, number), sizeof(uint32_t));
	return s;
}

static void perf_drop(struct spaces *s, struct space *space)
{
	if (space->perf)
		s->perf_maps--;
	perfmap_free(space->perf);
	space->perf = NULL;
	space->perf_at = 0;
}

static void space_drop(void *value, void *arg)
{
	struct space *space = value;
	struct spaces *s = arg;

	hash_del(&s->by_number, &space->number);
	perf_drop(s, space);
	s->mappings -= space->maps.n;
	maps_release(&space->maps);
	free(space->files);
	free(space);
}

void spaces_free(struct spaces *s)
{
	if (!s)
		return;
	hash_filter(&s->by_key, NULL, space_drop, s);
	hash_release(&s->by_key);
	hash_release(&s->by_number);
	buf_release(&s->text);
	free(s);
}

static unsigned space_age(const void *value, const void *arg)
{
	return ((const struct spaces *)arg)->round - ((const struct space *)value)->round;
}

void spaces_round(struct spaces *s)
{
	s->round++;
	if (s->text.cap > TEXT_KEPT)
		buf_release(&s->text);
	hash_age(&s->by_key, s->mappings > MAPPINGS_MAX ? s->by_key.n / 2 : SPACES_MAX, SPACES_IDLE, space_age, space_drop, s);
}

uint64_t spaces_missed(const struct spaces *s)
{
	return s->missed;
}

/* Whether the process behind dir is the one that was seen, and not one that has its pid now. */
static bool is_same(struct spaces *s, int dir, uint64_t start)
{
	uint64_t tick = proc_tick_ns(), ticks = start / tick;
	struct proc_stat st;

	if (!start)
		return true;
	if (buf_read_file(&s->text, dir, "stat", 4096) < 0 || !s->text.data || proc_stat_parse(s->text.data, &st) < 0)
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

static bool space_read(struct spaces *s, struct space *space)
{
	int dir = proc_pid_dir(s->proc, space->key.tgid);

	space->read_at = clock_mono();
	if (dir < 0)
		return false;
	if (!is_same(s, dir, space->key.start) || buf_read_file(&s->text, dir, "maps", MAPS_TEXT_MAX) < 0 || !s->text.len) {
		close(dir);
		return false;
	}
	s->mappings -= space->maps.n;
	maps_parse(&space->maps, s->text.data);
	s->mappings += space->maps.n;
	free(space->files);
	space->files = mem_zalloc((space->maps.n + 1) * sizeof(*space->files));
	read_ids(s, space, dir);
	/* While it is there: a file that is deleted, or its process ended, can still be read through its descriptor. */
	for (size_t i = 0; i < space->maps.n && i < 16; i++)
		space->files[i] = symfile_get(s->files, dir, space->key.tgid, &space->maps.v[i]) + 1;
	close(dir);
	return true;
}

struct space *space_get(struct spaces *s, uint32_t tgid, uint64_t start, uint64_t mm)
{
	struct space key = { .key = { start, mm, tgid, 0 } }, *space;

	space = hash_get(&s->by_key, &key.key);
	if (space) {
		space->round = s->round;
		return space;
	}
	space = mem_zalloc(sizeof(*space));
	space->key = key.key;
	space->number = ++s->numbers;
	space->round = s->round;
	maps_init(&space->maps);
	hash_put(&s->by_key, space);
	hash_put(&s->by_number, space);
	if (!space_read(s, space))
		s->missed++;
	return space;
}

static uint32_t mapping_file(struct spaces *s, struct space *space, const struct mapping *m)
{
	size_t i = (size_t)(m - space->maps.v);

	if (!space->files[i] || (space->files[i] > 1 && !symfile_known(s->files, space->files[i] - 1))) {
		int dir = proc_pid_dir(s->proc, space->key.tgid);

		space->files[i] = (dir >= 0 ? symfile_get(s->files, dir, space->key.tgid, m) : 0) + 1;
		if (dir >= 0)
			close(dir);
	}
	return space->files[i] - 1;
}

void space_place(struct spaces *s, struct space *space, uint64_t address, struct place *ret)
{
	const struct mapping *m = maps_find(&space->maps, address);

	if (!m && address && clock_mono() - space->read_at > AGAIN) {
		space_read(s, space);
		m = maps_find(&space->maps, address);
	}
	*ret = (struct place){ .file = m ? mapping_file(s, space, m) : 0, .offset = address };
	if (ret->file)
		ret->offset = address - m->start + m->offset;
	else if (m)
		ret->space = space->number;
}

/* A list that anyone could have put there is not believed: it must be the process's user's, or root's. */
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
	fd = elfsyms_open_file(root, name);
	close(root);
	if (fd >= 0 && (fstat(fd, &st) < 0 || (st.st_uid && st.st_uid != space->uid))) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

static void perf_load(struct spaces *s, struct space *space)
{
	char path[40];
	int fd;

	space->perf_at = clock_mono();
	fd = perf_open(s, space);
	if (fd < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!buf_read_file(&s->text, AT_FDCWD, path, PERF_MAP_MAX)) {
		space->perf = perfmap_parse(s->text.data);
		s->perf_maps++;
	}
	close(fd);
}

static void perf_trim(struct spaces *s, const struct space *but)
{
	struct space *other;
	size_t i = 0;

	while (s->perf_maps > PERF_MAPS_MAX && (other = hash_next(&s->by_key, &i)))
		if (other != but && other->perf)
			perf_drop(s, other);
}

const char *space_name(struct spaces *s, uint32_t number, uint64_t address)
{
	struct space *space = number ? hash_get(&s->by_number, &number) : NULL;
	const char *name;

	if (!space)
		return NULL;
	name = space->perf ? perfmap_name(space->perf, address) : NULL;
	/* Runtimes add to their lists as they go. */
	if (!name && (!space->perf_at || clock_mono() - space->perf_at > AGAIN)) {
		perf_drop(s, space);
		perf_load(s, space);
		perf_trim(s, space);
		name = space->perf ? perfmap_name(space->perf, address) : NULL;
	}
	return name;
}
