// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "collect/symbols/demangle.h"
#include "collect/symbols/ehframe.h"
#include "collect/symbols/elfsyms.h"
#include "collect/symbols/perfmap.h"

#define BYTES_MAX ((size_t)48 << 20)	/* of all tables */
#define PERF_MAP_MAX ((size_t)32 << 20)	/* bytes of a perf-PID.map that are read */
#define PERF_MAPS_MAX 16		/* of them in memory */

struct table {
	uint32_t number;
	struct elfsyms *elf;	/* one of the two */
	struct perfmap *perf;
	struct elfsyms_debug debug;	/* of elf, until a debug file was taken */
	uint64_t used;		/* grows with every use */
	size_t bytes;
};

struct tables {
	struct hash by_number;
	size_t bytes;
	unsigned perf_maps;
	uint64_t clock;
	struct buf text;
	struct ehframe *unwind;	/* the last that was asked for */
	uint32_t unwind_number;
};

struct tables *tables_new(void)
{
	struct tables *t = mem_zalloc(sizeof(*t));

	hash_init(&t->by_number, offsetof(struct table, number), sizeof(uint32_t));
	return t;
}

static void table_free(struct tables *t, struct table *one)
{
	t->bytes -= one->bytes;
	t->perf_maps -= !!one->perf;
	elfsyms_free(one->elf);
	perfmap_free(one->perf);
	free(one);
}

static void table_drop(struct tables *t, uint32_t number)
{
	struct table *one = hash_del(&t->by_number, &number);

	if (one)
		table_free(t, one);
}

void tables_free(struct tables *t)
{
	struct table *one;
	size_t i = 0;

	if (!t)
		return;
	while ((one = hash_next(&t->by_number, &i)))
		table_free(t, one);
	hash_release(&t->by_number);
	ehframe_free(t->unwind);
	buf_release(&t->text);
	free(t);
}

/* The least recently used one, of all or of the perf maps. */
static struct table *oldest(const struct tables *t, const struct table *but, bool perf)
{
	struct table *found = NULL, *one;
	size_t i = 0;

	while ((one = hash_next(&t->by_number, &i)))
		if (one != but && (!perf || one->perf) && (!found || one->used < found->used))
			found = one;
	return found;
}

static void make_room(struct tables *t, const struct table *but)
{
	struct table *old;

	while (t->bytes > BYTES_MAX && (old = oldest(t, but, false)))
		table_drop(t, old->number);
	while (t->perf_maps > PERF_MAPS_MAX && (old = oldest(t, but, true)))
		table_drop(t, old->number);
}

static void table_put(struct tables *t, struct table from)
{
	struct table *one = mem_alloc(sizeof(*one));

	table_drop(t, from.number);
	*one = from;
	one->used = ++t->clock;
	t->bytes += one->bytes;
	t->perf_maps += !!one->perf;
	hash_put(&t->by_number, one);
	make_room(t, one);
}

static struct table *table_use(struct tables *t, uint32_t number)
{
	struct table *one = hash_get(&t->by_number, &number);

	if (one)
		one->used = ++t->clock;
	return one;
}

int tables_elf(struct tables *t, uint32_t number, int fd, struct elfsyms_debug *ret_debug)
{
	struct table one = { .number = number };
	int r = elfsyms_read(fd, &one.elf, &one.debug);

	if (r < 0)
		return r;
	one.bytes = elfsyms_size(one.elf);
	*ret_debug = one.debug;
	table_put(t, one);
	return 0;
}

int tables_debug(struct tables *t, uint32_t number, int fd)
{
	struct table *one = table_use(t, number);
	int r;

	if (!one || !one->elf)
		return -ENOENT;
	r = elfsyms_add_debug(one->elf, &one->debug, fd);
	if (r < 0)
		return r;
	t->bytes -= one->bytes;
	one->bytes = elfsyms_size(one->elf);
	t->bytes += one->bytes;
	make_room(t, one);
	return 0;
}

int tables_perf(struct tables *t, uint32_t number, int fd)
{
	struct table one = { .number = number };
	int r;

	r = buf_read_fd(&t->text, fd, PERF_MAP_MAX);
	if (!r) {
		one.perf = perfmap_parse(t->text.data);
		one.bytes = perfmap_size(one.perf);
		table_put(t, one);
	}
	buf_release(&t->text);
	return r;
}

const struct ehframe *tables_unwind(struct tables *t, uint32_t number, int fd, int *ret_errno)
{
	*ret_errno = ENOENT;
	if (fd < 0)
		return t->unwind && t->unwind_number == number ? t->unwind : NULL;
	ehframe_free(t->unwind);
	t->unwind = NULL;
	t->unwind_number = number;
	*ret_errno = -ehframe_read(fd, &t->unwind);
	return t->unwind;
}

bool tables_has(struct tables *t, uint32_t number)
{
	return table_use(t, number);
}

bool tables_name(struct tables *t, uint32_t number, uint64_t at, char *ret, size_t size)
{
	struct table *one = table_use(t, number);
	const char *name = !one	      ? NULL
			   : one->elf ? elfsyms_name(one->elf, at)
				      : perfmap_name(one->perf, at);

	if (!name)
		return false;
	if (!demangle(ret, size, name))
		snprintf(ret, size, "%s", name);
	return true;
}
