// SPDX-License-Identifier: GPL-2.0-or-later
/* A store that is written while it is read. */
#include <errno.h>

#include "base/buf.h"
#include "base/i18n.h"
#include "record/replay.h"
#include "record/segment.h"

static void take_moments(struct replay *r, const struct replay *from, uint32_t file)
{
	r->moments = mem_realloc(r->moments, (r->n + from->n) * sizeof(*r->moments));
	r->cap = r->n + from->n;
	for (size_t i = 0; i < from->n; i++) {
		r->moments[r->n] = from->moments[i];
		r->moments[r->n++].file = file;
	}
}

/* What was added to the last segment. What is read is not disturbed: it is opened once more. */
static int look_at_last(struct replay *r, struct err *err)
{
	uint32_t file = (uint32_t)r->files.n - 1;
	bool some = r->n && r->moments[r->n - 1].file == file;
	struct replay *tail = replay_alloc(r->folder.path);
	const char *name = r->files.files[file].name;
	struct guard *guard;
	int result = store_file_open(&r->folder, name, false, false, &guard, err);

	tail->patience = 0;
	if (result == 0)
		result = replay_open_file(tail, guard, name, err);
	if (result == 0 && segment_is(tail->version))
		result = replay_list_samples(tail, some ? r->moments[r->n - 1].id : SAMPLES_ALL,
					     err);
	if (result == 0)
		take_moments(r, tail, file);
	replay_close(tail);
	return result;
}

/* Segments that are newer than the last. */
static void look_for_files(struct replay *r)
{
	struct store_list *old = &r->files, l;
	uint64_t last = old->files[old->n - 1].number;
	struct err err = { "" };
	size_t from;
	int result;

	if (store_folder_list(&r->folder, &l, &err) < 0)
		return;
	for (size_t i = 0; i < l.n; i++) {
		if (l.files[i].number <= last || !l.files[i].bytes)
			continue;
		old->files = mem_realloc(old->files, (old->n + 1) * sizeof(*old->files));
		old->files[old->n++] = l.files[i];
		from = r->n;
		result = look_at_last(r, &err);
		if (result < 0 && result != -EBUSY && result != -ENODATA)
			buf_printf(&r->notes, _("%s: left out\n"), err.text);
		if (r->n > from && l.files[i].number != last + 1)
			r->moments[from].gap = true;
		last = l.files[i].number;
	}
	store_list_release(&l);
}

bool replay_refresh(struct replay *r)
{
	struct err err = { "" };
	size_t before = r->n;

	if (!r->files.n || r->ends)
		return false;
	/* What cannot be read now may be read later. */
	look_at_last(r, &err);
	look_for_files(r);
	replay_note_jumps(r, before);
	return r->n > before;
}

bool replay_is_written(const struct replay *r)
{
	return r->files.n && !r->ends && store_folder_is_written(&r->folder);
}
