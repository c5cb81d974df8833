// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording, or a store, and where one is in it. */
#include "record/replay.h"

#include <stdlib.h>

#include "record/recording_files.h"
#include "record/segment.h"

static int open_recording(struct replay *r, struct err *err)
{
	struct guard *guard;
	int result = recording_open(r->whole_path, &guard, err);

	if (result == 0)
		result = replay_open_file(r, guard, r->whole_path, err);
	if (result == 0)
		result = replay_check_pages(r, err);
	if (result == 0)
		result = replay_list_samples(r, SAMPLES_ALL, err);
	if (result < 0)
		return result;
	return segment_is(r->version) ? replay_prepare_packed(r, err)
					     : replay_prepare_tables(r, err);
}

struct replay *replay_alloc(const char *path)
{
	struct replay *r = mem_zalloc(sizeof(*r));

	r->whole_path = mem_strdup(path);
	r->patience = 1000;
	r->state = sample_new();
	r->news = sample_new();
	r->spare = sample_new();
	arena_init(&r->texts);
	r->folder.fd = -1;
	return r;
}

static int replay_new(const char *path, int (*open)(struct replay *, struct err *),
		      struct replay **ret, struct err *err)
{
	struct replay *r = replay_alloc(path);
	int result = open(r, err);

	if (result < 0)
		replay_close(r);
	else
		*ret = r;
	return result;
}

int replay_open(const char *path, struct replay **ret, struct err *err)
{
	return replay_new(path, open_recording, ret, err);
}

int replay_open_folder(const char *path, struct replay **ret, struct err *err)
{
	return replay_new(path, replay_open_store, ret, err);
}

void replay_close(struct replay *r)
{
	if (!r)
		return;
	replay_close_file(r);
	if (r->folder.fd >= 0)
		store_folder_close(&r->folder);
	store_list_release(&r->files);
	buf_release(&r->notes);
	buf_release(&r->chunk.bytes);
	free(r->moments);
	free(r->gone);
	sample_free(r->state);
	sample_free(r->news);
	sample_free(r->spare);
	arena_release(&r->texts);
	free(r->path);
	free(r->whole_path);
	free(r);
}

bool replay_is_cut(const struct replay *r)
{
	return r->cut && r->n == r->all;
}

size_t replay_count(const struct replay *r)
{
	return r->n;
}

uint64_t replay_time(const struct replay *r, size_t n)
{
	return r->moments[n].real;
}

unsigned replay_mark(const struct replay *r, size_t n)
{
	return r->moments[n].mark;
}

size_t replay_left(const struct replay *r)
{
	return r->n - r->next;
}

bool replay_at_gap(const struct replay *r)
{
	return r->next < r->n && r->moments[r->next].gap;
}

bool replay_is_store(const struct replay *r)
{
	return r->files.n > 0;
}

int replay_read(struct replay *r, size_t n, struct sample *s, struct sample *late, struct err *err)
{
	size_t before = r->next;
	int result;

	r->next = n;
	result = replay_read_next(r, s, late, err);
	r->next = before;
	return result;
}

size_t replay_at(const struct replay *r)
{
	return r->next;
}

void replay_seek(struct replay *r, size_t n)
{
	r->next = MIN(n, r->n);
}

void replay_notes(struct replay *r, struct buf *out)
{
	if (r->notes.len)
		buf_puts(out, r->notes.data);
	buf_reset(&r->notes);
}
