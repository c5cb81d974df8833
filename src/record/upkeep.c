// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/upkeep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/compact.h"
#include "record/segment.h"

#define SHARE 200		    /* of the time is spent packing: one part of so many */
#define PAUSE (3600 * NSEC_PER_SEC) /* until it is tried again, where there was no room */
#define OWN   UINT8_MAX		    /* a stage: it is being written */

struct upkeep {
	const struct store_folder *folder;
	struct store_options opt;
	struct store_list files; /* but those that are written */
	/* Of each: 0: nothing is known, else one more than the stage it is at (stages[]). */
	uint8_t *stages;
	uint64_t now;		 /* CLOCK_REALTIME ns when it was looked last */
	size_t at;		 /* the file that is looked at next */
	struct compact *compact; /* NULL: none is packed */
	char name[STORE_NAME];	 /* of the one that is packed */
	uint8_t stage;		 /* that it gets to */
	uint64_t slice;		 /* clock_mono() of the last slice */
	uint64_t paused;	 /* clock_mono() until which nothing is packed */
};

struct upkeep *upkeep_new(const struct store_folder *folder, const struct store_options *opt)
{
	struct upkeep *u = mem_zalloc(sizeof(*u));

	u->folder = folder;
	u->opt = *opt;
	u->slice = clock_mono();
	return u;
}

void upkeep_set_options(struct upkeep *u, const struct store_options *opt)
{
	u->opt = *opt;
	u->at = 0;
}

static void stop_packing(struct upkeep *u)
{
	compact_free(u->compact);
	u->compact = NULL;
}

void upkeep_free(struct upkeep *u)
{
	if (!u)
		return;
	stop_packing(u);
	store_list_release(&u->files);
	free(u->stages);
	free(u);
}

/*
 * A segment is as old as the one after it is where it begins. Age counts from the newest sample: a
 * clock that jumps ahead does not empty the store at once, and one that jumps back keeps it.
 */
static uint64_t age_of(const struct store_list *l, size_t i, uint64_t now)
{
	uint64_t end = i + 1 < l->n ? l->files[i + 1].begin : now;

	return end < now ? now - end : 0;
}

static void remove_old(struct upkeep *u, struct store_list *l)
{
	uint64_t bytes = 0;
	size_t gone = 0;

	for (size_t i = 0; i < l->n; i++)
		bytes += l->files[i].bytes;
	for (; gone + 1 < l->n; gone++) {
		bool old = u->opt.retain_ns && age_of(l, gone, u->now) > u->opt.retain_ns;

		if (!old && !(u->opt.max_bytes && bytes > u->opt.max_bytes))
			break;
		if (u->compact && !strcmp(l->files[gone].name, u->name))
			stop_packing(u);
		store_file_remove(u->folder, l->files[gone].name);
		bytes -= l->files[gone].bytes;
	}
	l->n -= gone;
	if (gone)
		memmove(l->files, l->files + gone, l->n * sizeof(*l->files));
}

/* Those that the process before left open, or that somebody read when they were closed. */
static void finish(const struct upkeep *u, struct store_file *file)
{
	if (!file->bytes)
		store_file_remove(u->folder, file->name);
	else if (file->wal)
		segment_finish(u->folder, file->name);
}

/* What is known of a file stays known. */
static void take_list(struct upkeep *u, struct store_list *l)
{
	uint8_t *stages = mem_zalloc(l->n + 1);
	size_t old = 0;

	for (size_t i = 0; i < l->n; i++) {
		while (old < u->files.n && u->files.files[old].number < l->files[i].number)
			old++;
		if (old < u->files.n && u->files.files[old].number == l->files[i].number &&
		    u->stages[old] != OWN)
			stages[i] = u->stages[old];
	}
	free(u->stages);
	u->stages = stages;
	store_list_release(&u->files);
	u->files = *l;
	u->at = 0;
}

static bool is_name(const char *name, const char *of)
{
	return name && !strcmp(name, of);
}

void upkeep_look(struct upkeep *u, uint64_t now, const char *own, const char *closing)
{
	struct store_list l = { 0 };
	struct err err = { "" };

	u->now = now;
	if (store_folder_list(u->folder, &l, &err) < 0)
		return;
	remove_old(u, &l);
	for (size_t i = 0; i < l.n; i++)
		if (!is_name(own, l.files[i].name) && !is_name(closing, l.files[i].name))
			finish(u, &l.files[i]);
	take_list(u, &l);
	if (own && u->files.n && !strcmp(u->files.files[u->files.n - 1].name, own))
		u->stages[u->files.n - 1] = OWN;
}

/* 0: packed; from 1 on: thinned out, the older the more. */
static uint8_t stage_of(const struct upkeep *u, size_t i)
{
	uint64_t age = age_of(&u->files, i, u->now);
	uint8_t stage = 0;

	while (stage < STORE_STAGES && u->opt.stages[stage].after_ns &&
	       age >= u->opt.stages[stage].after_ns)
		stage++;
	return stage;
}

static void set_stage(struct upkeep *u, const char *name, uint8_t stage)
{
	for (size_t i = 0; i < u->files.n; i++)
		if (!strcmp(u->files.files[i].name, name))
			u->stages[i] = stage + 1;
}

static void failed(struct upkeep *u, int code)
{
	if (code == -EINVAL) /* it is damaged: it stays as it is */
		set_stage(u, u->name, u->stage);
	else
		u->paused = clock_mono() + PAUSE;
}

/* The next that is to be packed. One is opened at a time: that takes time, too. */
static void begin(struct upkeep *u)
{
	struct err err = { "" };
	int r;

	for (; u->at < u->files.n; u->at++) {
		const struct store_file *file = &u->files.files[u->at];

		u->stage = stage_of(u, u->at);
		if (u->stages[u->at] <= u->stage && file->bytes && !file->wal)
			break;
	}
	if (u->at == u->files.n)
		return;
	snprintf(u->name, sizeof(u->name), "%s", u->files.files[u->at++].name);
	r = compact_begin(u->folder, u->name,
			  u->stage ? u->opt.stages[u->stage - 1].interval_ns : 0, &u->compact,
			  &err);
	if (r == 0)
		set_stage(u, u->name, u->stage);
	else if (r < 0)
		failed(u, r);
}

void upkeep_slice(struct upkeep *u)
{
	uint64_t now = clock_mono(), budget = (now - u->slice) / SHARE;
	struct err err = { "" };
	int r;

	u->slice = now;
	if (now < u->paused)
		return;
	if (!u->compact) {
		begin(u);
		return;
	}
	r = compact_step(u->compact, now + budget, &err);
	if (r > 0)
		return;
	if (r == 0)
		set_stage(u, u->name, u->stage);
	else
		failed(u, r);
	stop_packing(u);
}
