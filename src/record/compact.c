// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/compact.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "record/delta.h"
#include "record/thinner.h"
#include "record/replay.h"
#include "record/segment.h"

#define LEAST	4  /* samples in a slice: each is read three times until it is old */
#define PACKING 5  /* slices that a thread has to pack the last samples */
#define WRITING 10 /* slices that the kernel has to write what was made */

struct compact {
	const struct store_folder *folder;
	char name[STORE_NAME]; /* while it is made */
	uint64_t interval;
	struct replay *from;
	struct segment *to;	 /* NULL: it was ended */
	bool packing;		 /* the last sample is in it */
	unsigned waiting;	 /* slices since then, or since it was ended */
	struct thinner *thinner; /* NULL: all samples are left */
	struct sample *s;	 /* as it was read */
	struct sample *put;	 /* as it was put last */
	unsigned samples;	 /* since the last whole one */
	bool begun;		 /* there was one */
	struct buf bytes;
};

static int put(void *arg, const struct sample *s, unsigned mark, struct err *err)
{
	struct compact *c = arg;
	bool whole = !c->begun || s->gap || ++c->samples >= SEGMENT_WHOLES;
	int r;

	buf_reset(&c->bytes);
	delta_put(&c->bytes, s, whole ? NULL : c->put);
	r = segment_write(c->to, s,
			  s->gap  ? SEGMENT_BEGINS
			  : whole ? SEGMENT_WHOLE
				  : SEGMENT_CHANGES,
			  mark, &c->bytes, err);
	c->begun = true;
	if (whole)
		c->samples = 0;
	sample_reset(c->put);
	sample_copy(c->put, s);
	return r;
}

int compact_begin(const struct store_folder *folder, const char *name, uint64_t interval,
		  struct compact **ret, struct err *err)
{
	struct compact *c = mem_zalloc(sizeof(*c));
	uint64_t kept;
	int r = replay_open_segment(folder, name, &c->from, err);

	if (r == 0 &&
	    (!replay_knows_all(c->from) || (replay_kept(c->from, &kept) && kept >= interval))) {
		replay_close(c->from);
		r = -EINVAL;
	}
	if (r < 0) {
		free(c);
		return 0;
	}
	c->folder = folder;
	snprintf(c->name, sizeof(c->name), "%s" STORE_UNFINISHED, name);
	c->interval = interval;
	c->s = sample_new();
	c->put = sample_new();
	if (interval)
		c->thinner = thinner_new(&(struct thinner_options){ interval, put, c });
	r = segment_create_packed(folder, name, &c->to, err);
	if (r < 0) {
		compact_free(c);
		return r;
	}
	*ret = c;
	return 1;
}

static int end(struct compact *c, struct err *err)
{
	int r = c->thinner ? thinner_end(c->thinner, err) : 0;

	if (r < 0)
		return r;
	c->packing = true;
	return 1;
}

static int end_segment(struct compact *c, struct err *err)
{
	struct segment *to = c->to;
	int r;

	segment_pack(to);
	if (++c->waiting <= PACKING)
		return 1;
	c->waiting = 0;
	c->to = NULL;
	r = segment_end_packed(to, c->interval, err);
	return r < 0 ? r : 1;
}

/* One sample. */
static int next(struct compact *c, struct err *err)
{
	unsigned mark = c->from->next < c->from->n ? replay_mark(c->from, c->from->next) : 0;
	int r;

	sample_reset(c->s);
	r = replay_next(c->from, c->s, c->s, err);
	if (r < 0)
		return r;
	if (r == 0)
		return end(c, err);
	r = c->thinner ? thinner_add(c->thinner, c->s, mark, err) : put(c, c->s, mark, err);
	return r < 0 ? r : 1;
}

int compact_step(struct compact *c, uint64_t until, struct err *err)
{
	int r = 1;

	if (!c->to && ++c->waiting > WRITING)
		return store_file_replace(c->folder, c->name, err);
	if (c->packing && c->to)
		return end_segment(c, err);
	for (unsigned i = 0; r > 0 && !c->packing && (i < LEAST || clock_mono() < until); i++)
		r = next(c, err);
	return r;
}

void compact_free(struct compact *c)
{
	if (!c)
		return;
	segment_discard(c->to);
	/* Where it took the place of the other, there is none of this name. */
	store_file_remove(c->folder, c->name);
	replay_close(c->from);
	thinner_free(c->thinner);
	sample_free(c->s);
	sample_free(c->put);
	buf_release(&c->bytes);
	free(c);
}
