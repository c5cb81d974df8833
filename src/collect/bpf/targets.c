// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that goes to a place in the kernel's types is of another type for libbpf until the
 * moment in which it is loaded: for it sees by the type that it needs the types.
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
	enum bpf_prog_type type;
	__u32 flags;
	/* Where it goes to a place in the kernel's types; else NULL. */
	int (*find)(const char *name);	/* the number of a type, or a negative errno */
	const char *prefix;	/* of the name in the types */
	enum bpf_attach_type attach;
};

static const struct kind kinds[] = {
	{ "tp_btf/", BPF_PROG_TYPE_TRACING, 0, bpf_host_typedef, "btf_trace_", BPF_TRACE_RAW_TP },
	{ "iter/", BPF_PROG_TYPE_TRACING, 0, bpf_host_function, "bpf_iter_", BPF_TRACE_ITER },
	/* These are only put off. */
	{ .section = "raw_tp+", .type = BPF_PROG_TYPE_RAW_TRACEPOINT },
	{ .section = "syscall", .type = BPF_PROG_TYPE_SYSCALL, .flags = BPF_F_SLEEPABLE },
};

/* Sets what the program is loaded with to its place in the kernel's types. */
static int find_place(struct bpf_program *prog, struct bpf_prog_load_opts *opts,
		      const struct kind *k)
{
	const char *place = strchr(bpf_program__section_name(prog), '/');
	char name[96];
	int id;

	if (!place)
		return -EINVAL;
	snprintf(name, sizeof(name), "%s%s", k->prefix, place + 1);
	id = k->find(name);
	if (id < 0)
		return id;
	opts->attach_btf_id = (__u32)id;
	opts->expected_attach_type = k->attach;
	return bpf_program__set_type(prog, k->type);
}

static int prepare(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long kind)
{
	const struct kind *k = &kinds[kind];
	int r = k->find ? find_place(prog, opts, k) : 0;

	opts->prog_flags |= k->flags;
	return r < 0 ? r : bpf_verify_later(prog, opts);
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
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = prepare);

	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !done; i++) {
		opts.cookie = (long)i;
		/* A raw tracepoint is attached by its name (hooks.c). */
		opts.prog_attach_fn = kinds[i].find ? attach : NULL;
		libbpf_register_prog_handler(kinds[i].section,
					     kinds[i].find ? BPF_PROG_TYPE_RAW_TRACEPOINT
							   : kinds[i].type,
					     kinds[i].attach, &opts);
	}
	done = true;
}
