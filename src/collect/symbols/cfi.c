// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/cfi.h"

#include <string.h>

#include <dwarf.h>

#include "base/arena.h"
#include "collect/symbols/cfi_state.h"
#include "collect/symbols/leb.h"

#define REMEMBERED_MAX 16	/* states that a function may remember at a time */

struct run {
	const struct cfi_program *p;
	struct cfi_rows *rows;
	struct cfi_state now, initial, remembered[REMEMBERED_MAX];
	unsigned depth;
	uint64_t pc;		/* where the state begins */
	const uint8_t *at, *end;
	bool bad;		/* what is left makes no sense */
};

bool cfi_put(struct cfi_rows *rows, uint64_t pc, struct abi_unwind_row row)
{
	if (rows->n >= rows->max)
		return false;
	rows->v = mem_grow(rows->v, rows->n, &rows->cap, sizeof(*rows->v));
	rows->v[rows->n++] = (struct cfi_row){ pc, row };
	return true;
}

/* The state is the one from here up to where it changes. */
static bool put_row(struct run *r)
{
	return cfi_put(r->rows, r->pc,
		       cfi_state_row(r->p->machine, &r->now, r->p->signal, r->bad));
}

static bool advance(struct run *r, uint64_t by)
{
	uint64_t left = r->p->end - r->pc;

	if (!by)
		return true;
	if (!put_row(r))
		return false;
	/* Beyond the function: nothing that follows is of interest. */
	if (r->p->code_factor > left || by > left / r->p->code_factor ||
	    by * r->p->code_factor >= left) {
		r->pc = r->p->end;
		r->at = r->end;
	} else {
		r->pc += by * r->p->code_factor;
	}
	return true;
}

/* DW_OP_breg: a register and an offset. False: the expression begins otherwise. */
static bool op_breg(const uint8_t **at, const uint8_t *end, unsigned reg, int64_t *ret)
{
	if (leb_bytes(at, end, 1) != DW_OP_breg0 + reg || !*at)
		return false;
	*ret = leb_signed(at, end);
	return *at;
}

/* Expressions for the CFA: that of functions which align their stack, and that of the PLT. */
static void cfa_expression(struct run *r, const uint8_t *at, const uint8_t *end)
{
	static const uint8_t plt[] = {
		DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, 0, DW_OP_ge, DW_OP_lit3, DW_OP_shl,
		DW_OP_plus,
	};
	const struct cfi_machine *m = r->p->machine;
	const uint8_t *p = at;

	r->now.base = CFI_BASE_ELSE;
	if (op_breg(&p, end, m->bp, &r->now.offset) && end - p == 1 && *p == DW_OP_deref) {
		r->now.base = CFI_BASE_BP_AT;
		return;
	}
	p = at;
	if (m->elf != EM_X86_64 || !op_breg(&p, end, m->sp, &r->now.offset) || r->now.offset != 8 ||
	    end - p != (ptrdiff_t)sizeof(plt) || memcmp(p, plt, 4) ||
	    memcmp(p + 5, plt + 5, sizeof(plt) - 5) || p[4] < DW_OP_lit0 || p[4] > DW_OP_lit15)
		return;
	r->now.base = CFI_BASE_PLT;
	r->now.offset = p[4] - DW_OP_lit0;
}

/* Stored where an expression says: at BP and an offset, or it is not known here. */
static struct cfi_place place_expression(const struct run *r, const uint8_t *at,
					 const uint8_t *end)
{
	struct cfi_place place = { .how = CFI_PLACE_ELSE };

	if (op_breg(&at, end, r->p->machine->bp, &place.offset) && at == end)
		place.how = CFI_PLACE_BP;
	return place;
}

static void set_place(struct run *r, uint64_t reg, struct cfi_place place)
{
	if (reg == r->p->machine->bp)
		r->now.bp = place;
	else if (reg == r->p->machine->ip)
		r->now.ip = place;
	else if (reg == r->p->machine->sp)
		r->now.moved_sp = place.how != CFI_PLACE_SAME;
}

static void restore(struct run *r, uint64_t reg)
{
	if (reg == r->p->machine->bp)
		r->now.bp = r->initial.bp;
	else if (reg == r->p->machine->ip)
		r->now.ip = r->initial.ip;
	else if (reg == r->p->machine->sp)
		r->now.moved_sp = r->initial.moved_sp;
}

static uint64_t uleb(struct run *r)
{
	return leb_unsigned(&r->at, r->end);
}

/* A block of bytes; *ret_end is its end. */
static const uint8_t *block(struct run *r, const uint8_t **ret_end)
{
	uint64_t n = uleb(r);
	const uint8_t *from = r->at;

	if (!from || n > (uint64_t)(r->end - from)) {
		r->at = NULL;
		*ret_end = NULL;
		return NULL;
	}
	r->at = *ret_end = from + n;
	return from;
}

static int64_t scaled(const struct run *r, int64_t offset)
{
	int64_t v;

	/* What is out of reach fits no row. */
	return __builtin_mul_overflow(offset, r->p->data_factor, &v) ? 1 : v;
}

static void set_cfa(struct run *r, uint64_t reg, int64_t offset)
{
	r->now.base = CFI_BASE_REGISTER;
	r->now.reg = reg;
	r->now.offset = offset;
}

static bool run_address(struct run *r, unsigned op)
{
	uint64_t to;

	switch (op) {
	case DW_CFA_advance_loc1:
		return advance(r, leb_bytes(&r->at, r->end, 1));
	case DW_CFA_advance_loc2:
		return advance(r, leb_bytes(&r->at, r->end, 2));
	case DW_CFA_advance_loc4:
		return advance(r, leb_bytes(&r->at, r->end, 4));
	}
	/* DW_CFA_set_loc of an absolute address; compilers write none. */
	to = (r->p->encoding & 0x7f) == DW_EH_PE_absptr ? leb_bytes(&r->at, r->end, 8) : 0;
	if (to < r->pc || to >= r->p->end)
		r->bad = true;
	if (r->bad || to == r->pc)
		return true;
	if (!put_row(r))
		return false;
	r->pc = to;
	return true;
}

static void run_cfa(struct run *r, unsigned op)
{
	const uint8_t *from, *end;
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = uleb(r);
		set_cfa(r, reg, (int64_t)uleb(r));
		break;
	case DW_CFA_def_cfa_sf:
		reg = uleb(r);
		set_cfa(r, reg, scaled(r, leb_signed(&r->at, r->end)));
		break;
	case DW_CFA_def_cfa_register:
		reg = uleb(r);
		if (r->now.base == CFI_BASE_REGISTER)
			r->now.reg = reg;
		else
			r->bad = true;
		break;
	case DW_CFA_def_cfa_offset:
		r->now.offset = (int64_t)uleb(r);
		r->bad |= r->now.base != CFI_BASE_REGISTER;
		break;
	case DW_CFA_def_cfa_offset_sf:
		r->now.offset = scaled(r, leb_signed(&r->at, r->end));
		r->bad |= r->now.base != CFI_BASE_REGISTER;
		break;
	default:
		from = block(r, &end);
		if (from)
			cfa_expression(r, from, end);
	}
}

static void run_register(struct run *r, unsigned op)
{
	uint64_t reg = uleb(r);
	const uint8_t *from, *end;

	switch (op) {
	case DW_CFA_undefined:
		set_place(r, reg, (struct cfi_place){ CFI_PLACE_GONE, 0 });
		break;
	case DW_CFA_same_value:
		set_place(r, reg, (struct cfi_place){ CFI_PLACE_SAME, 0 });
		break;
	case DW_CFA_restore_extended:
		restore(r, reg);
		break;
	case DW_CFA_offset_extended:
		set_place(r, reg, (struct cfi_place){ CFI_PLACE_CFA, scaled(r, (int64_t)uleb(r)) });
		break;
	case DW_CFA_offset_extended_sf:
		set_place(r, reg, (struct cfi_place){ CFI_PLACE_CFA,
						  scaled(r, leb_signed(&r->at, r->end)) });
		break;
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		from = block(r, &end);
		if (from)
			set_place(r, reg, op == DW_CFA_expression
						  ? place_expression(r, from, end)
						  : (struct cfi_place){ CFI_PLACE_ELSE, 0 });
		break;
	default:
		/* Its value is an address, or in another register. */
		leb_signed(&r->at, r->end);
		set_place(r, reg, (struct cfi_place){ CFI_PLACE_ELSE, 0 });
	}
}

static void run_memory(struct run *r, unsigned op)
{
	if (op == DW_CFA_remember_state && r->depth < REMEMBERED_MAX)
		r->remembered[r->depth++] = r->now;
	else if (op == DW_CFA_restore_state && r->depth)
		r->now = r->remembered[--r->depth];
	else
		r->bad = true;
}

/* One instruction. False: there is no room for its row. */
static bool run_one(struct run *r)
{
	unsigned op = *r->at++;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		return advance(r, op & 0x3f);
	case DW_CFA_offset:
		set_place(r, op & 0x3f, (struct cfi_place){ CFI_PLACE_CFA,
							    scaled(r, (int64_t)uleb(r)) });
		return true;
	case DW_CFA_restore:
		restore(r, op & 0x3f);
		return true;
	}
	/* The number is also the one that says of arm64 that return addresses are signed. */
	if (op == DW_CFA_nop || (op == DW_CFA_GNU_window_save && r->p->machine->linked))
		return true;
	if (op == DW_CFA_GNU_args_size) {
		uleb(r);
	} else if (op >= DW_CFA_set_loc && op <= DW_CFA_advance_loc4) {
		return run_address(r, op);
	} else if (op == DW_CFA_remember_state || op == DW_CFA_restore_state) {
		run_memory(r, op);
	} else if ((op >= DW_CFA_def_cfa && op <= DW_CFA_def_cfa_expression) ||
		   op == DW_CFA_def_cfa_sf || op == DW_CFA_def_cfa_offset_sf) {
		run_cfa(r, op);
	} else if ((op >= DW_CFA_offset_extended && op <= DW_CFA_register) ||
		   (op >= DW_CFA_expression && op <= DW_CFA_val_expression)) {
		run_register(r, op);
	} else {
		r->bad = true;
	}
	return true;
}

static bool run_all(struct run *r, const uint8_t *at, const uint8_t *end)
{
	r->at = at;
	r->end = end;
	while (!r->bad && r->at && r->at < r->end)
		if (!run_one(r))
			return false;
	r->bad |= !r->at;
	return true;
}

bool cfi_run(const struct cfi_program *p, struct cfi_rows *rows)
{
	struct run r = { .p = p, .rows = rows, .pc = p->start };
	size_t before = rows->n;

	r.now.base = CFI_BASE_ELSE;
	r.now.ip.how = p->machine->linked ? CFI_PLACE_SAME : CFI_PLACE_ELSE;
	if (!run_all(&r, p->initial, p->initial_end))
		return false;
	/* What functions share has no addresses. */
	if (rows->n != before) {
		rows->n = before;
		r.bad = true;
	}
	r.pc = p->start;
	r.initial = r.now;
	r.depth = 0;
	if (!r.bad && !run_all(&r, p->own, p->own_end))
		return false;
	return r.pc >= p->end || put_row(&r);
}
