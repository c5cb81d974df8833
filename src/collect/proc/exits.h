/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages that taskstats sends when a task ends. */
#ifndef IOTOP_COLLECT_PROC_EXITS_H
#define IOTOP_COLLECT_PROC_EXITS_H

#include "collect/collector.h"

struct exits;

int exits_open(const struct collect_options *opt, struct exits **ret, struct err *err);
void exits_close(struct exits *e);
int exits_fd(const struct exits *e);
/*
 * Reads what came; to be called whenever the descriptor is readable, so that the times are right
 * and nothing is lost.
 */
void exits_drain(struct exits *e);
/*
 * Rows for the tasks that ended since the last time and at least hold_ns ago, and the loss counter.
 */
void exits_emit(struct exits *e, struct sample *s, uint64_t hold_ns);
const char *exits_cpus(const struct exits *e);

#endif
