// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stacks/unwind_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/macro.h"
#include "collect/helper/process.h"
#include "collect/symbols/cfi_state.h"
#include "collect/symbols/ehframe.h"

#define AGAIN (30 * NSEC_PER_SEC)	/* one for which there was no room is asked for again */

void unwind_files_init(struct unwind_files *u, struct helper *helper, struct unwind_maps *maps,
		       void (*settled)(void *arg), void *arg)
{
	*u = (struct unwind_files){ .helper = helper, .maps = maps, .settled = settled,
				    .arg = arg };
	hash_init(&u->by_key, offsetof(struct unwind_file, key),
		  sizeof(((struct unwind_file *)0)->key));
}

static void table_drop(struct unwind_files *u, struct unwind_table *t)
{
	if (!t || --t->files)
		return;
	unwind_leave(u->maps, &u->maps->page_room, t->page, t->npages);
	for (size_t i = 0; i < u->n; i++)
		if (u->tables[i] == t)
			u->tables[i] = u->tables[--u->n];
	free(t);
}

static void file_drop(void *value, void *arg)
{
	struct unwind_file *f = value;

	table_drop(arg, f->table);
	free((void *)(uintptr_t)f->at.path);
	free(f);
}

void unwind_files_release(struct unwind_files *u)
{
	hash_clear(&u->by_key, file_drop, u);
	free(u->tables);
}

static void settle(struct unwind_files *u, struct unwind_file *f, int why)
{
	if (why) {
		table_drop(u, f->table);
		f->table = NULL;
	}
	f->why = why;
	f->settled = true;
	f->used = clock_mono();
	u->settled(u->arg);
}

/* All rows of a table, which go on from page to page: nothing else is in a page. */
static struct abi_unwind_row *rows_of(const struct unwind_files *u, const struct unwind_table *t)
{
	return (struct abi_unwind_row *)(void *)&u->maps->pages[t->page];
}

/* What is behind the last row is above every address. */
static void pad(const struct unwind_files *u, const struct unwind_table *t)
{
	struct abi_unwind_row *rows = rows_of(u, t);

	for (uint32_t i = t->n; i < t->npages * ABI_UNWIND_ROWS; i++)
		rows[i] = (struct abi_unwind_row){ .pc = UINT32_MAX };
}

/*
 * All rows are here. The same file may be seen under many names (in containers): what is the same
 * is kept once. A build id tells nothing: anybody may write one.
 */
static void complete(struct unwind_files *u, struct unwind_file *f)
{
	struct unwind_table *t = f->table, *same = NULL;
	size_t bytes = (size_t)t->n * sizeof(struct abi_unwind_row);

	pad(u, t);
	t->hash = hash_bytes(rows_of(u, t), bytes);
	for (size_t i = 0; i < u->n && !same; i++)
		if (u->tables[i]->hash == t->hash && u->tables[i]->n == t->n &&
		    u->tables[i]->base == t->base &&
		    !memcmp(rows_of(u, u->tables[i]), rows_of(u, t), bytes))
			same = u->tables[i];
	if (same) {
		table_drop(u, t);
		f->table = same;
		same->files++;
		return;
	}
	u->tables = mem_grow(u->tables, u->n, &u->cap, sizeof(struct unwind_table *));
	u->tables[u->n++] = t;
}

static int make_table(struct unwind_files *u, struct unwind_file *f, uint32_t n, uint64_t base)
{
	struct unwind_table *t;
	uint32_t page, npages = DIV_ROUND_UP(n, ABI_UNWIND_ROWS);

	if (!n || n > ABI_UNWIND_PAGES_MAX * ABI_UNWIND_ROWS)
		return n ? EFBIG : ENODATA;
	if (unwind_pages_take(u->maps, npages, &page) < 0)
		return ENOMEM;
	t = mem_zalloc(sizeof(*t));
	*t = (struct unwind_table){ .page = page, .npages = npages, .n = n, .base = base,
				    .files = 1 };
	f->table = t;
	return 0;
}

struct asking {
	struct unwind_files *files;
	struct unwind_file *file;
};

/* What an answer brings. 0, or why there is no table: errno. */
static int take_rows(struct unwind_files *u, struct unwind_file *f, struct wire_reader *r)
{
	uint32_t error = wire_u32(r), all, n;
	uint64_t base;
	int why;

	if (r->short_ || error)
		return error && error < 4096 ? (int)error : EPROTO;
	base = wire_u64(r);
	all = wire_u32(r);
	f->loads.n = wire_u32(r);
	if (r->short_ || f->loads.n > ELF_LOADS_MAX)
		return EPROTO;
	wire_read(r, f->loads.v, f->loads.n * sizeof(f->loads.v[0]));
	n = wire_u32(r);
	why = !r->short_ && !f->table ? make_table(u, f, all, base) : 0;
	if (why)
		return why;
	if (r->short_ || all != f->table->n || base != f->table->base || !n || n > all - f->got)
		return EPROTO;
	wire_read(r, rows_of(u, f->table) + f->got, n * sizeof(struct abi_unwind_row));
	f->got += n;
	return r->short_ ? EPROTO : 0;
}

static void ask(struct unwind_files *u, struct unwind_file *f);

static void told(void *arg, const void *data, size_t len)
{
	struct wire_reader r = wire_reader(data, len);
	struct asking a = *(struct asking *)arg;
	int why;

	free(arg);
	why = data ? take_rows(a.files, a.file, &r) : ETIMEDOUT;
	if (!why && a.file->got < a.file->table->n) {
		ask(a.files, a.file);
		return;
	}
	if (!why)
		complete(a.files, a.file);
	settle(a.files, a.file, why);
}

static void ask(struct unwind_files *u, struct unwind_file *f)
{
	struct asking *a = mem_alloc(sizeof(*a));
	struct buf request = { 0 };

	*a = (struct asking){ u, f };
	wire_put_file(&request, &f->at);
	wire_put_u32(&request, f->got);
	helper_ask(u->helper, HELPER_NAMES, MESSAGE_UNWIND, request.data, request.len, told, a, u);
	buf_release(&request);
}

/* The kernel's own code is the same in each process: it is read here, in ours. */
static int read_vdso(struct unwind_files *u, struct unwind_file *f)
{
	const Elf64_Ehdr *image = (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	struct ehframe *e;
	int why;

	if (!image || image->e_ident[EI_CLASS] != ELFCLASS64)
		return ENODATA;
	why = -ehframe_read_memory((void *)(uintptr_t)image,
				   image->e_shoff + (size_t)image->e_shnum * image->e_shentsize,
				   CFI_MACHINE_HERE, &e);
	if (why)
		return why;
	f->loads = e->loads;
	why = make_table(u, f, (uint32_t)e->n, e->base);
	if (!why) {
		memcpy(u->maps->pages[f->table->page].row, e->rows, e->n * sizeof(*e->rows));
		complete(u, f);
	}
	ehframe_free(e);
	return why;
}

static struct unwind_file *file_new(const struct helper_file *from, const struct unwind_file *key)
{
	struct unwind_file *f = mem_zalloc(sizeof(*f));
	char *path = mem_alloc(from->path_len + 1);

	memcpy(path, from->path, from->path_len);
	path[from->path_len] = '\0';
	f->key = key->key;
	f->at = *from;
	f->at.path = path;
	return f;
}

struct unwind_file *unwind_file_get(struct unwind_files *u, const struct helper_file *from)
{
	const struct unwind_file key = { .key = { from->dev, from->ino,
						  hash_bytes(from->path, from->path_len),
						  from->size, from->mtime } };
	struct unwind_file *f = hash_get(&u->by_key, &key.key);
	uint64_t now = clock_mono();
	bool again = f && f->settled && f->why == ENOMEM && now - f->used > AGAIN;

	if (f && !again) {
		if (f->table)
			f->used = now;
		return f;
	}
	if (!f) {
		f = file_new(from, &key);
		hash_put(&u->by_key, f);
	}
	f->used = now;
	f->got = 0;
	f->settled = from->slow || !strcmp(f->at.path, HELPER_VDSO);
	f->why = !f->settled ? 0 : from->slow ? EAGAIN : read_vdso(u, f);
	if (!f->settled)
		ask(u, f);
	return f;
}

struct dropping {
	struct unwind_files *files;
	uint64_t now, idle;
};

static bool keep(void *value, void *arg)
{
	const struct unwind_file *f = value;
	const struct dropping *d = arg;

	return f->users || !f->settled || d->now - f->used < d->idle;
}

static void drop(void *value, void *arg)
{
	file_drop(value, ((struct dropping *)arg)->files);
}

void unwind_files_drop(struct unwind_files *u, uint64_t idle)
{
	struct dropping d = { u, clock_mono(), idle };

	hash_filter(&u->by_key, keep, drop, &d);
}
