// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a program whose unwind table is made, as the instructions of one function, and as a
 * table of Go's linker.
 */
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/macro.h"
#include "collect/symbols/cfi.h"
#include "collect/symbols/cfi_state.h"
#include "collect/symbols/ehframe.h"
#include "collect/symbols/gopcln.h"
#include "fuzz.h"

static void check_row(const struct abi_unwind_row *row)
{
	FUZZ_CHECK(ABI_UNWIND_CFA(row->how) < ABI_UNWIND_CFAS);
	FUZZ_CHECK(ABI_UNWIND_SAVED_BP(row->how) <= ABI_UNWIND_PUT_IN);
}

static void read_program(const uint8_t *data, size_t size, unsigned machine)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct ehframe *e;

	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	if (ehframe_read(fd, machine, &e) == 0) {
		FUZZ_CHECK(e->n && e->loads.n <= ELF_LOADS_MAX);
		FUZZ_CHECK(e->rows[e->n - 1].how == ABI_UNWIND_NONE);
		for (size_t i = 0; i < e->n; i++) {
			check_row(&e->rows[i]);
			FUZZ_CHECK(!i || e->rows[i - 1].pc < e->rows[i].pc);
		}
		ehframe_free(e);
	}
	close(fd);
}

/*
 * The first byte says how long what functions share is, the second the form of addresses, and of
 * which machine they are.
 */
static void run_function(const uint8_t *data, size_t size)
{
	size_t initial = size > 2 ? data[0] % (size - 1) : 0;
	struct cfi_program p = {
		.initial = data + 2, .initial_end = data + 2 + initial,
		.own = data + 2 + initial, .own_end = data + size,
		.start = 4096, .end = 8192, .code_factor = 1, .data_factor = -8,
	};
	struct cfi_rows rows = { .max = 1024 };

	if (size < 3 || 2 + initial > size)
		return;
	p.machine = cfi_machine(data[1] & 128 ? EM_AARCH64 : EM_X86_64);
	p.encoding = data[1] & 127;
	p.signal = data[1] & 64;
	if (cfi_run(&p, &rows))
		FUZZ_CHECK(rows.n);
	for (size_t i = 0; i < rows.n; i++) {
		check_row(&rows.v[i].row);
		FUZZ_CHECK(rows.v[i].pc >= p.start && rows.v[i].pc < p.end);
		FUZZ_CHECK(!i || rows.v[i - 1].pc < rows.v[i].pc);
	}
	free(rows.v);
}

static void run_go(const uint8_t *data, size_t size, unsigned machine)
{
	struct cfi_rows rows = { .max = 1024 };
	uint64_t start, end;
	struct gopcln g;

	for (uint32_t i = 0; gopcln_open(&g, cfi_machine(machine), data, size, 4096) && i < g.n &&
			     i < 64; i++) {
		size_t before = rows.n;

		gopcln_run(&g, i, &start, &end, &rows);
		for (size_t k = before; k < rows.n; k++) {
			check_row(&rows.v[k].row);
			FUZZ_CHECK(rows.v[k].pc - start < end - start);
			FUZZ_CHECK(k == before || rows.v[k - 1].pc < rows.v[k].pc);
		}
	}
	free(rows.v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned machines[] = { EM_X86_64, EM_AARCH64 };

	run_function(data, size);
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		read_program(data, size, machines[i]);
		run_go(data, size, machines[i]);
	}
	return 0;
}
