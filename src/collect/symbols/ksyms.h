/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of kernel addresses, from /proc/kallsyms. */
#ifndef IOTOP_COLLECT_SYMBOLS_KSYMS_H
#define IOTOP_COLLECT_SYMBOLS_KSYMS_H

#include <stdint.h>

#include "base/err.h"
#include "base/offload.h"

struct ksyms;

/*
 * proc: "/proc", or a frozen tree. -EPERM when the kernel hides the addresses
 * (kernel.kptr_restrict).
 */
int ksyms_open(const char *proc, struct ksyms **ret, struct err *err);
void ksyms_close(struct ksyms *k);
/*
 * The function an address lies in and the module it is of (NULL: the kernel itself); NULL when
 * there is none. Both live as long as k, or until an address is unknown: then the list is read
 * again (a module was loaded), not more than once in 5 s.
 */
const char *ksyms_name(struct ksyms *k, uint64_t address, const char **ret_module);

/*
 * Read in a thread meanwhile, or when they are wanted first: the kernel takes tens of ms to write
 * them. Begins zeroed, with proc, which is borrowed.
 */
struct ksyms_read {
	const char *proc;
	struct ksyms *syms;	/* NULL: not read yet, or err says why they cannot be */
	struct err err;
	struct offload thread;
	bool running, done;
};

void ksyms_read_begin(struct ksyms_read *r);
/* Waits for it; NULL: see err. */
struct ksyms *ksyms_read_wait(struct ksyms_read *r);
void ksyms_read_end(struct ksyms_read *r);

enum ksyms_tracing {
	KSYMS_TRACED,	/* no part of the tracing */
	KSYMS_DETOUR,	/* by which a program is called, or the function that it looks at */
	KSYMS_PROGRAM,	/* the program that takes a stack, or what calls it alone */
};

/* What a function has to do with tracing programs, by its name. */
enum ksyms_tracing ksyms_tracing(const char *name);

#endif
