// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/cfi_state.h"

#include <stddef.h>

#include "base/macro.h"

const struct cfi_machine *cfi_machine(unsigned elf)
{
	/* System V ABI, AMD64, section 3.6.2; DWARF for the Arm 64-bit Architecture, 4.1. */
	static const struct cfi_machine all[] = {
		{ .elf = EM_X86_64, .bp = 6, .sp = 7, .ip = 16, .code = 1 },
		{ .elf = EM_AARCH64, .bp = 29, .sp = 31, .ip = 30, .code = 4, .linked = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i].elf == elf)
			return &all[i];
	return NULL;
}

/* A number of eights that a row has room for. */
static bool fits(int64_t offset, int64_t max, int64_t *ret)
{
	*ret = offset / 8;
	return !(offset % 8) && *ret >= -max - 1 && *ret <= max;
}

static uint8_t saved_bp(const struct cfi_state *s, int8_t *ret)
{
	int64_t offset = 0;
	bool possible = fits(s->bp.offset, INT8_MAX, &offset);

	*ret = possible ? (int8_t)offset : 0;
	if (s->bp.how == CFI_PLACE_SAME)
		return ABI_UNWIND_BP_SAME;
	if (s->bp.how == CFI_PLACE_CFA && possible)
		return ABI_UNWIND_BP_BY_CFA;
	if (s->bp.how == CFI_PLACE_BP && possible)
		return ABI_UNWIND_BP_BY_BP;
	return ABI_UNWIND_BP_LOST;
}

/*
 * The same where calls leave the return address in a register: it is still there, or stored, most
 * often behind BP. Large frames have these at their top or at their bottom. False: it is elsewhere.
 */
static bool linked(const struct cfi_state *s, uint8_t *ret_how, int8_t *ret)
{
	bool pair = s->bp.how == CFI_PLACE_CFA;
	const struct cfi_place *first = pair ? &s->bp : &s->ip;
	int64_t offset = 0;

	*ret_how = ABI_UNWIND_BP_SAME;
	if (s->ip.how == CFI_PLACE_SAME)
		return s->bp.how == CFI_PLACE_SAME;
	if (s->ip.how != CFI_PLACE_CFA || (!pair && s->bp.how != CFI_PLACE_SAME) ||
	    (pair && s->ip.offset - s->bp.offset != 8))
		return false;
	if (fits(first->offset, INT8_MAX, &offset))
		*ret_how = pair ? ABI_UNWIND_BP_BY_CFA : ABI_UNWIND_RETURN_BY_CFA;
	else if (s->base == CFI_BASE_REGISTER &&
		 fits((int64_t)((uint64_t)first->offset + (uint64_t)s->offset), INT8_MAX, &offset))
		*ret_how = pair ? ABI_UNWIND_BP_BY_BASE : ABI_UNWIND_RETURN_BY_BASE;
	else
		return false;
	*ret = (int8_t)offset;
	return true;
}

static enum abi_unwind_cfa cfa_of(const struct cfi_machine *m, const struct cfi_state *s,
				  int16_t *ret)
{
	bool by_sp = s->base == CFI_BASE_REGISTER && s->reg == m->sp;
	int64_t offset = 0;

	*ret = 0;
	if (s->ip.how == CFI_PLACE_GONE)
		return ABI_UNWIND_FIRST;
	if (s->moved_sp || (!m->linked && (s->ip.how != CFI_PLACE_CFA || s->ip.offset != -8)))
		return ABI_UNWIND_ODD;
	if (s->base == CFI_BASE_PLT) {
		*ret = (int16_t)s->offset;
		return ABI_UNWIND_PLT;
	}
	if (!fits(s->offset, INT16_MAX, &offset)) {
		if (!by_sp || s->offset < 0 || s->offset % 16 || s->offset / 16 > UINT16_MAX)
			return ABI_UNWIND_ODD;
		*ret = (int16_t)(uint16_t)(s->offset / 16);
		return ABI_UNWIND_SP_FAR;
	}
	*ret = (int16_t)offset;
	if (s->base == CFI_BASE_BP_AT)
		return ABI_UNWIND_BP_AT;
	if (by_sp)
		return ABI_UNWIND_SP;
	if (s->base == CFI_BASE_REGISTER && s->reg == m->bp)
		return ABI_UNWIND_BP;
	return ABI_UNWIND_ODD;
}

struct abi_unwind_row cfi_state_row(const struct cfi_machine *m, const struct cfi_state *s,
				    bool signal, bool bad)
{
	struct abi_unwind_row row = { .pc = 0 };
	enum abi_unwind_cfa cfa = cfa_of(m, s, &row.cfa);
	uint8_t bp = 0;

	if (!m->linked)
		bp = saved_bp(s, &row.bp);
	else if (cfa != ABI_UNWIND_FIRST && !linked(s, &bp, &row.bp))
		bad = true;
	/* The kernel's frame is of a known form: the instructions only say so at length. */
	if (signal)
		cfa = ABI_UNWIND_SIGNAL;
	else if (bad)
		cfa = ABI_UNWIND_ODD;
	if (cfa == ABI_UNWIND_SIGNAL || cfa == ABI_UNWIND_ODD || cfa == ABI_UNWIND_FIRST)
		return (struct abi_unwind_row){ .how = (uint8_t)cfa };
	if (bp == ABI_UNWIND_BP_SAME || bp == ABI_UNWIND_BP_LOST)
		row.bp = 0;
	row.how = (uint8_t)ABI_UNWIND_HOW(cfa, bp);
	return row;
}
