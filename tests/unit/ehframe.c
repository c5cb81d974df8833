// SPDX-License-Identifier: GPL-2.0-or-later
/* Unwind tables of real programs, compared with what libdw says of the same addresses. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "collect/symbols/cfi_state.h"
#include "collect/symbols/ehframe.h"
#include "unit.h"

#if defined(__x86_64__) || defined(__aarch64__)

/* One file and what libdw knows of it. */
struct thing {
	int fd;
	Elf *elf;
	Dwarf_CFI *cfi;
	struct ehframe *table;
	const struct cfi_machine *m;
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
static bool same_cfa(const struct cfi_machine *m, const Dwarf_Op *ops, size_t n,
		     const struct abi_unwind_row *row)
{
	switch (ABI_UNWIND_CFA(row->how)) {
	case ABI_UNWIND_SP:
		return n == 1 && is_reg(ops, m->sp, 8 * row->cfa);
	case ABI_UNWIND_SP_FAR:
		return n == 1 && is_reg(ops, m->sp, 16 * (uint16_t)row->cfa);
	case ABI_UNWIND_BP:
		return n == 1 && is_reg(ops, m->bp, 8 * row->cfa);
	case ABI_UNWIND_BP_AT:
		return n == 2 && is_reg(ops, m->bp, 8 * row->cfa) && ops[1].atom == DW_OP_deref;
	case ABI_UNWIND_PLT:
		return n == 9 && is_reg(ops, m->sp, 8) && ops[4].atom == DW_OP_lit0 + row->cfa;
	}
	return false;
}

/* What the CFA is above the register that it counts from. */
static int64_t base_of(const struct abi_unwind_row *row)
{
	return ABI_UNWIND_CFA(row->how) == ABI_UNWIND_SP_FAR ? 16 * (uint16_t)row->cfa
							     : 8 * row->cfa;
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

static bool in_register(Dwarf_Frame *frame, int reg)
{
	Dwarf_Op mem[3], *ops;
	size_t n;

	return !dwarf_frame_register(frame, reg, mem, &ops, &n) && !n && !ops;
}

static bool same_bp(const struct cfi_machine *m, Dwarf_Frame *frame,
		    const struct abi_unwind_row *row)
{
	Dwarf_Op mem[3], *ops;
	int64_t offset;
	size_t n;

	switch (ABI_UNWIND_SAVED_BP(row->how)) {
	case ABI_UNWIND_BP_BY_CFA:
		return at_cfa(frame, m->bp, &offset) && offset == 8 * row->bp;
	case ABI_UNWIND_BP_SAME:
		return in_register(frame, m->bp);
	case ABI_UNWIND_BP_BY_BP:
		return !dwarf_frame_register(frame, m->bp, mem, &ops, &n) && n == 1 &&
		       ops[0].atom == DW_OP_breg0 + m->bp && (int64_t)ops[0].number == 8 * row->bp;
	case ABI_UNWIND_BP_BY_BASE:
		return at_cfa(frame, m->bp, &offset) && offset + base_of(row) == 8 * row->bp;
	case ABI_UNWIND_RETURN_BY_CFA:
	case ABI_UNWIND_RETURN_BY_BASE:
		return in_register(frame, m->bp);
	}
	return !m->linked;
}

/* The return address as the row has it. */
static bool same_return(const struct cfi_machine *m, Dwarf_Frame *frame,
			const struct abi_unwind_row *row)
{
	int64_t offset;

	if (!m->linked)
		return at_cfa(frame, m->ip, &offset) && offset == -8;
	switch (ABI_UNWIND_SAVED_BP(row->how)) {
	case ABI_UNWIND_BP_SAME:
		return in_register(frame, m->ip);
	case ABI_UNWIND_BP_BY_CFA:
		return at_cfa(frame, m->ip, &offset) && offset == 8 * row->bp + 8;
	case ABI_UNWIND_BP_BY_BASE:
		return at_cfa(frame, m->ip, &offset) && offset + base_of(row) == 8 * row->bp + 8;
	case ABI_UNWIND_RETURN_BY_CFA:
		return at_cfa(frame, m->ip, &offset) && offset == 8 * row->bp;
	case ABI_UNWIND_RETURN_BY_BASE:
		return at_cfa(frame, m->ip, &offset) && offset + base_of(row) == 8 * row->bp;
	}
	return false;
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
		ck_assert_msg(is_undefined(frame, t->m->ip), "%lx", address);
	} else {
		ck_assert(!dwarf_frame_cfa(frame, &ops, &n));
		ck_assert_msg(same_cfa(t->m, ops, n, row), "CFA at %lx: how %x cfa %d", address,
			      row->how, row->cfa);
		ck_assert_msg(same_return(t->m, frame, row), "return address at %lx: how %x bp %d",
			      address, row->how, row->bp);
		ck_assert_msg(same_bp(t->m, frame, row), "BP at %lx: how %x bp %d", address,
			      row->how, row->bp);
	}
	free(frame);
}

static void compare(const char *path, unsigned machine)
{
	struct thing t = { .fd = open(path, O_RDONLY | O_CLOEXEC), .m = cfi_machine(machine) };

	ck_assert_int_ge(t.fd, 0);
	elf_version(EV_CURRENT);
	t.elf = elf_begin(t.fd, ELF_C_READ, NULL);
	t.cfi = dwarf_getcfi_elf(t.elf);
	ck_assert_ptr_nonnull(t.cfi);
	ck_assert_int_eq(ehframe_read(t.fd, machine, &t.table), 0);
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
	compare(path, CFI_MACHINE_HERE);
}

START_TEST(own)
{
	compare("/proc/self/exe", CFI_MACHINE_HERE);
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

/* The C library of a cross compiler, where there is one. */
START_TEST(arm64)
{
	const char *path = "/usr/aarch64-linux-gnu/lib/libc.so.6";

	if (!access(path, R_OK))
		compare(path, EM_AARCH64);
}
END_TEST

/* Some other program, by hand: EHFRAME_FILE=/usr/bin/python3 tests/unit/ehframe */
START_TEST(named)
{
	const char *path = getenv("EHFRAME_FILE"), *machine = getenv("EHFRAME_MACHINE");

	if (path)
		compare(path, machine ? (unsigned)atoi(machine) : CFI_MACHINE_HERE);
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
	ck_assert_int_eq(ehframe_read(fd, CFI_MACHINE_HERE, &e), 0);
	for (size_t i = 0; i < e->n; i++) {
		firsts += ABI_UNWIND_CFA(e->rows[i].how) == ABI_UNWIND_FIRST;
		signals += ABI_UNWIND_CFA(e->rows[i].how) == ABI_UNWIND_SIGNAL;
	}
	ck_assert_uint_gt(firsts, 0);
#if defined(__GLIBC__) && defined(__x86_64__)	/* musl comes without tables */
	ck_assert_uint_gt(signals, 0);
#endif
	ehframe_free(e);
	close(fd);
}
END_TEST

UNIT_MAIN("ehframe", own, libc, libdw, arm64, named, first)

#else

int main(void)
{
	return 77;
}

#endif
