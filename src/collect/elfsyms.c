// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/elfsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/sorted.h"
#include "collect/debugfile.h"

#define SYMTAB_MAX (256u << 20)	/* bytes of a symbol or string table */
#define NAME_MAX_LEN 4096	/* longer names are cut */
#define LOADS_MAX 64

struct func {
	uint64_t address, size;	/* as linked; size 0: up to the next one */
	uint32_t name;		/* offset in names */
};

/* A piece of the file that is mapped. */
struct load {
	uint64_t offset, size, address;
};

struct elfsyms {
	struct func *funcs;
	size_t n, cap;
	struct buf names;
	struct load *loads;
	unsigned nloads;
};

static void add(struct elfsyms *e, const GElf_Sym *sym, bool thumb, const char *name)
{
	if (e->n == e->cap) {
		e->cap = e->cap ? 2 * e->cap : 64;
		e->funcs = mem_realloc(e->funcs, e->cap * sizeof(*e->funcs));
	}
	e->funcs[e->n++] = (struct func){
		.address = thumb ? sym->st_value & ~1ULL : sym->st_value, .size = sym->st_size, .name = (uint32_t)e->names.len,
	};
	buf_putn(&e->names, name, strnlen(name, NAME_MAX_LEN));
	buf_putc(&e->names, '\0');
}

/* The functions of one symbol table. */
static void read_table(struct elfsyms *e, Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr, bool thumb)
{
	Elf_Scn *strings = elf_getscn(elf, shdr->sh_link);
	Elf_Data *data, *text;
	GElf_Shdr sh;
	size_t n;

	if (!strings || !gelf_getshdr(strings, &sh) || sh.sh_type != SHT_STRTAB || sh.sh_size > SYMTAB_MAX ||
	    shdr->sh_size > SYMTAB_MAX || !shdr->sh_entsize)
		return;
	data = elf_getdata(scn, NULL);
	text = elf_getdata(strings, NULL);
	if (!data || !text || !text->d_size || !text->d_buf || ((const char *)text->d_buf)[text->d_size - 1])
		return;
	n = data->d_size / shdr->sh_entsize;
	for (size_t i = 0; i < n && i <= INT32_MAX && e->names.len < SYMTAB_MAX; i++) {
		GElf_Sym sym;
		unsigned type;

		if (!gelf_getsym(data, (int)i, &sym))
			break;
		type = GELF_ST_TYPE(sym.st_info);
		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym.st_shndx == SHN_UNDEF || sym.st_name >= text->d_size ||
		    !((const char *)text->d_buf)[sym.st_name])
			continue;
		add(e, &sym, thumb, (const char *)text->d_buf + sym.st_name);
	}
}

static bool read_tables(struct elfsyms *e, Elf *elf, uint32_t type)
{
	size_t before = e->n;
	Elf_Scn *scn = NULL;
	GElf_Ehdr eh;

	if (!gelf_getehdr(elf, &eh))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr shdr;

		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == type)
			read_table(e, elf, scn, &shdr, eh.e_machine == EM_ARM);
	}
	return e->n > before;
}

static void read_loads(struct elfsyms *e, Elf *elf)
{
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return;
	e->loads = mem_alloc(MIN(n, (size_t)LOADS_MAX) * sizeof(*e->loads));
	for (size_t i = 0; i < n && i < 4096 && e->nloads < LOADS_MAX; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD && ph.p_filesz)
			e->loads[e->nloads++] =
				(struct load){ .offset = ph.p_offset, .size = ph.p_filesz, .address = ph.p_vaddr };
	}
}

static int by_address(const void *a, const void *b, void *names)
{
	const struct func *x = a, *y = b;
	const char *xn, *yn;
	size_t xu, yu;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	/* Of several names the one that covers most, then the one people know: write, not __GI___write. */
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	xn = (const char *)names + x->name;
	yn = (const char *)names + y->name;
	xu = strspn(xn, "_");
	yu = strspn(yn, "_");
	if (xu != yu)
		return xu < yu ? -1 : 1;
	return strcmp(xn, yn);
}

/* One function an address: a search then costs the same whatever the file holds. It stays for long: no more room than it needs. */
static void sort(struct elfsyms *e)
{
	size_t n = 0;

	if (e->n)
		qsort_r(e->funcs, e->n, sizeof(*e->funcs), by_address, e->names.data);
	for (size_t i = 0; i < e->n; i++)
		if (!n || e->funcs[n - 1].address != e->funcs[i].address)
			e->funcs[n++] = e->funcs[i];
	e->n = e->cap = n;
	e->funcs = mem_realloc(e->funcs, n * sizeof(*e->funcs));
	buf_trim(&e->names);
}

int elfsyms_read(int fd, int root, const char *path, struct elfsyms **ret)
{
	struct elfsyms *e;
	Elf *elf;

	elf_version(EV_CURRENT);
	/* Not mapped: its owner may cut the file short while it is read. */
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return -ENOEXEC;
	}
	e = mem_zalloc(sizeof(*e));
	read_loads(e, elf);
	if (!read_tables(e, elf, SHT_SYMTAB)) {
		int debug = debugfile_open(elf, root, path);

		if (debug >= 0) {
			Elf *more = elf_begin(debug, ELF_C_READ, NULL);

			if (more && elf_kind(more) == ELF_K_ELF)
				read_tables(e, more, SHT_SYMTAB);
			elf_end(more);
			close(debug);
		}
		read_tables(e, elf, SHT_DYNSYM);
	}
	elf_end(elf);
	sort(e);
	*ret = e;
	return 0;
}

void elfsyms_free(struct elfsyms *e)
{
	if (!e)
		return;
	free(e->funcs);
	free(e->loads);
	buf_release(&e->names);
	free(e);
}

size_t elfsyms_size(const struct elfsyms *e)
{
	return sizeof(*e) + e->nloads * sizeof(*e->loads) + e->cap * sizeof(*e->funcs) + e->names.cap;
}

const char *elfsyms_name(const struct elfsyms *e, uint64_t offset)
{
	uint64_t address = UINT64_MAX;
	size_t n;

	for (unsigned i = 0; i < e->nloads && address == UINT64_MAX; i++)
		if (offset - e->loads[i].offset < e->loads[i].size)
			address = offset - e->loads[i].offset + e->loads[i].address;
	if (address == UINT64_MAX)
		return NULL;
	n = sorted_upto(e->funcs, e->n, sizeof(*e->funcs), address);
	if (!n || (e->funcs[n - 1].size && address - e->funcs[n - 1].address >= e->funcs[n - 1].size))
		return NULL;
	return e->names.data + e->funcs[n - 1].name;
}
