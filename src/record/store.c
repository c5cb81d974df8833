// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/hash.h"
#include "record/delta.h"
#include "record/segment.h"
#include "record/syncer.h"
#include "record/upkeep.h"

#define HOUR (3600 * NSEC_PER_SEC)
/* The oldest segment goes as a whole: none may be more than this part of all. */
#define SHARE 8

struct store {
	struct store_options opt;
	struct store_folder folder;
	int lock;
	struct segment *segment; /* NULL: the next sample begins one */
	char name[STORE_NAME];	 /* of it */
	struct segment *closing; /* the one before, whose last samples are packed; or NULL */
	char closing_name[STORE_NAME];
	uint64_t number;	 /* of the next one */
	uint64_t hour;		 /* of the segment, since the epoch */
	unsigned samples;	 /* since the last whole one */
	bool begun;		 /* this process wrote a sample */
	bool whole;		 /* the one before is not there to be compared with */
	struct sample *state[2]; /* as written last, and as it is now */
	struct buf bytes;
	struct upkeep *upkeep;
	struct syncer *syncer;
};

/*
 * The number of the next segment. What a recorder left empty is removed soon: the number of that is
 * free, for one that is left out is told as missing.
 */
static int find_number(struct store *st, struct err *err)
{
	struct store_list l;
	int r = store_folder_list(&st->folder, &l, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < l.n; i++)
		if (l.files[i].bytes)
			st->number = l.files[i].number + 1;
	store_list_release(&l);
	return r;
}

int store_open(const struct store_options *opt, struct store **ret, struct err *err)
{
	struct store *st = mem_zalloc(sizeof(*st));
	int r = store_folder_open(opt->path, true, &st->folder, err);

	if (r < 0) {
		free(st);
		return r;
	}
	st->opt = *opt;
	st->lock = store_folder_lock(&st->folder, err);
	r = st->lock < 0 ? st->lock : find_number(st, err);
	if (r < 0) {
		fd_close(st->lock);
		store_folder_close(&st->folder);
		free(st);
		return r;
	}
	store_folder_clean(&st->folder);
	st->upkeep = upkeep_new(&st->folder, opt);
	upkeep_look(st->upkeep, 0, NULL, NULL);
	st->syncer = syncer_new();
	st->state[0] = sample_new();
	st->state[1] = sample_new();
	*ret = st;
	return 0;
}

void store_set_options(struct store *st, const struct store_options *opt)
{
	st->opt = *opt;
	upkeep_set_options(st->upkeep, opt);
}

void store_close(struct store *st)
{
	if (!st)
		return;
	upkeep_free(st->upkeep);
	syncer_free(st->syncer);
	segment_close(st->closing);
	segment_close(st->segment);
	sample_free(st->state[0]);
	sample_free(st->state[1]);
	buf_release(&st->bytes);
	close(st->lock);
	store_folder_close(&st->folder);
	free(st);
}

/* Each key once: the first row that has it. */
static void take_table(struct sample *to, const struct sample *from, enum sample_table table)
{
	const struct table_info *info = &sample_tables[table];
	const struct sample_rows *rows = &from->tables[table];
	struct hash keys;

	to->tables[table].lacks = rows->lacks;
	hash_init(&keys, 0, info->key);
	for (size_t i = 0; i < rows->n; i++) {
		char *row = (char *)rows->rows + i * info->size;

		if (info->key && hash_get(&keys, row))
			continue;
		if (info->key)
			hash_put(&keys, row);
		sample_copy_row(to, table, row);
	}
	hash_release(&keys);
}

static void take(struct sample *to, const struct sample *s, const struct sample *late)
{
	sample_reset(to);
	to->mono = s->mono;
	to->boot = s->boot;
	to->real = s->real;
	for (size_t i = 0; i < TABLE_COUNT; i++)
		take_table(to, sample_tables[i].late ? late : s, (enum sample_table)i);
}

static void end_segment(struct store *st)
{
	if (!st->segment)
		return;
	segment_close(st->closing);
	st->closing = st->segment;
	st->segment = NULL;
	snprintf(st->closing_name, sizeof(st->closing_name), "%s", st->name);
}

/* It is closed when that waits for no packing. */
static void close_packed(struct store *st)
{
	if (!st->closing || !segment_pack(st->closing))
		return;
	segment_close(st->closing);
	st->closing = NULL;
}

/* The segment of this sample. The clock may have been set: then one begins, too. */
static int choose_segment(struct store *st, uint64_t real, struct err *err)
{
	int r;

	if (st->segment && st->hour == real / HOUR)
		return 0;
	end_segment(st);
	st->whole = true;
	store_file_name(st->name, sizeof(st->name), st->number, real);
	r = segment_create(&st->folder, st->name, &st->segment, err);
	if (r < 0)
		return r;
	syncer_set_file(st->syncer, segment_open_wal(st->segment));
	st->number++;
	st->hour = real / HOUR;
	return 0;
}

/* Now and then. A large segment ends before its hour. */
static void tidy(struct store *st, uint64_t real)
{
	upkeep_look(st->upkeep, real, st->name, st->closing ? st->closing_name : NULL);
	if (st->opt.max_bytes && segment_bytes(st->segment) > st->opt.max_bytes / SHARE)
		end_segment(st);
}

int store_write(struct store *st, const struct sample *s, const struct sample *late, unsigned mark,
		struct err *err)
{
	struct sample *now = st->state[1], *before = st->state[0];
	int r = choose_segment(st, s->real, err);
	bool whole;

	if (r < 0)
		return r;
	whole = st->whole || st->samples + 1 >= SEGMENT_WHOLES;
	take(now, s, late);
	buf_reset(&st->bytes);
	delta_put(&st->bytes, now, whole ? NULL : before);
	r = segment_write(st->segment, now,
			  !whole      ? SEGMENT_CHANGES
			  : st->begun ? SEGMENT_WHOLE
				      : SEGMENT_BEGINS,
			  mark, &st->bytes, err);
	st->whole = r < 0;
	if (r < 0)
		return r;
	/* A loss of power takes away no more than an interval. */
	syncer_ask(st->syncer);
	st->begun = true;
	st->samples = whole ? 0 : st->samples + 1;
	st->state[0] = now;
	st->state[1] = before;
	close_packed(st);
	if (whole)
		tidy(st, s->real);
	upkeep_slice(st->upkeep);
	return 0;
}
