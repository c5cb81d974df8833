/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The switch kernel.task_delayacct: what it was, what we made of it, and putting it back. */
#ifndef IOTOP_COLLECT_DELAYACCT_H
#define IOTOP_COLLECT_DELAYACCT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/i18n.h"
#include "data/sample.h"

struct collect_options;
struct delayacct;

#define DELAYACCT_OFF N_("kernel.task_delayacct is 0 (^T switches it on)")

struct delayacct *delayacct_new(const struct collect_options *opt);
/* Puts back what was there before any iotop changed it, unless another that did goes on. */
void delayacct_put_back(struct delayacct *d);
/* Puts it back as well. */
void delayacct_free(struct delayacct *d);
int delayacct_set(struct delayacct *d, bool on, struct err *err);
/* Whether an iotop that was killed had left it changed, and it was put back when we came. */
bool delayacct_repaired(const struct delayacct *d);
/* 0, 1; 2: no such switch and always on; -errno. */
int delayacct_get(struct delayacct *d);
/* How the switch is at the moment of a sample: before its collectors run. */
void delayacct_read(struct delayacct *d, uint64_t boot);
/* … and how it was then, as delayacct_get(). */
int delayacct_now(const struct delayacct *d);
/* Tasks that started before this have no delays; CLOCK_BOOTTIME ns. UINT64_MAX: none has. */
uint64_t delayacct_since(const struct delayacct *d);
/* Rows and the source of s say what the switch allows them to. */
void delayacct_fill(struct delayacct *d, struct sample *s);

#endif
