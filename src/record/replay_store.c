// SPDX-License-Identifier: GPL-2.0-or-later
/* A store as one recording: its segments one after the other. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "record/replay.h"
#include "record/segment.h"

/* Of the wall clock: what is set by less is corrected, by more it jumps. */
#define JUMP NSEC_PER_SEC

static int open_segment(struct replay *r, size_t file, struct err *err)
{
	const char *name = r->files.files[file].name;
	struct buf path = { 0 };
	struct guard *guard;
	int result = store_file_open(&r->folder, name, false, false, &guard, err);

	if (result < 0)
		return result;
	buf_printf(&path, "%s/%s", r->folder.path, name);
	r->file = file;
	result = replay_open_file(r, guard, path.data, err);
	buf_release(&path);
	if (result == 0 && !segment_is(r->version))
		result = err_set(err, EINVAL, _("%s is no segment of a store"), r->path);
	return result;
}

static void close_segment(struct replay *r)
{
	replay_close_file(r);
	r->file = SIZE_MAX;
	r->at = 0;
}

/* Numbers go on: a recorder leaves none out. */
static void note_missing(struct replay *r, size_t file)
{
	const struct store_file *f = &r->files.files[file];

	if (file && (uint64_t)f[-1].number + 1 != f->number)
		buf_printf(&r->notes, _("%s: segments are missing before %s\n"), r->whole_path,
			   f->name);
}

void replay_add_segment(struct replay *r, size_t file)
{
	size_t before = r->n;
	struct err err = { "" };
	int result;

	note_missing(r, file);
	result = open_segment(r, file, &err);
	if (result == 0)
		result = replay_list_samples(r, SAMPLES_ALL, &err);
	close_segment(r);
	if (result < 0) {
		r->n = before;
		/* One that was just begun is no loss. */
		if (result != -ENODATA)
			buf_printf(&r->notes, _("%s: left out\n"), err.text);
		return;
	}
	/* Where one is missing, what is counted does not go on. */
	if (before && (uint64_t)r->files.files[r->moments[before - 1].file].number + 1 !=
			      r->files.files[file].number)
		r->moments[before].gap = true;
}

/* Times are those of the clock as it was then. */
void replay_note_jumps(struct replay *r, size_t from_moment)
{
	char from[40], to[40];

	for (size_t i = MAX(from_moment, 1); i < r->n; i++) {
		const struct moment *m = &r->moments[i];

		if (m->real + JUMP >= m[-1].real)
			continue;
		clock_iso(from, sizeof(from), m[-1].real);
		clock_iso(to, sizeof(to), m->real);
		buf_printf(&r->notes, _("%s: the clock was set back from %s to %s\n"),
			   r->whole_path, from, to);
	}
}

int replay_open_store(struct replay *r, struct err *err)
{
	int result = store_folder_open(r->whole_path, false, &r->folder, err);

	if (result == 0)
		result = store_folder_list(&r->folder, &r->files, err);
	if (result < 0)
		return result;
	r->file = SIZE_MAX;
	/* A segment begins and ends when the disk has it: that may be slow. */
	r->patience = 10000;
	for (size_t i = 0; i < r->files.n; i++)
		/* Made a moment ago, or by a recorder that was killed right then. */
		if (r->files.files[i].bytes)
			replay_add_segment(r, i);
	replay_note_jumps(r, 1);
	if (r->n)
		r->moments[0].gap = false;
	if (!r->n)
		return err_set(err, ENODATA, _("%s holds no sample%s%.*s"), r->whole_path,
			       r->notes.len ? ": " : "",
			       (int)strcspn(r->notes.len ? r->notes.data : "", "\n"),
			       r->notes.len ? r->notes.data : "");
	return 0;
}

/*
 * The segment was packed since it was listed, and has fewer samples: each of ours is that which it
 * became a part of.
 */
static int map_moments(struct replay *r, struct err *err)
{
	size_t all = r->n, first = 0, at = all;
	int result = replay_list_samples(r, SAMPLES_ALL, err);
	size_t end = r->n;

	r->n = all;
	if (result < 0)
		return result;
	while (first < all && r->moments[first].file != r->file)
		first++;
	for (size_t i = first; i < all && r->moments[i].file == r->file; i++) {
		struct moment *m = &r->moments[i];
		const struct moment *now = &r->moments[at];

		if (at == end)
			return replay_damaged(r, "sample", err);
		m->same = i > first && m[-1].id == now->id;
		m->id = now->id;
		m->complete = now->complete && !m->same;
		at += m->real == now->real;
	}
	return 0;
}

static int look_again(struct replay *r, struct err *err)
{
	struct store_file *file = &r->files.files[r->file];
	struct stat st;

	if (fstatat(r->folder.fd, file->name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    (st.st_ino == file->inode && st.st_ctim.tv_sec == file->changed.tv_sec &&
	     st.st_ctim.tv_nsec == file->changed.tv_nsec))
		return 0;
	file->inode = st.st_ino;
	file->changed = st.st_ctim;
	return map_moments(r, err);
}

int replay_choose_file(struct replay *r, uint32_t file, struct err *err)
{
	int result;

	if (!r->files.n || r->file == file)
		return 0;
	close_segment(r);
	result = open_segment(r, file, err);
	if (result == 0)
		result = look_again(r, err);
	if (result == 0)
		result = replay_prepare_packed(r, err);
	if (result < 0)
		close_segment(r);
	return result;
}

void replay_note_host(struct replay *r, const struct sample *s)
{
	const struct sample_system *sys = s->tables[TABLE_SYSTEM].rows;
	char here[HOST_NAME_MAX + 1] = "", *host;

	r->host_known = true;
	gethostname(here, HOST_NAME_MAX);
	if (!s->tables[TABLE_SYSTEM].n || !sys->host || !strcmp(sys->host, here))
		return;
	host = utf8_clean_dup(sys->host);
	buf_printf(&r->notes, _("%s is of another machine: %s\n"), r->whole_path, host);
	free(host);
}

void replay_skip_file(struct replay *r, const struct err *why)
{
	uint32_t file = r->moments[r->next].file;

	buf_printf(&r->notes, _("%s: the rest of it is left out\n"), why->text);
	while (r->next < r->n && r->moments[r->next].file == file)
		r->next++;
	if (r->next < r->n)
		r->moments[r->next].gap = true;
	r->at = 0;
}
