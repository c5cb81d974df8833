// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/ehframe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/macro.h"
#include "collect/symbols/cfi.h"
#include "collect/symbols/cfi_state.h"
#include "collect/symbols/gopcln.h"
#include "collect/symbols/leb.h"

/* What one file may cost, whatever it says of itself. */
#define SECTION_MAX (48u << 20)		/* bytes of .eh_frame */
#define ROWS_MAX (3u << 20)
#define FUNCTIONS_MAX (2u << 20)
#define TIME_MAX NSEC_PER_SEC		/* ns of processor time */
#define LOOK_EVERY 4096			/* entries, between two looks at the clock */

#define PADDING_MAX 15	/* bytes between functions, which are no code of their own */
/* Bytes of the first function, where nothing says how long it is: of glibc's loader, of musl's. */
#define ENTRY_LOADER 64
#define ENTRY_ALONE 24

/* A function's part of all rows. */
struct function {
	uint64_t start, end;
	uint32_t row, n;
};

struct reading {
	const struct cfi_machine *machine;
	const unsigned char *ident;
	Elf_Data *data;
	uint64_t address;	/* of the section, as linked */
	struct cfi_rows rows;
	struct function *functions;
	size_t n, cap;
	uint64_t cie_at;	/* of the last one that was read; ~0: none */
	struct cfi_program cie;
	bool eh;		/* .eh_frame, not .debug_frame */
	bool cie_good, sized;	/* sized: what functions say beside has its length before it */
};

/* An address of this encoding; *at is NULL afterwards where it is none that is known. */
static uint64_t encoded(const struct reading *r, const uint8_t **at, const uint8_t *end,
			unsigned encoding)
{
	uint64_t from = r->address + (uint64_t)(*at - (const uint8_t *)r->data->d_buf), v;

	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		v = leb_bytes(at, end, 8);
		break;
	case DW_EH_PE_udata4:
		v = leb_bytes(at, end, 4);
		break;
	case DW_EH_PE_sdata4:
		v = (uint64_t)(int64_t)(int32_t)leb_bytes(at, end, 4);
		break;
	default:
		*at = NULL;
		return 0;
	}
	if ((encoding & 0xf0) == DW_EH_PE_pcrel)
		return v + from;
	if (encoding & 0xf0)
		*at = NULL;
	return v;
}

/* What the letters of a CIE say: how addresses are encoded, and whether it is a signal's. */
static bool read_augmentation(struct reading *r, const Dwarf_CIE *cie)
{
	const uint8_t *at = cie->augmentation_data,
		      *end = (const uint8_t *)r->data->d_buf + r->data->d_size;
	unsigned encoding;

	r->cie.encoding = DW_EH_PE_absptr;
	r->sized = cie->augmentation[0] == 'z';
	if (!cie->augmentation[0])
		return true;
	if (!r->sized || !at)
		return false;
	for (const char *c = cie->augmentation + 1; *c; c++) {
		switch (*c) {
		case 'R':
			r->cie.encoding = (uint8_t)leb_bytes(&at, end, 1);
			break;
		case 'L':
			leb_bytes(&at, end, 1);
			break;
		case 'P':
			encoding = (unsigned)leb_bytes(&at, end, 1);
			if (at)
				encoded(r, &at, end, encoding & 0x0f);
			break;
		case 'S':
			r->cie.signal = true;
			break;
		case 'B':	/* with which key return addresses are signed */
			break;
		default:
			return false;
		}
		if (!at)
			return false;
	}
	return true;
}

static void read_cie(struct reading *r, const Dwarf_CIE *cie)
{
	r->cie = (struct cfi_program){
		.machine = r->machine,
		.initial = cie->initial_instructions,
		.initial_end = cie->initial_instructions_end,
		.code_factor = cie->code_alignment_factor,
		.data_factor = cie->data_alignment_factor,
	};
	r->cie_good = cie->return_address_register == r->machine->ip &&
		      cie->code_alignment_factor && read_augmentation(r, cie);
}

/* The CIE at this offset becomes the current one. */
static bool use_cie(struct reading *r, uint64_t at)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (r->cie_at == at)
		return r->cie_good;
	r->cie_at = at;
	r->cie_good = false;
	if (at >= r->data->d_size ||
	    dwarf_next_cfi(r->ident, r->data, r->eh, at, &next, &entry) ||
	    !dwarf_cfi_cie_p(&entry))
		return false;
	read_cie(r, &entry.cie);
	return r->cie_good;
}

/* The one whose rows are those from here on. */
static bool add_function(struct reading *r, uint64_t start, uint64_t end, size_t from)
{
	if (r->n >= FUNCTIONS_MAX)
		return false;
	r->functions = mem_grow(r->functions, r->n, &r->cap, sizeof(*r->functions));
	r->functions[r->n++] = (struct function){ start, end, (uint32_t)from,
						  (uint32_t)(r->rows.n - from) };
	return true;
}

/* One function. What is not understood of it is left out; false: there is no room. */
static bool read_fde(struct reading *r, const Dwarf_FDE *fde)
{
	const uint8_t *at = fde->start, *end = fde->end;
	struct cfi_program p;
	uint64_t length, skip;
	size_t before = r->rows.n;

	if (!use_cie(r, fde->CIE_pointer))
		return true;
	p = r->cie;
	p.start = encoded(r, &at, end, p.encoding);
	length = at ? encoded(r, &at, end, p.encoding & 0x07) : 0;
	/* Of a function that the linker has dropped. */
	if (!at || !length || !p.start || p.start + length < p.start)
		return true;
	p.end = p.start + length;
	skip = r->sized ? leb_unsigned(&at, end) : 0;
	if (!at || skip > (uint64_t)(end - at))
		return true;
	p.own = at + skip;
	p.own_end = end;
	return cfi_run(&p, &r->rows) && add_function(r, p.start, p.end, before);
}

static int read_entries(struct reading *r)
{
	uint64_t until = elf_cpu_time() + TIME_MAX;
	Dwarf_Off at = 0, next = 0;

	for (unsigned i = 0; at < r->data->d_size; i++, at = next) {
		Dwarf_CFI_Entry entry;
		int found = dwarf_next_cfi(r->ident, r->data, r->eh, at, &next, &entry);

		if (i % LOOK_EVERY == 0 && elf_cpu_time() > until)
			return -ETIME;
		if (found > 0 || next <= at)
			break;
		if (!found && !dwarf_cfi_cie_p(&entry) && !read_fde(r, &entry.fde))
			return -EFBIG;
	}
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return x->start != y->start ? ORDER(x->start, y->start)
	       : x->end != y->end   ? ORDER(x->end, y->end)
				    : ORDER(x->row, y->row);
}

static void put(struct ehframe *e, uint64_t pc, struct abi_unwind_row row)
{
	const struct abi_unwind_row *last = e->n ? &e->rows[e->n - 1] : NULL;

	if (last && last->cfa == row.cfa && last->bp == row.bp && last->how == row.how)
		return;
	row.pc = (uint32_t)(pc - e->base);
	e->rows[e->n++] = row;
}

/* All rows in order, with one for each gap. */
static int sort_rows(struct reading *r, struct ehframe *e)
{
	static const struct abi_unwind_row none = { .how = ABI_UNWIND_NONE };
	uint64_t end;

	qsort(r->functions, r->n, sizeof(*r->functions), by_start);
	e->base = end = r->functions[0].start;
	e->rows = mem_alloc((r->rows.n + r->n + 1) * sizeof(*e->rows));
	for (size_t i = 0; i < r->n; i++) {
		const struct function *f = &r->functions[i];

		/* Two that say something of one place: one of them is wrong. */
		if (f->start < end)
			continue;
		if (f->end - e->base > UINT32_MAX)
			return -EFBIG;
		if (f->start - end > PADDING_MAX)
			put(e, end, none);
		for (uint32_t k = f->row; k < f->row + f->n; k++)
			put(e, r->rows.v[k].pc, r->rows.v[k].row);
		end = f->end;
	}
	put(e, end, none);
	e->rows = mem_realloc(e->rows, e->n * sizeof(*e->rows));
	return 0;
}

static Elf_Scn *find_section(Elf *elf, const char *wanted, uint64_t file_size, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;
	const char *name;

	while ((name = elf_next_section(elf, &scn, ret)))
		if (!(ret->sh_flags & SHF_COMPRESSED) && !strcmp(name, wanted))
			return elf_has(ret, file_size, SECTION_MAX) ? scn : NULL;
	return NULL;
}

/* The bytes of a section; NULL: there is none. */
static Elf_Data *section(Elf *elf, const char *name, uint64_t file_size, GElf_Shdr *ret)
{
	Elf_Scn *scn = find_section(elf, name, file_size, ret);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;

	return data && data->d_buf && data->d_size ? data : NULL;
}

/* Code that one of them does not know may be in the other. */
static int read_frames(struct reading *r, Elf *elf, uint64_t file_size)
{
	static const char *const names[] = { ".eh_frame", ".debug_frame" };
	GElf_Shdr sh;
	int result = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names) && !result; i++) {
		r->data = section(elf, names[i], file_size, &sh);
		if (!r->data)
			continue;
		r->eh = !i;
		r->address = sh.sh_addr;
		r->cie_at = ~0ULL;
		result = read_entries(r);
	}
	return result;
}

static int read_go(struct reading *r, Elf *elf, uint64_t file_size)
{
	GElf_Shdr text = { .sh_addr = 0 }, sh;
	uint64_t until = elf_cpu_time() + TIME_MAX, start, end;
	Elf_Data *data = section(elf, ".gopclntab", file_size, &sh);
	struct gopcln g;

	if (!data)
		data = section(elf, ".data.rel.ro.gopclntab", file_size, &sh);
	if (!data || !find_section(elf, ".text", file_size, &text) ||
	    !gopcln_open(&g, r->machine, data->d_buf, data->d_size, text.sh_addr))
		return 0;
	for (uint32_t i = 0; i < g.n; i++) {
		size_t before = r->rows.n;

		if (i % LOOK_EVERY == 0 && elf_cpu_time() > until)
			return -ETIME;
		if (!gopcln_run(&g, i, &start, &end, &r->rows) ||
		    (r->rows.n > before && !add_function(r, start, end, before)))
			return -EFBIG;
	}
	return 0;
}

/* The function that a program, or the loader of programs, begins with has no caller. */
static void read_entry(struct reading *r, uint64_t entry)
{
	uint64_t end = entry + (r->n ? ENTRY_LOADER : ENTRY_ALONE);
	size_t before = r->rows.n;

	for (size_t i = 0; i < r->n; i++) {
		if (entry - r->functions[i].start < r->functions[i].end - r->functions[i].start)
			return;
		if (r->functions[i].start > entry && r->functions[i].start < end)
			end = r->functions[i].start;
	}
	if (entry && cfi_put(&r->rows, entry, (struct abi_unwind_row){ .how = ABI_UNWIND_FIRST }))
		add_function(r, entry, end, before);
}

static int read_elf(Elf *elf, uint64_t file_size, unsigned machine, struct ehframe *e)
{
	struct reading r = { .machine = cfi_machine(machine), .rows.max = ROWS_MAX };
	GElf_Ehdr eh;
	int result;

	if (!r.machine || !gelf_getehdr(elf, &eh) || eh.e_machine != machine ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64)
		return -ENOEXEC;
	elf_loads_read(&e->loads, elf, PF_X);
	elf_loads_to_pages(&e->loads);
	r.ident = eh.e_ident;
	/* The first counts: .debug_frame does not say where Go changes to another stack. */
	result = read_go(&r, elf, file_size);
	if (!result)
		result = read_frames(&r, elf, file_size);
	if (!result)
		read_entry(&r, eh.e_entry);
	if (!result)
		result = r.n ? sort_rows(&r, e) : -ENODATA;
	free(r.rows.v);
	free(r.functions);
	return result;
}

/* Ends elf, which may be NULL. */
static int read_and_end(Elf *elf, uint64_t size, unsigned machine, struct ehframe **ret)
{
	struct ehframe *e = mem_zalloc(sizeof(*e));
	int r = elf ? read_elf(elf, size, machine, e) : -ENOEXEC;

	elf_end(elf);
	if (r < 0)
		ehframe_free(e);
	else
		*ret = e;
	return r;
}

int ehframe_read(int fd, unsigned machine, struct ehframe **ret)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	return read_and_end(elf_open(fd), (uint64_t)st.st_size, machine, ret);
}

int ehframe_read_memory(void *image, size_t size, unsigned machine, struct ehframe **ret)
{
	elf_version(EV_CURRENT);
	return read_and_end(elf_memory(image, size), size, machine, ret);
}

void ehframe_free(struct ehframe *e)
{
	if (!e)
		return;
	free(e->rows);
	free(e);
}
