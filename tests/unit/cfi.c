// SPDX-License-Identifier: GPL-2.0-or-later
/* Instructions of .eh_frame as the rows of a table, where calls leave the return address in x30. */
#include <stdlib.h>

#include <dwarf.h>

#include "collect/symbols/cfi.h"
#include "collect/symbols/cfi_state.h"
#include "unit.h"

#define START 0x10000
#define FP 29
#define LR 30
#define SP 31

static struct cfi_rows rows;

/* Runs what one function does; all begin with the CFA at the stack pointer. */
static void run(unsigned machine, const uint8_t *own, size_t size)
{
	static const uint8_t arm64[] = { DW_CFA_def_cfa, SP, 0 },
			     x86[] = { DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1 };
	bool linked = machine == EM_AARCH64;
	struct cfi_program p = {
		.machine = cfi_machine(machine), .initial = linked ? arm64 : x86,
		.initial_end = linked ? arm64 + sizeof(arm64) : x86 + sizeof(x86),
		.own = own, .own_end = own + size, .start = START, .end = START + 64,
		.code_factor = linked ? 4 : 1, .data_factor = -8,
	};

	free(rows.v);
	rows = (struct cfi_rows){ .max = 100 };
	ck_assert(cfi_run(&p, &rows));
}

#define RUN(...)                                              \
	do {                                                  \
		static const uint8_t own_[] = { __VA_ARGS__ }; \
		run(EM_AARCH64, own_, sizeof(own_));           \
	} while (0)

static void check_row(size_t i, uint64_t pc, unsigned cfa, unsigned bp, int by, int at)
{
	ck_assert_uint_lt(i, rows.n);
	ck_assert_uint_eq(rows.v[i].pc, START + pc);
	ck_assert_uint_eq(ABI_UNWIND_CFA(rows.v[i].row.how), cfa);
	ck_assert_uint_eq(ABI_UNWIND_SAVED_BP(rows.v[i].row.how), bp);
	ck_assert_int_eq(rows.v[i].row.cfa, by);
	ck_assert_int_eq(rows.v[i].row.bp, at);
}

/* stp x29, x30, [sp, #-32]!; what it does; ldp; ret. */
START_TEST(pair)
{
	RUN(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 32, DW_CFA_offset | FP, 4,
	    DW_CFA_offset | LR, 3, DW_CFA_advance_loc | 6, DW_CFA_restore | FP,
	    DW_CFA_restore | LR, DW_CFA_def_cfa_offset, 0);
	ck_assert_uint_eq(rows.n, 3);
	check_row(0, 0, ABI_UNWIND_SP, ABI_UNWIND_BP_SAME, 0, 0);
	check_row(1, 4, ABI_UNWIND_SP, ABI_UNWIND_BP_BY_CFA, 4, -4);
	check_row(2, 28, ABI_UNWIND_SP, ABI_UNWIND_BP_SAME, 0, 0);
}
END_TEST

/* What changes the stack pointer counts from the frame pointer; an address may be signed. */
START_TEST(frame_pointer)
{
	RUN(DW_CFA_GNU_window_save, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 48,
	    DW_CFA_offset | FP, 6, DW_CFA_offset | LR, 5, DW_CFA_advance_loc | 1,
	    DW_CFA_def_cfa, FP, 48);
	check_row(2, 8, ABI_UNWIND_BP, ABI_UNWIND_BP_BY_CFA, 6, -6);
}
END_TEST

/* The pair is at the bottom of a frame of 5,008 bytes. */
START_TEST(large)
{
	RUN(DW_CFA_def_cfa_offset, 0x90, 0x27, DW_CFA_offset_extended, FP, 0xf2, 4,
	    DW_CFA_offset_extended, LR, 0xf1, 4);
	check_row(0, 0, ABI_UNWIND_SP, ABI_UNWIND_BP_BY_BASE, 626, 0);
	/* The same of the return address alone, 16 above. */
	RUN(DW_CFA_def_cfa_offset, 0x90, 0x27, DW_CFA_offset_extended, LR, 0xf0, 4);
	check_row(0, 0, ABI_UNWIND_SP, ABI_UNWIND_RETURN_BY_BASE, 626, 2);
}
END_TEST

START_TEST(return_alone)
{
	RUN(DW_CFA_def_cfa_offset, 16, DW_CFA_offset | LR, 2);
	check_row(0, 0, ABI_UNWIND_SP, ABI_UNWIND_RETURN_BY_CFA, 2, -2);
}
END_TEST

START_TEST(first)
{
	RUN(DW_CFA_undefined, LR);
	check_row(0, 0, ABI_UNWIND_FIRST, 0, 0, 0);
}
END_TEST

/* Nothing is guessed: a pair that is none, BP alone, a place in the middle of a large frame. */
START_TEST(odd)
{
	RUN(DW_CFA_def_cfa_offset, 32, DW_CFA_offset | FP, 4, DW_CFA_offset | LR, 2);
	check_row(0, 0, ABI_UNWIND_ODD, 0, 0, 0);
	RUN(DW_CFA_def_cfa_offset, 32, DW_CFA_offset | FP, 4);
	check_row(0, 0, ABI_UNWIND_ODD, 0, 0, 0);
	RUN(DW_CFA_def_cfa_offset, 0x90, 0x27, DW_CFA_offset_extended, LR, 0xc8, 1);
	check_row(0, 0, ABI_UNWIND_ODD, 0, 0, 0);
	RUN(DW_CFA_def_cfa, 19, 32, DW_CFA_offset | LR, 2);
	check_row(0, 0, ABI_UNWIND_ODD, 0, 0, 0);
}
END_TEST

/* What only one of both machines says. */
START_TEST(x86)
{
	static const uint8_t sign[] = { DW_CFA_GNU_window_save },
			     push[] = { DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2 },
			     moved[] = { DW_CFA_offset | 16, 2 };

	run(EM_X86_64, push, sizeof(push));
	check_row(0, 0, ABI_UNWIND_SP, ABI_UNWIND_BP_BY_CFA, 2, -2);
	run(EM_X86_64, sign, sizeof(sign));
	check_row(0, 0, ABI_UNWIND_ODD, 0, 0, 0);
	run(EM_X86_64, moved, sizeof(moved));
	check_row(0, 0, ABI_UNWIND_ODD, 0, 0, 0);
	ck_assert_ptr_null(cfi_machine(EM_S390));
}
END_TEST

UNIT_MAIN("cfi", pair, frame_pointer, large, return_alone, first, odd, x86)
