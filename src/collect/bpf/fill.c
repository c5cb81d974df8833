// SPDX-License-Identifier: GPL-2.0-or-later
/* Queues of free places, filled by a program that is run for it. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/macro.h"
#include "bpf/abi.h"
#include "collect/bpf/bpf.h"

/* By system calls, one for each. */
static uint32_t fill_singly(const struct bpf_map *queue, uint32_t first, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t place = first + i;

		if (bpf_map_update_elem(bpf_map__fd(queue), NULL, &place, BPF_ANY) != 0)
			return i;
	}
	return n;
}

uint32_t bpf_fill(const struct bpf_object *obj, const char *program, unsigned number,
		  const struct bpf_map *queue, uint32_t first, uint32_t n)
{
	const struct bpf_program *prog = bpf_object__find_program_by_name(obj, program);
	uint32_t done = 0;

	while (done < n && bpf_program__fd(prog) >= 0) {
		uint64_t args[] = { first + done, MIN(n - done, ABI_FILL), number };
		LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));

		if (bpf_prog_test_run_opts(bpf_program__fd(prog), &opts) < 0 || !opts.retval ||
		    opts.retval > args[1])
			break;
		done += opts.retval;
	}
	return done + fill_singly(queue, first + done, n - done);
}
