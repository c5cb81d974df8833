/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of a replay: replay_file.c opens and checks a file, replay_rows.c and replay_packed.c
 * read it, replay_store.c has the files of a store.
 */
#ifndef IOTOP_RECORD_REPLAY_H
#define IOTOP_RECORD_REPLAY_H

#include <sqlite3.h>

#include "base/buf.h"
#include "collect/collect.h"
#include "record/delta.h"
#include "record/sqlite_guard.h"
#include "record/store_folder.h"

#define PACKED_MAX (64 << 20)	/* bytes of a sample in a segment */

/* A table of ours and what of it the file has. */
struct reader {
	sqlite3_stmt *stmt;		/* NULL: the file has no such table */
	const struct field *fields[64];	/* in the order of the statement's columns */
	int nfields;
};

/* One of the samples of the file. */
struct moment {
	int64_t id;
	uint64_t real;			/* CLOCK_REALTIME ns */
	uint32_t file;			/* of a store: index */
	uint8_t mark;			/* replay_mark() */
	bool gap;			/* as in struct sample */
	bool complete;			/* begins anew: nothing is taken from the sample before */
	bool same;			/* the sample of the moment before stands for it, too */
};

struct replay {
	char *path;			/* of the file that is open */
	char *whole_path;		/* of the file or the store */
	struct guard *guard;		/* the files that SQLite may touch for db */
	sqlite3 *db;
	uint64_t deadline;		/* of what SQLite does now, clock_mono(); 0: none */
	int patience;			/* ms to wait for who writes the file just now */
	sqlite3_stmt *sample;
	struct moment *moments;		/* in order */
	size_t n, cap, next;
	struct sample *state;		/* as of the sample before at, all rows */
	struct sample *news;		/* what one sample has, and the state that is being made */
	struct sample *spare;
	struct arena texts;		/* of state and spare, in a segment */
	size_t at;			/* the moment that may be added to state; 0: state is
					 * empty */
	size_t all;			/* samples of the file; n may be limited */
	bool cut;			/* the recorder did not end it */
	int version;			/* of its format */
	bool no_cache;			/* its layers are numbered without LAYER_CACHE */
	bool *gone;			/* of the rows of news' table that is being read */
	size_t capgone;
	struct reader tables[TABLE_COUNT];
	/* Of a segment: what its samples are made of. NULL: they are rows of tables. */
	sqlite3_stmt *packed;
	struct delta_layout layout;
	struct replay_chunk {
		struct buf bytes;	/* of the samples of one row, unpacked */
		int64_t first;		/* the first of them; 0: nothing was read */
		int64_t next;		/* the one that begins at `at' */
		size_t at;
	} chunk;
	/* Of a store; n is 0 of a recording. */
	struct store_folder folder;
	struct store_list files;
	size_t file;			/* the one that is open, SIZE_MAX: none is */
	bool ends;			/* what comes after it was opened is not wanted */
	struct buf notes;		/* lines: what was left out */
	bool host_known;		/* it was said whose it is */
};

/* Says that the file is not what it should be. */
int replay_damaged(const struct replay *r, const char *what, struct err *err);
/* Says what SQLite failed with. */
int replay_failed(const struct replay *r, struct err *err);

/* Opens a file that the guard (taken over) lets through, up to where its samples are listed. */
int replay_open_file(struct replay *r, struct guard *guard, const char *path, struct err *err);
/* Looks for damage for a short time. Damage elsewhere is an error when it is read. */
int replay_check_pages(struct replay *r, struct err *err);
/* The statements of a file whose samples are rows of tables. */
int replay_prepare_tables(struct replay *r, struct err *err);
/* Adds its samples behind one to the moments; SAMPLES_ALL: all. */
#define SAMPLES_ALL INT64_MIN
int replay_list_samples(struct replay *r, int64_t behind, struct err *err);
void replay_close_file(struct replay *r);

/* As replay_next(), without leaving out what stands for the same. */
int replay_read_next(struct replay *r, struct sample *s, struct sample *late, struct err *err);

/* The statement and the layout of a segment. */
int replay_prepare_packed(struct replay *r, struct err *err);
/* The sample that r->spare becomes from r->state. */
int replay_read_packed(struct replay *r, const struct moment *m, struct err *err);

/* Whether a segment is packed for good, and the interval that was left of it (segment.h, kept). */
bool replay_kept(struct replay *r, uint64_t *ret_interval);
/* Whether all that its rows can hold is known here. */
bool replay_knows_all(const struct replay *r);

/* An empty one, for replay_close(). */
struct replay *replay_alloc(const char *path);
/* One segment of a store, for replay_next(), which tells of all that is damaged. */
int replay_open_segment(const struct store_folder *folder, const char *name, struct replay **ret,
			struct err *err);
/* Opens a store: the segments that can be read, the others are noted. */
int replay_open_store(struct replay *r, struct err *err);
/*
 * The segment of a moment becomes the one that is open; of a recording nothing is done. The moments
 * may be others then.
 */
int replay_choose_file(struct replay *r, uint32_t file, struct err *err);
/* The moments of one more segment. Of one that cannot be read there are none, which is noted. */
void replay_add_segment(struct replay *r, size_t file);
/* Notes where the clock was set back, from one moment on. */
void replay_note_jumps(struct replay *r, size_t from);
/* Says of which machine it is, if not of this one. */
void replay_note_host(struct replay *r, const struct sample *s);
/* What is left of the segment of the next moment cannot be read: notes it, goes on behind it. */
void replay_skip_file(struct replay *r, const struct err *why);

#endif
