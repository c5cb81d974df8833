// SPDX-License-Identifier: GPL-2.0-or-later
/* Unwind tables of files that are made for it, and of the kernel's own. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/symbols/cfi_state.h"
#include "collect/symbols/ehframe.h"
#include "unit.h"

/* What is no program of this machine has no table. */
START_TEST(other)
{
	int fd = memfd_create("none", MFD_CLOEXEC);
	unsigned char head[64] = "\177ELF\2\1\1";
	struct ehframe *e;

	ck_assert_int_eq(ehframe_read(fd, EM_X86_64, &e), -ENOEXEC);
	head[16] = 3;
	head[18] = EM_S390;
	head[20] = 1;
	head[52] = 64;
	ck_assert_int_eq(write(fd, head, sizeof(head)), sizeof(head));
	ck_assert_int_eq(ehframe_read(fd, EM_X86_64, &e), -ENOEXEC);
	head[18] = EM_X86_64;
	ck_assert_int_eq(pwrite(fd, head, sizeof(head), 0), sizeof(head));
	ck_assert_int_eq(ehframe_read(fd, EM_X86_64, &e), -ENODATA);
	close(fd);
}
END_TEST

/* Where a program begins there is no caller, also where nothing else is said of its code. */
START_TEST(entry)
{
	static const char names[] = "\0.text\0.shstrtab";
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr load;
		char names[sizeof(names)];
		Elf64_Shdr sections[3];
	} file = {
		.head = { .e_ident = "\177ELF\2\1\1", .e_type = ET_EXEC,
			  .e_machine = EM_X86_64, .e_version = 1, .e_entry = 0x1000,
			  .e_phoff = offsetof(typeof(file), load), .e_phnum = 1,
			  .e_shoff = offsetof(typeof(file), sections), .e_shnum = 3,
			  .e_shstrndx = 2, .e_ehsize = sizeof(Elf64_Ehdr),
			  .e_phentsize = sizeof(Elf64_Phdr), .e_shentsize = sizeof(Elf64_Shdr) },
		.load = { .p_type = PT_LOAD, .p_flags = PF_X, .p_vaddr = 0x1000,
			  .p_filesz = 0x1000 },
		.sections = { { .sh_name = 0 },
			      { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_addr = 0x1000,
				.sh_size = 20 },
			      { .sh_name = 7, .sh_type = SHT_STRTAB, .sh_size = sizeof(names),
				.sh_offset = offsetof(typeof(file), names) } },
	};
	int fd = memfd_create("entry", MFD_CLOEXEC);
	struct ehframe *e;

	memcpy(file.names, names, sizeof(names));
	ck_assert_int_eq(write(fd, &file, sizeof(file)), sizeof(file));
	ck_assert_int_eq(ehframe_read(fd, EM_X86_64, &e), 0);
	ck_assert_uint_eq(e->base, 0x1000);
	ck_assert_uint_eq(e->n, 2);
	ck_assert_uint_eq(e->rows[0].how, ABI_UNWIND_FIRST);
	/* musl's calls the next one with its 22nd byte. */
	ck_assert_uint_eq(e->rows[1].pc, 24);
	ck_assert_uint_eq(e->rows[1].how, ABI_UNWIND_NONE);
	ehframe_free(e);
	close(fd);
}
END_TEST

/* What the kernel maps lies in memory as a file would. */
START_TEST(vdso)
{
	const Elf64_Ehdr *image = (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	struct ehframe *e;

	if (!image || !cfi_machine(CFI_MACHINE_HERE))
		return;
	ck_assert_int_eq(ehframe_read_memory((void *)(uintptr_t)image,
					     image->e_shoff +
						     (size_t)image->e_shnum * image->e_shentsize,
					     CFI_MACHINE_HERE, &e), 0);
	ck_assert_uint_gt(e->n, 2);
	ck_assert_uint_gt(e->loads.n, 0);
	ehframe_free(e);
}
END_TEST

#ifdef __x86_64__

/* A function with most of a MiB on the stack. */
void far_frame(void);
__asm__(".text\n"
	"far_frame:\n"
	".cfi_startproc\n"
	"	sub $990248, %rsp\n"
	".cfi_def_cfa_offset 990256\n"
	"	nop\n"
	"	add $990248, %rsp\n"
	".cfi_def_cfa_offset 8\n"
	"	ret\n"
	".cfi_endproc\n");

START_TEST(far_frames)
{
	uint64_t at = (uint64_t)(uintptr_t)far_frame;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	size_t found = 0;
	struct ehframe *e;

	ck_assert_int_eq(ehframe_read(fd, EM_X86_64, &e), 0);
	for (size_t i = 0; i < e->n; i++) {
		const struct abi_unwind_row *row = &e->rows[i];

		if (ABI_UNWIND_CFA(row->how) != ABI_UNWIND_SP_FAR ||
		    (e->base + row->pc) % 4096 != (at + 7) % 4096)
			continue;
		ck_assert_uint_eq(16 * (uint16_t)row->cfa, 990256);
		ck_assert_uint_eq(ABI_UNWIND_SAVED_BP(row->how), ABI_UNWIND_BP_SAME);
		found++;
	}
	ck_assert_uint_eq(found, 1);
	ehframe_free(e);
	close(fd);
}
END_TEST

UNIT_MAIN("ehframe_made", other, entry, vdso, far_frames)

#else

UNIT_MAIN("ehframe_made", other, entry, vdso)

#endif
