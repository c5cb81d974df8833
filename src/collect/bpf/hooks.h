/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of a collector and the points of the kernel they go to: which fit this kernel, which
 * were refused and why, attach and detach by what is wanted.
 */
#ifndef IOTOP_COLLECT_BPF_HOOKS_H
#define IOTOP_COLLECT_BPF_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/bpf/bpf.h"

struct bpf_link;
struct probe_list;

/*
 * A program and the tracepoint it goes to. Constant tables; of several forms of one point, one fits
 * the kernel. The newest is first: a kernel whose form is none of them gets it.
 */
struct bpf_hook {
	const char *program;
	const char *point;	/* NULL: no tracepoint (an iterator) */
	const char *was;	/* another point that this one stands for on some kernels */
	int args;		/* how many arguments the tracepoint has where this program fits;
				 * 0: any number */
	const char *first;	/* the struct that the first of them points to, where it is
				 * needed to tell forms apart; else NULL */
	unsigned needs;		/* enum source bits it is attached for; 0: always */
	bool optional;		/* the collector works without */
	bool covered;		/* another program stands in where the kernel does not run it for
				 * running already */
	/*
	 * The kernel functions it needs (bpf_calls.h), NULL at the end. A program that has some and
	 * no point is run by ourselves, never attached and not missed.
	 */
	const char *const *calls;
	bool raw;		/* a raw tracepoint that may be in a module: tried again as long
				 * as it is not there, and not missed */
	const char *instead;	/* an event of tracefs, where this other program was refused */
};

#define BPF_HOOKS_MAX 32
/* Why a program of a module's tracepoint was refused. */
#define BPF_HOOK_NO_TYPES \
	"the types of its module are not there (not loaded, or without CAP_SYS_ADMIN)"

struct bpf_hooks {
	const struct bpf_hook *table;
	unsigned n;
	struct {
		struct bpf_link *link;
		bool refused;	/* by the verifier, or at attaching */
		bool spare;	/* the one that it is instead of was not refused */
		int unknown_args;	/* not 0: what the kernel has, which is no form that is
					 * known */
		char why[96];	/* empty: it can be used */
	} state[BPF_HOOKS_MAX];
};

void bpf_hooks_init(struct bpf_hooks *h, const struct bpf_hook *table, unsigned n);
/*
 * Before loading: switches off the programs that do not fit. -errno when one that is not optional
 * has nothing to go to.
 */
int bpf_hooks_choose(struct bpf_hooks *h, struct bpf_object *obj, struct err *err);
/*
 * After loading failed with error r: true when a program that can be done without was the reason;
 * it is marked, and the caller opens the object again and retries. Otherwise err has the reason.
 */
bool bpf_hooks_retry(struct bpf_hooks *h, int r, struct err *err);
/* Attaches what `sources` (enum source bits) needs and detaches the rest. */
int bpf_hooks_attach(struct bpf_hooks *h, struct bpf_object *obj, unsigned sources,
		     struct err *err);
void bpf_hooks_detach(struct bpf_hooks *h);
/* Whether a program that we run ourselves is loaded. */
bool bpf_hooks_can_call(const struct bpf_hooks *h, unsigned i);
/* Before choosing: this one is not wanted here. */
void bpf_hooks_refuse(struct bpf_hooks *h, unsigned i, const char *why);
void bpf_hooks_probe(const struct bpf_hooks *h, struct probe_list *list);
/* bpf_program_misses() of all programs that are not covered by another. */
uint64_t bpf_hooks_misses(const struct bpf_hooks *h, const struct bpf_object *obj);
/* A sentence on optional programs that are missing, or NULL. */
const char *bpf_hooks_missing(const struct bpf_hooks *h, unsigned sources, char *out, size_t size);

#endif
