// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/calls.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/buf.h"
#include "bpf/abi.h"
#include "collect/bpf/bpf.h"

/*
 * Interpreted programs cannot call kernel functions. Where nobody says, they are taken to be
 * interpreted.
 */
static bool compiled(void)
{
	_cleanup_(buf_release) struct buf b = { 0 };

	return buf_read_file(&b, -1, "/proc/sys/net/core/bpf_jit_enable", 16) >= 0 && b.len &&
	       b.data[0] != '0';
}

int bpf_calls_cast(void)
{
	return compiled() ? bpf_host_function("bpf_rdonly_cast") : -ENOENT;
}

/* The number of a type that is cast to, looked up once. */
static uint32_t type_number(unsigned type)
{
	static const char *const names[ABI_TYPES] = {
		[ABI_TYPE_bio] = "bio",
		[ABI_TYPE_request] = "request",
		[ABI_TYPE_folio] = "folio",
		[ABI_TYPE_address_space] = "address_space",
		[ABI_TYPE_task_struct] = "task_struct",
		[ABI_TYPE_kiocb] = "kiocb",
		[ABI_TYPE_bio_vec] = "bio_vec",
		[ABI_TYPE_pt_regs] = "pt_regs",
	};
	static uint32_t numbers[ABI_TYPES];

	if (!numbers[type])
		numbers[type] = bpf_host_struct(names[type]);
	return numbers[type];
}

static void type_bind(struct bpf_insn *insn)
{
	uint32_t type = (uint32_t)insn->imm - ABI_TYPE(0);

	if ((insn->code & ~(BPF_CLASS(0xff))) == (BPF_MOV | BPF_K) &&
	    (BPF_CLASS(insn->code) == BPF_ALU || BPF_CLASS(insn->code) == BPF_ALU64) &&
	    type < ABI_TYPES)
		insn->imm = (int)type_number(type);
}

static void call_bind(struct bpf_insn *insn, int id)
{
	insn->src_reg = BPF_PSEUDO_KFUNC_CALL;
	insn->imm = id;
}

/* Without the function, its first argument. */
static void cast_bind(struct bpf_insn *insn, int id)
{
	if (id > 0)
		call_bind(insn, id);
	else
		*insn = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_X,
					   .dst_reg = BPF_REG_0,
					   .src_reg = BPF_REG_1 };
}

const char *bpf_calls_bind(struct bpf_program *prog, const char *const *names, int cast)
{
	static const char *const none[] = { NULL };
	size_t n = bpf_program__insn_cnt(prog);
	struct bpf_insn *insns = mem_alloc(n * sizeof(*insns));
	const char *missing = NULL;
	int ids[BPF_CALLS_MAX], count = 0;

	memcpy(insns, bpf_program__insns(prog), n * sizeof(*insns));
	for (names = names ? names : none; count < BPF_CALLS_MAX && names[count]; count++) {
		ids[count] = bpf_host_function(names[count]);
		if (ids[count] < 0) {
			missing = names[count];
			break;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (cast > 0)
			type_bind(&insns[i]);
		if (insns[i].code != (BPF_JMP | BPF_CALL) || insns[i].src_reg)
			continue;
		if (insns[i].imm == ABI_CAST)
			cast_bind(&insns[i], cast);
		else if (insns[i].imm >= ABI_CALL(0) && insns[i].imm < ABI_CALL(count))
			call_bind(&insns[i], ids[insns[i].imm - ABI_CALL(0)]);
	}
	if (!missing && bpf_program__set_insns(prog, insns, n) < 0)
		missing = names[0];
	free(insns);
	return missing;
}
