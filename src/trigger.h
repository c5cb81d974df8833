/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --when: while a condition is true, and --keep longer, the sources are on that cost much, and when
 * it becomes true the command of --exec is started.
 */
#ifndef IOTOP_TRIGGER_H
#define IOTOP_TRIGGER_H

#include "exec.h"
#include "view/condition.h"

struct trigger;

/* Takes over both; exec may be NULL. trigger_free() by the caller, which takes NULL. */
struct trigger *trigger_new(struct condition *c, uint64_t keep_ns, struct exec *exec);
void trigger_free(struct trigger *t);
/* Sources (enum source bits) for the next sample: what the condition looks at, and what is on. */
unsigned trigger_needs(const struct trigger *t);
/* The condition, clean text, while the sources are on; NULL: they are not. */
const char *trigger_on(const struct trigger *t);
/* A model of each interval. */
void trigger_look(struct trigger *t, const struct model *m);
/* What happened since the last call, in lines. */
void trigger_notes(struct trigger *t, struct buf *out);

#endif
