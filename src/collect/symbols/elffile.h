/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files of other users: what they say of themselves is looked at before it costs anything. */
#ifndef IOTOP_COLLECT_SYMBOLS_ELFFILE_H
#define IOTOP_COLLECT_SYMBOLS_ELFFILE_H

#include <stdbool.h>
#include <stdint.h>

#include <gelf.h>

/* A piece of the file that is mapped. */
struct elf_load {
	uint64_t offset, size, address;	/* address: as linked */
};

#define ELF_LOADS_MAX 64

struct elf_loads {
	uint32_t n;
	struct elf_load v[ELF_LOADS_MAX];
};

/*
 * Not mapped: its owner may cut the file short while it is read. NULL: no ELF file, or one with too
 * many sections. fd stays the caller's.
 */
Elf *elf_open(int fd);
/* Whether a section lies in the file, in so many bytes at most. */
bool elf_has(const GElf_Shdr *sh, uint64_t file_size, uint64_t max);
/*
 * The next section that has bytes in the file, and its header; *scn is NULL at first. Its name, ""
 * where it has none; NULL: there is no more.
 */
const char *elf_next_section(Elf *elf, Elf_Scn **scn, GElf_Shdr *ret);
/* Those with one of these flags (PF_X); 0: all. */
void elf_loads_read(struct elf_loads *ret, Elf *elf, uint32_t flags);
/* As the kernel maps it: from the beginning of a page on. */
void elf_loads_to_pages(struct elf_loads *l);
/* The address of what has this offset in the file; false: it is not mapped. */
bool elf_loads_address(const struct elf_loads *l, uint64_t offset, uint64_t *ret);
/* ns of processor time of this thread. */
uint64_t elf_cpu_time(void);

#endif
