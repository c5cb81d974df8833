// SPDX-License-Identifier: GPL-2.0-or-later
/* Unwind tables of real programs, compared with what libdw says of the same addresses. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "collect/symbols/ehframe.h"
#include "unit.h"

#ifdef __x86_64__

#define RBP 6
#define RSP 7
#define RETURN 16

/* One file and what libdw knows of it. */
struct thing {
	int fd;
	Elf *elf;
	Dwarf_CFI *cfi;
	struct ehframe *table;
	size_t compared, odd;
};

static const struct abi_unwind_row *row_at(const struct ehframe *e, uint64_t address)
{
	size_t from = 0, to = e->n;

	while (to - from > 1) {
		size_t at = (from + to) / 2;

		*(e->base + e->rows[at].pc <= address ? &from : &to) = at;
	}
	return &e->rows[from];
}

/* A register and an offset. */
static bool is_reg(const Dwarf_Op *op, unsigned reg, int64_t offset)
{
	if (op->atom == DW_OP_bregx)
		return op->number == reg && (int64_t)op->number2 == offset;
	return op->atom == DW_OP_breg0 + reg && (int64_t)op->number == offset;
}

/* The CFA by libdw as a row has it. */
static bool same_cfa(const Dwarf_Op *ops, size_t n, const struct abi_unwind_row *row)
{
	switch (ABI_UNWIND_CFA(row->how)) {
	case ABI_UNWIND_SP:
		return n == 1 && is_reg(ops, RSP, 8 * row->cfa);
	case ABI_UNWIND_SP_FAR:
		return n == 1 && is_reg(ops, RSP, 16 * (uint16_t)row->cfa);
	case ABI_UNWIND_BP:
		return n == 1 && is_reg(ops, RBP, 8 * row->cfa);
	case ABI_UNWIND_BP_AT:
		return n == 2 && is_reg(ops, RBP, 8 * row->cfa) && ops[1].atom == DW_OP_deref;
	case ABI_UNWIND_PLT:
		return n == 9 && is_reg(ops, RSP, 8) && ops[4].atom == DW_OP_lit0 + row->cfa;
	}
	return false;
}

/* A register that is stored at CFA + *ret; false: it is not. */
static bool at_cfa(Dwarf_Frame *frame, int reg, int64_t *ret)
{
	Dwarf_Op mem[3], *ops;
	size_t n;

	if (dwarf_frame_register(frame, reg, mem, &ops, &n) || n < 1 ||
	    ops[0].atom != DW_OP_call_frame_cfa)
		return false;
	*ret = n > 1 && ops[1].atom == DW_OP_plus_uconst ? (int64_t)ops[1].number : 0;
	return n == 1 || (n == 2 && ops[1].atom == DW_OP_plus_uconst);
}

static bool same_bp(Dwarf_Frame *frame, const struct abi_unwind_row *row)
{
	Dwarf_Op mem[3], *ops;
	int64_t offset;
	size_t n;

	switch (ABI_UNWIND_SAVED_BP(row->how)) {
	case ABI_UNWIND_BP_BY_CFA:
		return at_cfa(frame, RBP, &offset) && offset == 8 * row->bp;
	case ABI_UNWIND_BP_SAME:
		return !dwarf_frame_register(frame, RBP, mem, &ops, &n) && !n && !ops;
	case ABI_UNWIND_BP_BY_BP:
		return !dwarf_frame_register(frame, RBP, mem, &ops, &n) && n == 1 &&
		       ops[0].atom == DW_OP_breg6 && (int64_t)ops[0].number == 8 * row->bp;
	}
	return true;
}

static bool is_undefined(Dwarf_Frame *frame, int reg)
{
	Dwarf_Op mem[3], *ops;
	size_t n;

	return !dwarf_frame_register(frame, reg, mem, &ops, &n) && !n && ops == mem;
}

static void compare_at(struct thing *t, uint64_t address)
{
	const struct abi_unwind_row *row = row_at(t->table, address);
	unsigned how = ABI_UNWIND_CFA(row->how);
	Dwarf_Frame *frame;
	bool signal = false;
	Dwarf_Op *ops;
	int64_t offset;
	size_t n;

	if (how == ABI_UNWIND_NONE || dwarf_cfi_addrframe(t->cfi, address, &frame))
		return;
	t->compared++;
	dwarf_frame_info(frame, NULL, NULL, &signal);
	if (how == ABI_UNWIND_ODD) {
		t->odd++;
	} else if (how == ABI_UNWIND_SIGNAL || signal) {
		ck_assert(signal && how == ABI_UNWIND_SIGNAL);
	} else if (how == ABI_UNWIND_FIRST) {
		ck_assert_msg(is_undefined(frame, RETURN), "%lx", address);
	} else {
		ck_assert(!dwarf_frame_cfa(frame, &ops, &n));
		ck_assert_msg(same_cfa(ops, n, row), "CFA at %lx: how %x cfa %d", address,
			      row->how, row->cfa);
		ck_assert_msg(at_cfa(frame, RETURN, &offset) && offset == -8, "%lx", address);
		ck_assert_msg(same_bp(frame, row), "rbp at %lx: how %x bp %d", address, row->how,
			      row->bp);
	}
	free(frame);
}

static void compare(const char *path)
{
	struct thing t = { .fd = open(path, O_RDONLY | O_CLOEXEC) };

	ck_assert_int_ge(t.fd, 0);
	elf_version(EV_CURRENT);
	t.elf = elf_begin(t.fd, ELF_C_READ, NULL);
	t.cfi = dwarf_getcfi_elf(t.elf);
	ck_assert_ptr_nonnull(t.cfi);
	ck_assert_int_eq(ehframe_read(t.fd, &t.table), 0);
	ck_assert_uint_gt(t.table->loads.n, 0);
	for (size_t i = 0; i + 1 < t.table->n; i++) {
		ck_assert_uint_lt(t.table->rows[i].pc, t.table->rows[i + 1].pc);
		compare_at(&t, t.table->base + t.table->rows[i].pc);
		compare_at(&t, t.table->base + t.table->rows[i + 1].pc - 1);
	}
	printf("%s: %zu rows, %zu compared, %zu odd\n", path, t.table->n, t.compared, t.odd);
	ck_assert_uint_gt(t.compared, t.table->n / 2);
	/* What cannot be expressed is rare. */
	ck_assert_uint_le(t.odd, t.compared / 200);
	ehframe_free(t.table);
	dwarf_cfi_end(t.cfi);
	elf_end(t.elf);
	close(t.fd);
}

/* The file that has this function. */
static void path_of(const void *function, char path[PATH_MAX])
{
	uint64_t start, end, at = (uint64_t)(uintptr_t)function;
	FILE *f = fopen("/proc/self/maps", "re");
	char line[PATH_MAX + 128];

	path[0] = '\0';
	while (f && !path[0] && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 && at >= start && at < end)
			sscanf(line, "%*s %*s %*s %*s %*s %4000s", path);
	if (f)
		fclose(f);
}

static void compare_file_of(const void *function)
{
	char path[PATH_MAX];

	path_of(function, path);
	compare(path);
}

START_TEST(own)
{
	compare("/proc/self/exe");
}
END_TEST

START_TEST(libc)
{
	compare_file_of((const void *)(uintptr_t)ftok);
}
END_TEST

START_TEST(libdw)
{
	compare_file_of((const void *)(uintptr_t)dwarf_next_cfi);
}
END_TEST

/* What the kernel maps lies in memory as a file would. */
START_TEST(vdso)
{
	const Elf64_Ehdr *image = (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	struct ehframe *e;

	if (!image)
		return;
	ck_assert_int_eq(ehframe_read_memory((void *)(uintptr_t)image,
					     image->e_shoff +
						     (size_t)image->e_shnum * image->e_shentsize,
					     &e), 0);
	ck_assert_uint_gt(e->n, 2);
	ck_assert_uint_gt(e->loads.n, 0);
	ehframe_free(e);
}
END_TEST

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

	ck_assert_int_eq(ehframe_read(fd, &e), 0);
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

/* Some other program, by hand: EHFRAME_FILE=/usr/bin/python3 tests/unit/ehframe */
START_TEST(named)
{
	const char *path = getenv("EHFRAME_FILE");

	if (path)
		compare(path);
}
END_TEST

/* What begins threads and programs was called by nobody. */
START_TEST(first)
{
	struct ehframe *e;
	size_t firsts = 0, signals = 0;
	char path[PATH_MAX];
	int fd;

	path_of((const void *)(uintptr_t)ftok, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(ehframe_read(fd, &e), 0);
	for (size_t i = 0; i < e->n; i++) {
		firsts += ABI_UNWIND_CFA(e->rows[i].how) == ABI_UNWIND_FIRST;
		signals += ABI_UNWIND_CFA(e->rows[i].how) == ABI_UNWIND_SIGNAL;
	}
	ck_assert_uint_gt(firsts, 0);
#ifdef __GLIBC__	/* musl comes without tables */
	ck_assert_uint_gt(signals, 0);
#endif
	ehframe_free(e);
	close(fd);
}
END_TEST

/* What is no program of this machine has no table. */
START_TEST(other)
{
	int fd = memfd_create("none", MFD_CLOEXEC);
	unsigned char head[64] = "\177ELF\2\1\1";
	struct ehframe *e;

	ck_assert_int_eq(ehframe_read(fd, &e), -ENOEXEC);
	head[16] = 3;
	head[18] = 183;	/* aarch64 */
	head[20] = 1;
	head[52] = 64;
	ck_assert_int_eq(write(fd, head, sizeof(head)), sizeof(head));
	ck_assert_int_eq(ehframe_read(fd, &e), -ENOEXEC);
	head[18] = 62;
	ck_assert_int_eq(pwrite(fd, head, sizeof(head), 0), sizeof(head));
	ck_assert_int_eq(ehframe_read(fd, &e), -ENODATA);
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
	ck_assert_int_eq(ehframe_read(fd, &e), 0);
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

UNIT_MAIN("ehframe", own, libc, libdw, vdso, far_frames, named, first, other, entry)

#else

int main(void)
{
	return 77;
}

#endif
