// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "collect/symbols/cfi_state.h"
#include "collect/symbols/demangle.h"
#include "collect/symbols/ehframe.h"
#include "collect/symbols/elfsyms.h"
#include "collect/symbols/inlined.h"
#include "collect/symbols/perfmap.h"

#define BYTES_MAX ((size_t)48 << 20)	/* of all tables */
#define PERF_MAP_MAX ((size_t)32 << 20)	/* bytes of a perf-PID.map that are read */
#define PERF_MAPS_MAX 16		/* of them in memory */
#define SOURCES_MAX 128			/* files with debug information that are kept open */
#define NAME_SIZE 1024

struct table {
	uint32_t number;
	struct elfsyms *elf;	/* one of the two */
	struct perfmap *perf;
	struct elfsyms_debug debug;	/* of elf, until a debug file was taken */
	int source;		/* the file that has its debug information; -1: none */
	uint64_t used;		/* grows with every use */
	size_t bytes;
};

struct tables {
	struct hash by_number;
	size_t bytes;
	unsigned perf_maps, sources;
	uint64_t clock;
	struct buf text;
	struct ehframe *unwind;	/* the last that was asked for */
	uint32_t unwind_number;
	struct inlined *inlined;	/* of the table whose names are asked for now */
	uint32_t inlined_number;
};

struct tables *tables_new(void)
{
	struct tables *t = mem_zalloc(sizeof(*t));

	hash_init(&t->by_number, offsetof(struct table, number), sizeof(uint32_t));
	return t;
}

static void source_close(struct tables *t, struct table *one)
{
	if (one->source < 0)
		return;
	close(one->source);
	one->source = -1;
	t->sources--;
}

static void table_free(struct tables *t, struct table *one)
{
	source_close(t, one);
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
	tables_named(t);
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

/* Its debug information is in this file, which the caller has open. */
static void source_open(struct tables *t, struct table *one, int fd)
{
	struct table *old = NULL, *other;
	size_t i = 0;

	if (!inlined_has(fd))
		return;
	while (t->sources >= SOURCES_MAX && (other = hash_next(&t->by_number, &i)))
		if (other->source >= 0 && (!old || other->used < old->used))
			old = other;
	if (old)
		source_close(t, old);
	source_close(t, one);
	one->source = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	t->sources += one->source >= 0;
}

int tables_elf(struct tables *t, uint32_t number, int fd, struct elfsyms_debug *ret_debug)
{
	struct table one = { .number = number, .source = -1 };
	int r = elfsyms_read(fd, &one.elf, &one.debug);

	if (r < 0)
		return r;
	one.bytes = elfsyms_size(one.elf);
	*ret_debug = one.debug;
	table_put(t, one);
	source_open(t, table_use(t, number), fd);
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
	source_open(t, one, fd);
	return 0;
}

int tables_perf(struct tables *t, uint32_t number, int fd)
{
	struct table one = { .number = number, .source = -1 };
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
	*ret_errno = -ehframe_read(fd, CFI_MACHINE_HERE, &t->unwind);
	return t->unwind;
}

bool tables_has(struct tables *t, uint32_t number)
{
	return table_use(t, number);
}

/* What the debug information of a table says; NULL: it has none. */
static struct inlined *inlined_of(struct tables *t, struct table *one)
{
	int fd;

	if (t->inlined && t->inlined_number == one->number)
		return t->inlined;
	tables_named(t);
	if (one->source < 0)
		return NULL;
	fd = fcntl(one->source, F_DUPFD_CLOEXEC, 0);
	if (fd < 0 || inlined_open(fd, &t->inlined) < 0)
		source_close(t, one);
	t->inlined_number = one->number;
	return t->inlined;
}

void tables_named(struct tables *t)
{
	inlined_close(t->inlined);
	t->inlined = NULL;
}

void tables_name(struct tables *t, uint32_t number, uint64_t at, struct buf *out)
{
	struct table *one = table_use(t, number);
	char readable[NAME_SIZE];
	struct inlined *in;
	const char *name;
	uint64_t address;

	if (!one)
		return;
	name = one->elf ? elfsyms_name(one->elf, at) : perfmap_name(one->perf, at);
	if (name && demangle(readable, sizeof(readable), name))
		name = readable;
	in = one->elf && elfsyms_address(one->elf, at, &address) ? inlined_of(t, one) : NULL;
	if (in)
		inlined_put(in, address, name, out);
	else if (name)
		inlined_put_name(out, name);
}
