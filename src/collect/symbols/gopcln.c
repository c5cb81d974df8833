// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/gopcln.h"

#include <string.h>

#include "base/macro.h"
#include "collect/symbols/cfi_state.h"
#include "collect/symbols/leb.h"

#define HEADER 72	/* bytes: eight words behind the first one */
#define MAGIC_18 0xfffffff0u
#define MAGIC_20 0xfffffff1u
#define FUNCTIONS_MAX (2u << 20)

/* Of a function: where what is said of it lies. */
#define NAME_AT 4
#define DEPTHS_AT 16
#define FUNCTION_SIZE 44

#define FLAG_FIRST 1	/* nothing has called it */
#define FLAG_SWITCHES 2	/* it sets the stack pointer: what is above is another stack */

static uint64_t word(const struct gopcln *g, uint64_t at, unsigned size)
{
	const uint8_t *from = g->data + at;

	return at <= g->size && g->size - at >= size ? leb_bytes(&from, g->data + g->size, size)
						     : 0;
}

bool gopcln_open(struct gopcln *g, const struct cfi_machine *machine, const void *data, size_t size,
		 uint64_t text)
{
	uint64_t magic, n;

	*g = (struct gopcln){ .data = data, .size = size, .machine = machine };
	magic = word(g, 0, 4);
	/* Its addresses are of 8 bytes. */
	if (size < HEADER || (magic != MAGIC_18 && magic != MAGIC_20) ||
	    word(g, 6, 1) != machine->code || word(g, 7, 1) != 8)
		return false;
	n = word(g, 8, 8);
	g->text = word(g, 24, 8);
	/* It is written there when the program is loaded. */
	if (!g->text)
		g->text = text;
	g->names = word(g, 32, 8);
	g->depths = word(g, 56, 8);
	g->functions = word(g, 64, 8);
	g->flags_at = magic == MAGIC_18 ? 37 : 41;
	if (!n || n > FUNCTIONS_MAX || g->names >= size || g->depths >= size ||
	    g->functions >= size || (size - g->functions) / 8 <= n)
		return false;
	g->n = (uint32_t)n;
	return true;
}

/* Whether a function, whose name is there, has this one. */
static bool is_named(const struct gopcln *g, uint64_t name, const char *wanted)
{
	uint64_t at = g->names + name;

	return at < g->size && g->size - at > strlen(wanted) &&
	       !memcmp(g->data + at, wanted, strlen(wanted) + 1);
}

/* The scheduler's stacks begin with these, which are on another stack when they are called. */
static bool is_first(const struct gopcln *g, uint64_t name)
{
	return is_named(g, name, "runtime.mcall") || is_named(g, name, "runtime.morestack");
}

static bool put(struct cfi_rows *rows, uint64_t pc, enum abi_unwind_cfa how, unsigned bp,
		int64_t cfa)
{
	if (cfa % 8 || cfa < INT16_MIN * 8 || cfa > INT16_MAX * 8) {
		how = ABI_UNWIND_ODD;
		cfa = bp = 0;
	}
	return cfi_put(rows, pc,
		       (struct abi_unwind_row){ .how = (uint8_t)ABI_UNWIND_HOW(how, bp),
						.cfa = (int16_t)(cfa / 8) });
}

/*
 * How deep the stack is. Nothing is known of BP: Go needs none, and what it calls begins another
 * stack. Where calls leave the return address in a register, it is stored at the stack pointer.
 */
static bool put_depth(const struct gopcln *g, struct cfi_rows *rows, uint64_t pc, int64_t depth,
		      bool put_in)
{
	if (!g->machine->linked)
		return put(rows, pc, ABI_UNWIND_SP,
			   put_in ? ABI_UNWIND_PUT_IN : ABI_UNWIND_BP_LOST, depth + 8);
	/* What was in the register is on the stack, and where it was stopped in the register. */
	if (put_in)
		return put(rows, pc, ABI_UNWIND_ODD, 0, 0);
	return put(rows, pc, ABI_UNWIND_SP, depth ? ABI_UNWIND_RETURN_BY_BASE : ABI_UNWIND_BP_SAME,
		   depth);
}

/* Pairs of numbers: the depth differs by so much (zigzag), for so many bytes. */
static bool run_depths(const struct gopcln *g, uint64_t at, uint64_t start, uint64_t end,
		       bool put_in, struct cfi_rows *rows)
{
	const uint8_t *p = g->data + at, *p_end = g->data + g->size;
	uint64_t pc = start;
	int64_t depth = -1;

	while (pc < end) {
		uint64_t change = leb_unsigned(&p, p_end), by = p ? leb_unsigned(&p, p_end) : 0;

		if (!p || !by || (!change && pc != start))
			break;
		depth = (int64_t)((uint64_t)depth +
				  (change & 1 ? ~(change >> 1) : change >> 1));
		if (depth < 0 || depth > INT32_MAX)
			break;
		if (!put_depth(g, rows, pc, depth, put_in))
			return false;
		pc = by < (end - pc) / g->machine->code ? pc + by * g->machine->code : end;
	}
	/* Nothing makes sense from here on. */
	return pc >= end || put(rows, pc, ABI_UNWIND_ODD, 0, 0);
}

bool gopcln_run(const struct gopcln *g, uint32_t i, uint64_t *ret_start, uint64_t *ret_end,
		struct cfi_rows *rows)
{
	uint64_t entry = g->functions + 8 * (uint64_t)i, f = g->functions + word(g, entry + 4, 4),
		 start = word(g, entry, 4), end = word(g, entry + 8, 4), flags, depths, name;

	*ret_start = *ret_end = g->text + start;
	if (end <= start || f > g->size || g->size - f < FUNCTION_SIZE)
		return true;
	*ret_end = g->text + end;
	flags = word(g, f + g->flags_at, 1);
	depths = word(g, f + DEPTHS_AT, 4);
	name = word(g, f + NAME_AT, 4);
	if (flags & FLAG_FIRST || is_first(g, name))
		return put(rows, *ret_start, ABI_UNWIND_FIRST, 0, 0);
	if (flags & FLAG_SWITCHES)
		return put(rows, *ret_start, ABI_UNWIND_SWITCH, 0, 0);
	if (!depths || depths >= g->size - g->depths)
		return put(rows, *ret_start, ABI_UNWIND_ODD, 0, 0);
	/* How Go stops what goes on for long. */
	return run_depths(g, g->depths + depths, *ret_start, *ret_end,
			  is_named(g, name, "runtime.asyncPreempt"), rows);
}
