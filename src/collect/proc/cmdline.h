/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines of processes: asked of a helper and kept by task. */
#ifndef IOTOP_COLLECT_PROC_CMDLINE_H
#define IOTOP_COLLECT_PROC_CMDLINE_H

#include "data/sample.h"

struct cmdlines;
struct helper;

/* helper: borrowed; NULL: no command line is known. */
struct cmdlines *cmdlines_new(struct helper *helper);
void cmdlines_free(struct cmdlines *c);
/*
 * Adds the command lines of the processes of these tasks to the sample. Waits until `until`
 * (CLOCK_MONOTONIC ns); what was not answered by then is in a later sample.
 */
void cmdlines_fill(struct cmdlines *c, struct sample *s, const struct task_id *ids, size_t n,
		   uint64_t until);

#endif
