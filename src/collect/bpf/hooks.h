/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hooks: the programs of an object and the tracepoints they are attached to; which of them fit this
 * kernel, which were refused and why.
 */
#ifndef IOTOP_COLLECT_BPF_HOOKS_H
#define IOTOP_COLLECT_BPF_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/bpf/bpf.h"

/*
 * A program and its tracepoint, in constant tables. Of several forms of one tracepoint one fits the
 * kernel. The newest form is first: a kernel with none of the known forms gets it.
 */
struct bpf_hook {
	const char *program;	/* of a raw tracepoint: may be that of several entries */
	const char *point;	/* NULL: no tracepoint (an iterator) */
	const char *was;	/* the point with the same purpose on other kernels */
	int args;		/* how many arguments the tracepoint has where this program fits;
				 * 0: any number */
	const char *first;	/* the struct that the first of them points to, where it is
				 * needed to tell forms apart; else NULL */
	unsigned needs;		/* enum source bits it is attached for; 0: always */
	bool optional;		/* the collector works without */
	bool covered;		/* has a fallback program for events at which it was skipped */
	/*
	 * Kernel functions that it calls (bpf/calls.h), NULL at the end. A program with calls and
	 * without a point is run by ourselves; it is never attached.
	 */
	const char *const *calls;
	bool raw;		/* a raw tracepoint that may be in a module: tried again as long
				 * as it is not there, and not missed */
	bool newer;		/* of newer kernels: not missed where there is no such tracepoint */
	const char *instead;	/* an event of tracefs that replaces this program, if refused */
};

/*
 * The two programs of TWO_FORMS(): for so many arguments and, where the queue is the first, for
 * so many.
 */
#define BPF_TWO_FORMS(name, at, n, with_queue, ...)                                   \
	{ .program = #name, .point = #at, .args = (n), __VA_ARGS__ },                 \
	{ .program = #name "_q", .point = #at, .args = (with_queue),                  \
	  .first = "request_queue", __VA_ARGS__ }

/* A program that we run ourselves and that calls no function. */
#define BPF_RUN(name) \
	{ .program = #name, .calls = (const char *const[]){ NULL }, .optional = true }

#define BPF_HOOKS_MAX 40
/* Why a program of a module's tracepoint was refused. */
#define BPF_HOOK_NO_TYPES \
	"the types of its module are not there (not loaded, or without CAP_SYS_ADMIN)"

struct bpf_hooks {
	const struct bpf_hook *table;
	unsigned n;
	unsigned tries;		/* of attaching what was absent */
	nlink_t modules;	/* directories of /sys/module then; 0: not known */
	struct {
		struct bpf_link *link;
		bool absent;	/* the kernel had no such raw tracepoint */
		bool refused;	/* by the verifier, or at attaching */
		bool spare;	/* not needed: the program it replaces was not refused */
		int unknown_args;	/* not 0: arguments of a form that is not known */
		char why[96];	/* empty: it can be used */
	} state[BPF_HOOKS_MAX];
};

void bpf_hooks_init(struct bpf_hooks *h, const struct bpf_hook *table, unsigned n);
/*
 * Before loading: turns autoload off for programs that do not fit. -errno when a required one has
 * nothing to attach to.
 */
int bpf_hooks_choose(struct bpf_hooks *h, struct bpf_object *obj, struct err *err);
/*
 * After loading failed with error r: true when an optional program was the reason; it is marked,
 * and the object is to be opened and loaded again. Else err has the reason.
 */
bool bpf_hooks_retry(struct bpf_hooks *h, int r, struct err *err);
/* Attaches what `sources` (enum source bits) needs and detaches the rest. */
int bpf_hooks_attach(struct bpf_hooks *h, struct bpf_object *obj, unsigned sources,
		     struct err *err);
void bpf_hooks_detach(struct bpf_hooks *h);
/* Whether a program that we run ourselves is loaded. */
bool bpf_hooks_can_call(const struct bpf_hooks *h, unsigned i);
/* Before choosing: this program is not needed here. */
void bpf_hooks_refuse(struct bpf_hooks *h, unsigned i, const char *why);
void bpf_hooks_probe(const struct bpf_hooks *h, struct probe_list *list);
/* Sum of bpf_program_misses() of all attached programs without a fallback program. */
uint64_t bpf_hooks_misses(const struct bpf_hooks *h, const struct bpf_object *obj);
/* Whether a program is attached. */
bool bpf_hooks_attached(const struct bpf_hooks *h, const char *program);
/* Which optional program is missing and why, or NULL. */
const char *bpf_hooks_missing(const struct bpf_hooks *h, unsigned sources, char *out, size_t size);

#endif
