/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A store of stacks with helpers of its own; addresses are those of the test itself. */
#ifndef IOTOP_TESTS_STACK_STORES_H
#define IOTOP_TESTS_STACK_STORES_H

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "bpf/abi.h"
#include "collect/helper/helper.h"
#include "collect/stacks/store.h"
#include "data/sample.h"
#include "unit.h"

static struct helper *helper;
static struct stackstore *store;
static struct sample *sample;
static char folder[64];

static inline void setup(void)
{
	helper = helper_start("/proc", NULL);
	ck_assert_ptr_nonnull(helper);
	store = stackstore_new("/proc", helper);
	sample = sample_new();
	unit_mkdtemp(folder, sizeof(folder));
}

static inline void teardown(void)
{
	stackstore_free(store);
	helper_stop(helper);
	sample_free(sample);
}

void stackstore_inner(void);
void stackstore_outer(void);
void stackstore_inner(void)
{
	__asm__ volatile("nop; nop; nop" : : : "memory");
}

void stackstore_outer(void)
{
	__asm__ volatile("nop; nop; nop; nop" : : : "memory");
}

/* As a program would have taken it: return addresses. */
static inline struct abi_stack user(pid_t pid, unsigned flags)
{
	return (struct abi_stack){
		.tgid = (uint32_t)pid,
		.mm = (uint64_t)pid,
		.n = 2,
		.flags = (uint16_t)(ABI_STACK_USER | flags),
		.ip = { (uintptr_t)stackstore_inner + 1, (uintptr_t)stackstore_outer + 1 },
	};
}

static inline const struct sample_frames *frames(uint64_t id)
{
	sample_reset(sample);
	ck_assert_uint_eq(stackstore_resolve(store, sample, &id, 1, 0), 0);
	ck_assert_uint_eq(sample->tables[TABLE_FRAMES].n, 1);
	return sample->tables[TABLE_FRAMES].rows;
}

/* Without what stands behind them: lines of the source. */
static inline const char *names(uint64_t id)
{
	static char text[1024];
	size_t n = 0;

	for (const char *p = frames(id)->text; *p && n + 1 < sizeof(text); p++) {
		if (*p == '\t')
			p += strcspn(p, "\n");
		if (*p)
			text[n++] = *p;
		else
			break;
	}
	text[n] = '\0';
	return text;
}

#endif
