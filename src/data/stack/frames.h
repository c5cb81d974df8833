/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolved stacks that samples bring once and rows need as long as they are shown. Clean text. */
#ifndef IOTOP_DATA_STACK_FRAMES_H
#define IOTOP_DATA_STACK_FRAMES_H

#include "base/buf.h"
#include "data/entity.h"
#include "data/sample.h"

struct frames {
	uint64_t id;
	uint32_t flags;			/* enum frames_flag */
	size_t n;
	const char *const *items;	/* innermost first */
	const char *const *places;	/* of each file and line, or why it has no name, for people
					 * (English); NULL: not known */
	uint64_t shape;			/* the same for the same names; unknown frames count by
					 * their file only */
};

struct frames_table;

struct frames_table *frames_new(void);
void frames_free(struct frames_table *t);
/* A tick begins: stacks that nobody asked for in a long time are forgotten when there are many. */
void frames_round(struct frames_table *t);
void frames_update(struct frames_table *t, const struct sample *s);
/* NULL: not known (yet). Valid until frames_round(). */
const struct frames *frames_get(struct frames_table *t, uint64_t id);
/*
 * What tells this stack from the others that are known: a few frames, outermost first, the ones
 * that most stacks have left out; "…" stands for outer ones that were not seen, "×3" for three
 * frames of one function. Owned by the table until it is asked for f again, which may find it anew.
 */
const char *frames_brief(struct frames_table *t, const struct frames *f);
/* A name as lists have it: without what templates and generic functions are made for. */
void frames_put_short(struct buf *out, const char *name);
/* What is known of the i-th frame beside its name; "": nothing. */
const char *frames_place(const struct frames *f, size_t i);
/* The file that the i-th frame is in, without its folder, or FRAMES_AT_RUN_TIME; "": not known. */
const char *frames_file(const struct frames *f, size_t i);
/* Why there are no outer frames, for people; NULL: these are all. */
const char *frames_end_text(const struct frames *f);
/*
 * Writes the frames of f (NULL: none), and a mark where some are missing, to steps; returns how
 * many: at most f->n + 1.
 */
size_t frames_steps(struct step *to, const struct frames *f, bool innermost_first);

#endif
