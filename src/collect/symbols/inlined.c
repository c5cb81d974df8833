// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/inlined.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/arena.h"
#include "base/clock.h"
#include "collect/symbols/demangle.h"
#include "collect/symbols/elffile.h"

/* What one file may cost, whatever it says of itself. */
#define SECTIONS_MAX (64u << 20)	/* bytes of all of them, when unpacked */
#define UNIT_LINES_MAX (1u << 20)	/* bytes of the lines of one unit, each 100 in memory */
#define TIME_MAX NSEC_PER_SEC		/* ns of processor time, for all that is asked at a time */
#define LOOK_EVERY 4096			/* entries, between two looks at the clock */

#define DEPTH_MAX 64	/* of entries in entries */
#define CHAIN_MAX 32	/* functions in functions */
#define NAME_SIZE 512

struct inlined {
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	Elf_Data *lines;	/* .debug_line; NULL: none */
	uint64_t until;		/* of this thread's processor time */
	unsigned looked;
};

/* Bytes of a section as it is read; ~0: more than the file can have. */
static uint64_t unpacked(Elf_Scn *scn, const GElf_Shdr *sh, uint64_t file_size)
{
	GElf_Chdr ch;

	if (!elf_has(sh, file_size, SECTIONS_MAX))
		return ~0ULL;
	if (!(sh->sh_flags & SHF_COMPRESSED))
		return sh->sh_size;
	return gelf_getchdr(scn, &ch) && ch.ch_size <= SECTIONS_MAX ? ch.ch_size : ~0ULL;
}

/* Whether there is debug information, and not too much. */
static bool is_fit(Elf *elf, uint64_t file_size)
{
	bool has_info = false;
	Elf_Scn *scn = NULL;
	uint64_t sum = 0;
	const char *name;
	GElf_Shdr sh;

	while ((name = elf_next_section(elf, &scn, &sh))) {
		uint64_t size;

		if (strncmp(name, ".debug_", 7))
			continue;
		has_info |= !strcmp(name, ".debug_info");
		size = unpacked(scn, &sh, file_size);
		if (size > SECTIONS_MAX - sum)
			return false;
		sum += size;
	}
	return has_info;
}

bool inlined_has(int fd)
{
	Elf *elf = elf_open(fd);
	struct stat st;
	bool fit = elf && !fstat(fd, &st) && is_fit(elf, (uint64_t)st.st_size);

	elf_end(elf);
	return fit;
}

/* A section as libdw has it: unpacked by now. NULL: there is none. */
static Elf_Data *section_of(Elf *elf, const char *wanted)
{
	Elf_Scn *scn = NULL;
	const char *name;
	GElf_Shdr sh;

	while ((name = elf_next_section(elf, &scn, &sh)))
		if (!strcmp(name, wanted))
			return elf_getdata(scn, NULL);
	return NULL;
}

/* Texts end where their section does at the latest: libdw 0.188 reads them up to a NUL. */
static bool texts_end(Elf *elf)
{
	static const char *const texts[] = { ".debug_str", ".debug_line_str" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const Elf_Data *d = section_of(elf, texts[i]);

		if (d && d->d_size && (!d->d_buf || ((const char *)d->d_buf)[d->d_size - 1]))
			return false;
	}
	return true;
}

int inlined_open(int fd, struct inlined **ret)
{
	struct inlined *in = mem_zalloc(sizeof(*in));
	struct stat st;

	in->fd = fd;
	in->elf = elf_open(fd);
	if (in->elf && !fstat(fd, &st) && is_fit(in->elf, (uint64_t)st.st_size))
		in->dwarf = dwarf_begin_elf(in->elf, DWARF_C_READ, NULL);
	if (!in->dwarf || !texts_end(in->elf)) {
		inlined_close(in);
		return -ENODATA;
	}
	in->lines = section_of(in->elf, ".debug_line");
	in->until = elf_cpu_time() + TIME_MAX;
	*ret = in;
	return 0;
}

void inlined_close(struct inlined *in)
{
	if (!in)
		return;
	dwarf_end(in->dwarf);
	elf_end(in->elf);
	close(in->fd);
	free(in);
}

static bool time_is_up(struct inlined *in)
{
	return in->looked++ % LOOK_EVERY == 0 && elf_cpu_time() > in->until;
}

/* The unit that an address is in: by the index, which not every compiler writes, else by all. */
static bool find_unit(struct inlined *in, uint64_t address, Dwarf_Die *ret)
{
	Dwarf_CU *cu = NULL, *next;
	Dwarf_Half version;
	uint8_t type;

	if (dwarf_addrdie(in->dwarf, address, ret))
		return true;
	while (!dwarf_get_units(in->dwarf, cu, &next, &version, &type, ret, NULL)) {
		cu = next;
		if (type == DW_UT_compile && dwarf_haspc(ret, address) > 0)
			return true;
		if (elf_cpu_time() > in->until)
			break;
	}
	return false;
}

/* The functions that an address is in, innermost last. */
struct chain {
	uint64_t address;
	Dwarf_Die die[CHAIN_MAX];
	unsigned n;
};

static bool holds_code(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

static bool holds_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type || tag == DW_TAG_interface_type;
}

/* Looks below an entry. True: it was found there. */
static bool find_chain(struct inlined *in, Dwarf_Die *in_die, unsigned depth, struct chain *c)
{
	Dwarf_Die die;
	int tag;

	if (depth > DEPTH_MAX || dwarf_child(in_die, &die))
		return false;
	do {
		tag = dwarf_tag(&die);
		if (time_is_up(in))
			return false;
		if (holds_functions(tag) && find_chain(in, &die, depth + 1, c))
			return true;
		if (!holds_code(tag) || dwarf_haspc(&die, c->address) <= 0)
			continue;
		/* One that is within another one's is called, too. */
		if (tag == DW_TAG_subprogram)
			c->n = 0;
		if ((tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) &&
		    c->n < CHAIN_MAX)
			c->die[c->n++] = die;
		find_chain(in, &die, depth + 1, c);
		return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* As people write it. */
static bool put_function(Dwarf_Die *die, char out[static NAME_SIZE])
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	if (name && demangle(out, NAME_SIZE, name))
		return true;
	if (dwarf_attr_integrate(die, DW_AT_name, &attr))
		name = dwarf_formstring(&attr);
	if (!name || !*name)
		return false;
	snprintf(out, NAME_SIZE, "%s", name);
	return true;
}

void inlined_put_name(struct buf *out, const char *text)
{
	for (; *text; text++)
		buf_putc(out, *text == '\n' || *text == '\t' ? '?' : *text);
}

static void put_frame(struct buf *out, const char *name, bool inlined, const char *file, int line)
{
	const char *slash = file ? strrchr(file, '/') : NULL;

	if (out->len)
		buf_putc(out, '\n');
	inlined_put_name(out, name);
	if (inlined)
		buf_puts(out, " (inlined)");
	if (!file || line <= 0)
		return;
	buf_putc(out, '\t');
	inlined_put_name(out, slash ? slash + 1 : file);
	buf_printf(out, ":%d", line);
}

/* Whether the lines of a unit are not more than they may be: they are read in one piece. */
static bool lines_fit(const struct inlined *in, Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	Dwarf_Word at;
	uint32_t length;

	if (!in->lines || !in->lines->d_buf || !dwarf_attr(unit, DW_AT_stmt_list, &attr) ||
	    dwarf_formudata(&attr, &at) || in->lines->d_size < sizeof(length) ||
	    at > in->lines->d_size - sizeof(length))
		return false;
	memcpy(&length, (const char *)in->lines->d_buf + at, sizeof(length));
	return length <= UNIT_LINES_MAX;
}

/* Where the call is that an inlined function stands for. */
static void call_place(Dwarf_Die *unit, Dwarf_Die *die, const char **ret_file, int *ret_line)
{
	Dwarf_Attribute attr;
	Dwarf_Word line, file;
	Dwarf_Files *files;
	size_t n;

	*ret_file = NULL;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line) || line > INT32_MAX ||
	    dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &file) ||
	    dwarf_getsrcfiles(unit, &files, &n) || file >= n)
		return;
	*ret_file = dwarf_filesrc(files, file, NULL, NULL);
	*ret_line = (int)line;
}

static void put_chain(Dwarf_Die *unit, bool has_lines, struct chain *c, const char *function,
		      struct buf *out)
{
	Dwarf_Line *row = has_lines ? dwarf_getsrc_die(unit, c->address) : NULL;
	const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
	char name[NAME_SIZE];
	int line = 0;

	if (row)
		dwarf_lineno(row, &line);
	while (c->n > 1) {
		Dwarf_Die *die = &c->die[--c->n];

		/* What is above is inlined in this one, which has no name. */
		if (!put_function(die, name))
			snprintf(name, sizeof(name), "[unknown]");
		put_frame(out, name, true, file, line);
		file = NULL;
		if (has_lines)
			call_place(unit, die, &file, &line);
	}
	if (!function && c->n && put_function(&c->die[0], name))
		function = name;
	if (function)
		put_frame(out, function, false, file, line);
	else
		out->len = 0;
}

void inlined_put(struct inlined *in, uint64_t address, const char *function, struct buf *out)
{
	struct chain c = { .address = address };
	Dwarf_Die unit;

	if (elf_cpu_time() < in->until && find_unit(in, address, &unit)) {
		find_chain(in, &unit, 0, &c);
		/* An inlined function is in another one, or what was found is not all. */
		if (c.n && dwarf_tag(&c.die[0]) != DW_TAG_subprogram)
			c.n = 0;
		put_chain(&unit, lines_fit(in, &unit), &c, function, out);
	} else if (function) {
		put_frame(out, function, false, NULL, 0);
	}
}
