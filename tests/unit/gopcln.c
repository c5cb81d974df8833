// SPDX-License-Identifier: GPL-2.0-or-later
/* Depths of stacks as Go's linker writes them. */
#include <stdlib.h>
#include <string.h>

#include "collect/symbols/cfi_state.h"
#include "collect/symbols/gopcln.h"
#include "unit.h"

#define TEXT 0x401000
#define NAMES 100
#define DEPTHS 200
#define FUNCTIONS 300
#define SIZE 512
#define FIRST_FUNCTION 60	/* behind the list of functions */

static uint8_t table[SIZE];
static struct gopcln go;
static struct cfi_rows rows;
static uint64_t start, end;

static void put(size_t at, uint64_t v, size_t size)
{
	memcpy(table + at, &v, size);
}

/* A table of two functions, of 32 and of 16 bytes. */
static void make(uint32_t magic)
{
	memset(table, 0, sizeof(table));
	put(0, magic, 4);
	table[6] = 1;
	table[7] = 8;
	put(8, 2, 8);
	put(24, TEXT, 8);
	put(32, NAMES, 8);
	put(56, DEPTHS, 8);
	put(64, FUNCTIONS, 8);
	for (uint32_t i = 0; i < 3; i++) {
		put(FUNCTIONS + 8 * i, 32 * i - (i == 2 ? 16 : 0), 4);
		put(FUNCTIONS + 8 * i + 4, FIRST_FUNCTION + 48 * i, 4);
	}
	put(FUNCTIONS + FIRST_FUNCTION + 4, 1, 4);
	put(FUNCTIONS + FIRST_FUNCTION + 16, 1, 4);
	strcpy((char *)table + NAMES + 1, "main.main");
	strcpy((char *)table + NAMES + 20, "runtime.mcall");
	/* 0 for 4 bytes, 24 for 26, 0 again for 2; changes are zigzag, from -1 on */
	memcpy(table + DEPTHS + 1, (uint8_t[]){ 2, 4, 48, 26, 47, 2, 0 }, 7);
}

static bool run(uint32_t i)
{
	free(rows.v);
	rows = (struct cfi_rows){ .max = 100 };
	return gopcln_run(&go, i, &start, &end, &rows);
}

static void check_row(size_t i, uint64_t pc, unsigned how, int cfa)
{
	ck_assert_uint_lt(i, rows.n);
	ck_assert_uint_eq(rows.v[i].pc, pc);
	ck_assert_uint_eq(ABI_UNWIND_CFA(rows.v[i].row.how), how);
	ck_assert_int_eq(rows.v[i].row.cfa, cfa);
}

START_TEST(depths)
{
	static const uint32_t magics[] = { 0xfffffff0, 0xfffffff1 };

	for (size_t i = 0; i < 2; i++) {
		make(magics[i]);
		ck_assert(gopcln_open(&go, cfi_machine(EM_X86_64), table, SIZE, 0));
		ck_assert_uint_eq(go.n, 2);
		ck_assert(run(0));
		ck_assert_uint_eq(start, TEXT);
		ck_assert_uint_eq(end, TEXT + 32);
		ck_assert_uint_eq(rows.n, 3);
		check_row(0, TEXT, ABI_UNWIND_SP, 1);
		check_row(1, TEXT + 4, ABI_UNWIND_SP, 4);
		check_row(2, TEXT + 30, ABI_UNWIND_SP, 1);
	}
}
END_TEST

/* What a signal puts in has a caller that stopped anywhere. */
START_TEST(put_in)
{
	make(0xfffffff1);
	strcpy((char *)table + NAMES + 40, "runtime.asyncPreempt");
	put(FUNCTIONS + FIRST_FUNCTION + 4, 40, 4);
	ck_assert(gopcln_open(&go, cfi_machine(EM_X86_64), table, SIZE, 0));
	ck_assert(run(0));
	check_row(1, TEXT + 4, ABI_UNWIND_SP, 4);
	ck_assert_uint_eq(ABI_UNWIND_SAVED_BP(rows.v[1].row.how), ABI_UNWIND_PUT_IN);
}
END_TEST

/* Instructions of four bytes; a return address that is at the stack pointer once it is stored. */
START_TEST(arm64)
{
	make(0xfffffff1);
	ck_assert(!gopcln_open(&go, cfi_machine(EM_AARCH64), table, SIZE, 0));
	table[6] = 4;
	ck_assert(!gopcln_open(&go, cfi_machine(EM_X86_64), table, SIZE, 0));
	ck_assert(gopcln_open(&go, cfi_machine(EM_AARCH64), table, SIZE, 0));
	ck_assert(run(0));
	ck_assert_uint_eq(rows.n, 2);
	check_row(0, TEXT, ABI_UNWIND_SP, 0);
	ck_assert_uint_eq(ABI_UNWIND_SAVED_BP(rows.v[0].row.how), ABI_UNWIND_BP_SAME);
	check_row(1, TEXT + 16, ABI_UNWIND_SP, 3);
	ck_assert_uint_eq(ABI_UNWIND_SAVED_BP(rows.v[1].row.how), ABI_UNWIND_RETURN_BY_BASE);
	ck_assert_int_eq(rows.v[1].row.bp, 0);
}
END_TEST

/* What begins a stack, by its flag or its name; what changes to another one. */
START_TEST(ends)
{
	static const struct {
		uint32_t magic, at;
	} flags[] = { { 0xfffffff0, 37 }, { 0xfffffff1, 41 } };

	for (size_t i = 0; i < 2; i++) {
		make(flags[i].magic);
		ck_assert(gopcln_open(&go, cfi_machine(EM_X86_64), table, SIZE, 0));
		table[FUNCTIONS + FIRST_FUNCTION + flags[i].at] = 1;
		ck_assert(run(0));
		check_row(0, TEXT, ABI_UNWIND_FIRST, 0);
		table[FUNCTIONS + FIRST_FUNCTION + flags[i].at] = 2;
		ck_assert(run(0));
		check_row(0, TEXT, ABI_UNWIND_SWITCH, 0);
		put(FUNCTIONS + FIRST_FUNCTION + 4, 20, 4);
		ck_assert(run(0));
		check_row(0, TEXT, ABI_UNWIND_FIRST, 0);
	}
}
END_TEST

/* A table whose place of the code is written when the program is loaded. */
START_TEST(text)
{
	make(0xfffffff1);
	put(24, 0, 8);
	ck_assert(gopcln_open(&go, cfi_machine(EM_X86_64), table, SIZE, 0x1000));
	ck_assert(run(1));
	ck_assert_uint_eq(start, 0x1000 + 32);
	ck_assert_uint_eq(end, 0x1000 + 48);
}
END_TEST

/* Whatever is wrong gives no table, or rows that say so. */
START_TEST(wrong)
{
	make(0xfffffff0);
	ck_assert(!gopcln_open(&go, cfi_machine(EM_X86_64), table, 71, 0));
	table[7] = 4;
	ck_assert(!gopcln_open(&go, cfi_machine(EM_X86_64), table, SIZE, 0));
	make(0xfffffffb);
	ck_assert(!gopcln_open(&go, cfi_machine(EM_X86_64), table, SIZE, 0));
	make(0xfffffff0);
	put(8, 1000, 8);
	ck_assert(!gopcln_open(&go, cfi_machine(EM_X86_64), table, SIZE, 0));
	make(0xfffffff0);
	put(FUNCTIONS + 4, 10000, 4);
	ck_assert(gopcln_open(&go, cfi_machine(EM_X86_64), table, SIZE, 0));
	ck_assert(run(0));
	ck_assert_uint_eq(rows.n, 0);
	make(0xfffffff0);
	memcpy(table + DEPTHS + 1, (uint8_t[]){ 2, 4, 47, 2 }, 4);	/* less than nothing */
	ck_assert(run(0));
	ck_assert_uint_eq(rows.n, 2);
	check_row(1, TEXT + 4, ABI_UNWIND_ODD, 0);
	memcpy(table + DEPTHS + 1, (uint8_t[]){ 2, 4, 0, 0 }, 4);	/* it ends too early */
	ck_assert(run(0));
	check_row(1, TEXT + 4, ABI_UNWIND_ODD, 0);
	free(rows.v);
	rows.v = NULL;
}
END_TEST

UNIT_MAIN("gopcln", depths, put_in, arm64, ends, text, wrong)
