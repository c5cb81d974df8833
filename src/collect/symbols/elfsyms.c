// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/elfsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <gelf.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/sorted.h"
#include "collect/symbols/elffile.h"

/* What one file may cost, whatever it says of itself. */
#define TABLE_MAX (96u << 20)	/* bytes of its symbol table and of the names that belong to it */
#define NAMES_MAX (48u << 20)	/* bytes of names that are kept */
#define SYMBOLS_MAX (2u << 20)
#define TIME_MAX NSEC_PER_SEC	/* ns of processor time for one table */
#define LOOK_EVERY 16384	/* symbols, between two looks at the clock */
#define CHECKED_MAX (512u << 20) /* a larger debug file is not read for its checksum */
#define NAME_MAX_LEN 4096	/* longer names are cut */

struct func {
	uint64_t address, size;	/* as linked; size 0: up to the next one */
	uint32_t name;		/* offset in names */
};

struct elfsyms {
	struct func *funcs;
	size_t n, cap;
	struct buf names;
	struct elf_loads loads;
};

static void add(struct elfsyms *e, const GElf_Sym *sym, bool thumb, const char *name)
{
	e->funcs = mem_grow(e->funcs, e->n, &e->cap, sizeof(*e->funcs));
	e->funcs[e->n++] = (struct func){
		.address = thumb ? sym->st_value & ~1ULL : sym->st_value,
		.size = sym->st_size,
		.name = (uint32_t)e->names.len,
	};
	buf_putn(&e->names, name, strnlen(name, NAME_MAX_LEN));
	buf_putc(&e->names, '\0');
}

/*
 * The functions of one symbol table. False: it takes too much, and part of them would give wrong
 * names.
 */
static bool read_symbols(struct elfsyms *e, Elf_Data *data, const Elf_Data *text, size_t n,
			 bool thumb)
{
	uint64_t end = elf_cpu_time() + TIME_MAX;

	for (size_t i = 0; i < n; i++) {
		GElf_Sym sym;
		unsigned type;

		if (e->names.len > NAMES_MAX || e->n > SYMBOLS_MAX ||
		    (i % LOOK_EVERY == 0 && elf_cpu_time() > end))
			return false;
		if (!gelf_getsym(data, (int)i, &sym))
			break;
		type = GELF_ST_TYPE(sym.st_info);
		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym.st_shndx == SHN_UNDEF ||
		    sym.st_name >= text->d_size || !((const char *)text->d_buf)[sym.st_name])
			continue;
		add(e, &sym, thumb, (const char *)text->d_buf + sym.st_name);
	}
	return true;
}

static void read_table(struct elfsyms *e, Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr,
		       uint64_t file_size)
{
	Elf_Scn *strings = elf_getscn(elf, shdr->sh_link);
	size_t had = e->n, had_names = e->names.len;
	Elf_Data *data, *text;
	GElf_Ehdr eh;
	GElf_Shdr sh;

	if (!strings || !gelf_getshdr(strings, &sh) || sh.sh_type != SHT_STRTAB ||
	    !shdr->sh_entsize || !gelf_getehdr(elf, &eh) || !elf_has(shdr, file_size, TABLE_MAX) ||
	    !elf_has(&sh, file_size, TABLE_MAX - shdr->sh_size))
		return;
	data = elf_getdata(scn, NULL);
	text = elf_getdata(strings, NULL);
	if (!data || !text || !text->d_size || !text->d_buf ||
	    ((const char *)text->d_buf)[text->d_size - 1])
		return;
	if (!read_symbols(e, data, text, MIN(data->d_size / shdr->sh_entsize, (size_t)INT32_MAX),
			  eh.e_machine == EM_ARM)) {
		e->n = had;
		e->names.len = had_names;
	}
}

/* The first table of this type: a file has one, and one that has many has no good reason. */
static bool read_tables(struct elfsyms *e, Elf *elf, int fd, uint32_t type)
{
	size_t before = e->n;
	Elf_Scn *scn = NULL;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != type)
			continue;
		read_table(e, elf, scn, &shdr, (uint64_t)st.st_size);
		break;
	}
	return e->n > before;
}

static int by_address(const void *a, const void *b, void *names)
{
	const struct func *x = a, *y = b;
	const char *xn, *yn;
	size_t xu, yu;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	/*
	 * Of several names the one that covers most, then the one people know: write, not
	 * __GI___write.
	 */
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

/*
 * One function an address: a search then costs the same whatever the file holds. It stays for long:
 * no more room than it needs.
 */
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

static void find_debug(Elf *elf, struct elfsyms_debug *ret)
{
	const void *id = NULL;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &id);
	GElf_Word crc = 0;
	const char *link = dwelf_elf_gnu_debuglink(elf, &crc);

	if (len >= 2 && len <= ELFSYMS_ID_MAX) {
		memcpy(ret->id, id, (size_t)len);
		ret->id_len = (size_t)len;
	}
	if (link && *link && strlen(link) < ELFSYMS_LINK_MAX && !strchr(link, '/')) {
		strcpy(ret->link, link);
		ret->crc = crc;
	}
}

int elfsyms_read(int fd, struct elfsyms **ret, struct elfsyms_debug *ret_debug)
{
	Elf *elf = elf_open(fd);
	struct elfsyms *e;

	*ret_debug = (struct elfsyms_debug){ .id_len = 0 };
	if (!elf)
		return -ENOEXEC;
	e = mem_zalloc(sizeof(*e));
	elf_loads_read(&e->loads, elf, 0);
	if (!read_tables(e, elf, fd, SHT_SYMTAB)) {
		find_debug(elf, ret_debug);
		read_tables(e, elf, fd, SHT_DYNSYM);
	}
	elf_end(elf);
	sort(e);
	*ret = e;
	return 0;
}

/* The checksum of debug links: CRC-32 as in zip. */
static int file_crc(int fd, uint32_t *ret)
{
	static uint32_t table[256];
	uint32_t crc = ~0u;
	size_t all = 0;
	char buf[65536];
	ssize_t n;

	for (uint32_t i = 0; !table[255] && i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	while ((n = pread(fd, buf, sizeof(buf), (off_t)all)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			crc = crc >> 8 ^ table[(crc ^ (unsigned char)buf[i]) & 0xff];
		all += (size_t)n;
		if (all > CHECKED_MAX)
			return -EFBIG;
	}
	*ret = ~crc;
	return n < 0 ? -errno : 0;
}

/* By build id where there is one, else by checksum. */
static bool is_wanted(Elf *elf, const struct elfsyms_debug *wanted, int fd)
{
	const void *id = NULL;
	uint32_t crc;

	if (wanted->id_len)
		return dwelf_elf_gnu_build_id(elf, &id) == (ssize_t)wanted->id_len &&
		       !memcmp(id, wanted->id, wanted->id_len);
	return !file_crc(fd, &crc) && crc == wanted->crc;
}

int elfsyms_add_debug(struct elfsyms *e, const struct elfsyms_debug *wanted, int fd)
{
	Elf *elf = elf_open(fd);
	bool right = elf && is_wanted(elf, wanted, fd);

	if (right) {
		read_tables(e, elf, fd, SHT_SYMTAB);
		sort(e);
	}
	elf_end(elf);
	return right ? 0 : -EINVAL;
}

void elfsyms_free(struct elfsyms *e)
{
	if (!e)
		return;
	free(e->funcs);
	buf_release(&e->names);
	free(e);
}

size_t elfsyms_size(const struct elfsyms *e)
{
	return sizeof(*e) + e->cap * sizeof(*e->funcs) +
	       e->names.cap;
}

bool elfsyms_address(const struct elfsyms *e, uint64_t offset, uint64_t *ret)
{
	return elf_loads_address(&e->loads, offset, ret);
}

const char *elfsyms_name(const struct elfsyms *e, uint64_t offset)
{
	uint64_t address;
	size_t n;

	if (!elf_loads_address(&e->loads, offset, &address))
		return NULL;
	n = sorted_upto(e->funcs, e->n, sizeof(*e->funcs), address);
	if (!n ||
	    (e->funcs[n - 1].size && address - e->funcs[n - 1].address >= e->funcs[n - 1].size))
		return NULL;
	return e->names.data + e->funcs[n - 1].name;
}
