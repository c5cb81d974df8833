// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/cfi_state.h"

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

static enum abi_unwind_cfa cfa_of(const struct cfi_state *s, int16_t *ret)
{
	bool by_sp = s->base == CFI_BASE_REGISTER && s->reg == CFI_REG_RSP;
	int64_t offset = 0;

	*ret = 0;
	if (s->ip.how == CFI_PLACE_GONE)
		return ABI_UNWIND_FIRST;
	if (s->ip.how != CFI_PLACE_CFA || s->ip.offset != -8 || s->moved_sp)
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
	if (s->base == CFI_BASE_REGISTER && s->reg == CFI_REG_RBP)
		return ABI_UNWIND_BP;
	return ABI_UNWIND_ODD;
}

struct abi_unwind_row cfi_state_row(const struct cfi_state *s, bool signal, bool bad)
{
	struct abi_unwind_row row = { .pc = 0 };
	enum abi_unwind_cfa cfa = cfa_of(s, &row.cfa);
	uint8_t bp = saved_bp(s, &row.bp);

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
