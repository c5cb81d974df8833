// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/relocations.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "base/arena.h"

/* A part of a file that was read so far. */
struct part {
	const char *at;
	size_t size;
};

/* The head of the section .BTF.ext, and what its relocations begin with. */
struct ext_head {
	__u16 magic;
	__u8 version, flags;
	__u32 length;
	__u32 func_offset, func_length, line_offset, line_length;
	__u32 relocation_offset, relocation_length;	/* behind the head */
};

struct ext_section {
	__u32 name, count;
};

/* As struct bpf_core_relo of newer headers. */
struct relocation {
	__u32 instruction, type, access, kind;
};

#define OWN_TYPE 6	/* as a kind: BPF_CORE_TYPE_ID_LOCAL, nothing of the kernel's */

static bool part_take(struct part *p, void *to, size_t size)
{
	if (!p->at || p->size < size)
		return false;
	memcpy(to, p->at, size);
	p->at += size;
	p->size -= size;
	return true;
}

static struct part part_of(struct part whole, size_t offset, size_t size)
{
	if (offset > whole.size || size > whole.size - offset)
		return (struct part){ NULL, 0 };
	return (struct part){ whole.at + offset, size };
}

/* The content of a section by its name; empty: there is none. */
static struct part find_section(struct part elf, const char *name)
{
	struct part head = elf, names;
	Elf64_Ehdr file;
	Elf64_Shdr is;

	if (!part_take(&head, &file, sizeof(file)) || memcmp(file.e_ident, ELFMAG, SELFMAG) != 0)
		return (struct part){ NULL, 0 };
	head = part_of(elf, file.e_shoff + file.e_shstrndx * sizeof(is), sizeof(is));
	if (!part_take(&head, &is, sizeof(is)))
		return head;
	names = part_of(elf, is.sh_offset, is.sh_size);
	for (unsigned i = 0; i < file.e_shnum; i++) {
		head = part_of(elf, file.e_shoff + i * sizeof(is), sizeof(is));
		if (part_take(&head, &is, sizeof(is)) && is.sh_name < names.size &&
		    !strncmp(names.at + is.sh_name, name, names.size - is.sh_name))
			return part_of(elf, is.sh_offset, is.sh_size);
	}
	return (struct part){ NULL, 0 };
}

/* Marks the types of one section of the programs. */
static bool read_section(struct part *p, size_t record, bool *types, __u32 ntypes)
{
	struct relocation relocation;
	struct ext_section section;

	if (!part_take(p, &section, sizeof(section)))
		return false;
	for (__u32 i = 0; i < section.count; i++) {
		struct part one = part_of(*p, 0, record);

		if (!part_take(&one, &relocation, sizeof(relocation)))
			return false;
		*p = part_of(*p, record, p->size - record);
		if (relocation.type < ntypes && relocation.kind != OWN_TYPE)
			types[relocation.type] = true;
	}
	return true;
}

int relocations_each(const void *elf, size_t size, const struct btf *types,
		     void (*each)(void *arg, const char *name), void *arg)
{
	struct part ext = find_section((struct part){ elf, size }, ".BTF.ext"), p = ext;
	__u32 n = btf__type_cnt(types), record = 0;
	struct ext_head head;
	bool *used;

	if (!part_take(&p, &head, sizeof(head)))
		return -ENOEXEC;
	p = part_of(ext, (size_t)head.length + head.relocation_offset, head.relocation_length);
	if (!part_take(&p, &record, sizeof(record)) || record < sizeof(struct relocation))
		return -ENOEXEC;
	used = mem_zalloc(n * sizeof(*used));
	while (read_section(&p, record, used, n))
		;
	for (__u32 id = 1; id < n; id++) {
		const char *name = used[id] ? btf__name_by_offset(
				types, btf__type_by_id(types, id)->name_off) : NULL;

		if (name && name[0])
			each(arg, name);
	}
	free(used);
	return 0;
}
