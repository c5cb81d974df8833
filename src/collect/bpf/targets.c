// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program of this kind is of another type for libbpf until the moment in which it is loaded: for
 * it sees by the type that it needs the kernel's types.
 */
#include "collect/bpf/targets.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/macro.h"
#include "collect/bpf/bpf.h"
#include "collect/bpf/verify.h"

struct kind {
	const char *section;	/* as libbpf_register_prog_handler() has it */
	const char *prefix;	/* of the name in the kernel's types */
	enum bpf_attach_type attach;
	int (*find)(const char *name);	/* the number of a type, or a negative errno */
};

static const struct kind kinds[] = {
	{ "tp_btf/", "btf_trace_", BPF_TRACE_RAW_TP, bpf_host_typedef },
	{ "iter/", "bpf_iter_", BPF_TRACE_ITER, bpf_host_function },
};

static int prepare(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long kind)
{
	const char *place = strchr(bpf_program__section_name(prog), '/');
	char name[96];
	int id;

	if (!place)
		return -EINVAL;
	snprintf(name, sizeof(name), "%s%s", kinds[kind].prefix, place + 1);
	id = kinds[kind].find(name);
	if (id < 0)
		return id;
	opts->attach_btf_id = (__u32)id;
	opts->expected_attach_type = kinds[kind].attach;
	id = bpf_program__set_type(prog, BPF_PROG_TYPE_TRACING);
	return id < 0 ? id : bpf_verify_later(prog, opts);
}

static int attach(const struct bpf_program *prog, long kind, struct bpf_link **ret_link)
{
	*ret_link = kinds[kind].attach == BPF_TRACE_ITER ? bpf_program__attach_iter(prog, NULL)
							 : bpf_program__attach_trace(prog);
	return *ret_link ? 0 : -errno;
}

void bpf_targets_register(void)
{
	static bool done;
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = prepare,
		    .prog_attach_fn = attach);

	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !done; i++) {
		opts.cookie = (long)i;
		libbpf_register_prog_handler(kinds[i].section, BPF_PROG_TYPE_RAW_TRACEPOINT,
					     kinds[i].attach, &opts);
	}
	done = true;
}
