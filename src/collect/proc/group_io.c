// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/group_io.h"

#include <string.h>

#include "base/parse.h"
#include "base/units.h"
#include "collect/proc/cgroup_limit.h"
#include "collect/proc/proc.h"

#define DEFAULT_WEIGHT 100
#define NO_LIMIT (1ull << 62)	/* version 1 writes the largest number of pages */

static void put_limit(struct buf *out, const char *name, enum unit unit, uint64_t value)
{
	char text[32];

	unit_format(text, sizeof(text), unit, (double)value, &(struct unit_style){ 0 });
	buf_printf(out, "%s%s %s", out->len ? "; " : "", name, text);
}

/* One number, or what is no limit: "max", and of version 1 a number that no machine has. */
static void add_limit(const struct memory_root *r, struct buf *buf, const char *path,
		      const char *file, struct buf *out)
{
	uint64_t value;
	const char *p;

	if (!path || !*path || !memory_group_file(r, buf, path, file))
		return;
	p = buf->data;
	if (*p < '0' || *p > '9')
		return;
	value = scan_u64(&p);
	if (value < NO_LIMIT)
		put_limit(out, file, UNIT_BYTES, value);
}

/* "default 100" and a line for each disk that has another one; of version 1 a number. */
static void add_weight(const struct group_io *g, struct buf *buf, struct buf *out)
{
	const char *file = g->io->v1 ? "blkio.bfq.weight" : "io.weight", *p;
	uint64_t weight;

	if (!g->io_path || !*g->io_path || !memory_group_file(g->io, buf, g->io_path, file))
		return;
	p = buf->data;
	if (!strncmp(p, "default ", 8))
		p += 8;
	weight = scan_u64(&p);
	if (weight && weight != DEFAULT_WEIGHT)
		put_limit(out, file, UNIT_COUNT, weight);
}

void group_io_pressure(const struct group_io *g, struct buf *buf, struct sample_memory *row)
{
	if (g->unified_path && memory_group_file(g->unified, buf, g->unified_path, "io.pressure") &&
	    !proc_pressure_parse(buf->data, &row->psi_some_us, &row->psi_full_us))
		row->have |= MEMORY_PSI;
}

char *group_io_limits(const struct group_io *g, struct buf *buf)
{
	struct buf limits = { 0 };

	if (g->io_path && *g->io_path)
		cgroup_limit_read(g->io->fd, g->io_path, !g->io->v1, &limits);
	if (g->io_path)
		add_weight(g, buf, &limits);
	add_limit(g->memory, buf, g->memory_path,
		  g->memory->v1 ? "memory.limit_in_bytes" : "memory.max", &limits);
	if (!g->memory->v1)
		add_limit(g->memory, buf, g->memory_path, "memory.high", &limits);
	return limits.data;
}

/* Those of the same group are the last. */
static struct sample_groupdisk *disk_row(struct sample *s, uint64_t cgroup, uint64_t dev)
{
	struct sample_groupdisk *row, *rows = s->tables[TABLE_GROUPDISK].rows;

	for (size_t i = s->tables[TABLE_GROUPDISK].n; i && rows[i - 1].cgroup == cgroup; i--)
		if (rows[i - 1].dev == dev)
			return &rows[i - 1];
	row = sample_add_row(s, GROUPDISK, struct sample_groupdisk);
	*row = (struct sample_groupdisk){ .cgroup = cgroup, .dev = dev };
	return row;
}

/* "8:0 ": moves *p behind it. */
static bool scan_dev(const char **p, uint64_t *ret)
{
	uint64_t major = scan_u64(p);

	if (**p != ':')
		return false;
	++*p;
	*ret = major << 20 | scan_u64(p);
	while (**p == ' ')
		++*p;
	return true;
}

static const struct {
	const char *word;
	size_t off;
} words[] = {
	{ "rbytes=", offsetof(struct sample_groupdisk, read) },
	{ "wbytes=", offsetof(struct sample_groupdisk, write) },
	{ "rios=", offsetof(struct sample_groupdisk, rios) },
	{ "wios=", offsetof(struct sample_groupdisk, wios) },
};

/*
 * "8:0 rbytes=4096 wbytes=0 rios=1 …"; some kernels (5.14) put disks of which there is nothing
 * before others, with no end of the line.
 */
static void stat_line(struct sample *s, uint64_t cgroup, const char *p)
{
	struct sample_groupdisk *row;
	uint64_t dev;

	do
		if (!scan_dev(&p, &dev))
			return;
	while (*p >= '0' && *p <= '9');
	if (strncmp(p, "rbytes=", 7))
		return;
	row = disk_row(s, cgroup, dev);
	while (*p && *p != '\n') {
		for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
			const char *value = p + strlen(words[i].word);

			if (!strncmp(p, words[i].word, strlen(words[i].word)))
				*(uint64_t *)((char *)row + words[i].off) = scan_u64(&value);
		}
		p += strcspn(p, " \n");
		p += *p == ' ';
	}
}

/* "8:0 Read 4096" of version 1; ios: they are I/Os, not bytes. */
static void blkio_line(struct sample *s, uint64_t cgroup, const char *p, bool ios)
{
	struct sample_groupdisk *row;
	uint64_t dev, *to;
	bool reads;

	if (!scan_dev(&p, &dev))
		return;
	reads = !strncmp(p, "Read ", 5);
	if (!reads && strncmp(p, "Write ", 6))
		return;
	row = disk_row(s, cgroup, dev);
	to = reads ? (ios ? &row->rios : &row->read) : ios ? &row->wios : &row->write;
	p += reads ? 5 : 6;
	*to = scan_u64(&p);
}

void group_io_disks(const struct group_io *g, struct buf *buf, struct sample *s, uint64_t cgroup)
{
	static const char *const files[] = {
		"blkio.throttle.io_service_bytes_recursive",
		"blkio.throttle.io_serviced_recursive",
	};

	if (!g->io_path)
		return;
	if (!g->io->v1) {
		if (memory_group_file(g->io, buf, g->io_path, "io.stat"))
			for (const char *p = buf->data; *p; scan_line(&p))
				stat_line(s, cgroup, p);
		return;
	}
	for (unsigned i = 0; i < ARRAY_SIZE(files); i++)
		if (memory_group_file(g->io, buf, g->io_path, files[i]))
			for (const char *p = buf->data; *p; scan_line(&p))
				blkio_line(s, cgroup, p, i);
}
