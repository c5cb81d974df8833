// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/elffile.h"

#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define SMALLEST_PAGE 4096

uint64_t elf_cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

bool elf_has(const GElf_Shdr *sh, uint64_t file_size, uint64_t max)
{
	return sh->sh_size <= max && sh->sh_offset <= file_size &&
	       sh->sh_size <= file_size - sh->sh_offset;
}

/* Every section takes memory before one of them is read: the number is looked at first. */
static bool has_many_sections(int fd)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr e32;
		Elf64_Ehdr e64;
	} head = { { 0 } };
	bool swapped, wide;
	uint16_t n;

	if (pread(fd, &head, sizeof(head), 0) < (ssize_t)sizeof(head.e32))
		return false;
	wide = head.ident[EI_CLASS] == ELFCLASS64;
	swapped = head.ident[EI_DATA] !=
		  (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);
	n = wide ? head.e64.e_shnum : head.e32.e_shnum;
	if (swapped)
		n = __builtin_bswap16(n);
	/*
	 * 0 with a table of sections: more than 65,279 of them, the number is elsewhere (elf(5)).
	 */
	return !n && (wide ? head.e64.e_shoff : head.e32.e_shoff);
}

Elf *elf_open(int fd)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	if (has_many_sections(fd))
		return NULL;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

const char *elf_next_section(Elf *elf, Elf_Scn **scn, GElf_Shdr *ret)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((*scn = elf_nextscn(elf, *scn))) {
		const char *name;

		if (!gelf_getshdr(*scn, ret) || ret->sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, ret->sh_name);
		return name ? name : "";
	}
	return NULL;
}

void elf_loads_read(struct elf_loads *ret, Elf *elf, uint32_t flags)
{
	size_t n;

	ret->n = 0;
	if (elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n && i < 4096 && ret->n < ELF_LOADS_MAX; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD && ph.p_filesz &&
		    (!flags || ph.p_flags & flags))
			ret->v[ret->n++] = (struct elf_load){ .offset = ph.p_offset,
							      .size = ph.p_filesz,
							      .address = ph.p_vaddr };
	}
}

void elf_loads_to_pages(struct elf_loads *l)
{
	for (uint32_t i = 0; i < l->n; i++) {
		uint64_t below = l->v[i].offset & (SMALLEST_PAGE - 1);

		l->v[i].offset -= below;
		l->v[i].address -= below;
		l->v[i].size += below;
	}
}

bool elf_loads_address(const struct elf_loads *l, uint64_t offset, uint64_t *ret)
{
	for (uint32_t i = 0; i < l->n; i++) {
		if (offset - l->v[i].offset >= l->v[i].size)
			continue;
		*ret = offset - l->v[i].offset + l->v[i].address;
		return true;
	}
	return false;
}
