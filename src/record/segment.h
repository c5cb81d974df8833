/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A segment of a store: an SQLite database in WAL mode, so that it is read while it is written.
 *
 *	sample (id, mono, boot, real, complete, mark)	as in a recording (recording.h); mark:
 *	replay_mark()
 *	packed (sample, size, form, data)	of this sample, and of those behind it up to the
 *	next row: 4 bytes with a length (the lowest first) and so many that delta_put() made; of a
 *	complete one, of nothing before. form: enum pack, and SEGMENT_COLUMNS (columns.h); size:
 *	bytes before they were packed
 *	layout ("table", field, name, kind)	the tables of data and their fields, in their
 *	order; field -1 is the table. kind: enum field_kind, and SEGMENT_LIKE
 *	kept (interval)		one row, once nothing is added any more and all is packed: of so
 *	many nanoseconds one sample is left at most; 0: all are
 *
 * The newest samples have a row each, so that they are read at once and not lost. Then some become
 * one row, a block: in one transaction. In version 5 there was no form: no columns, and packed by
 * zlib, if size is not 0. In version 4 a row was one sample, too, without its length.
 */
#ifndef IOTOP_RECORD_SEGMENT_H
#define IOTOP_RECORD_SEGMENT_H

#include "base/buf.h"
#include "data/sample.h"
#include "record/store_folder.h"

#define SEGMENT_VERSION 6  /* PRAGMA user_version */
#define SEGMENT_OLDEST	4  /* that is still read */
#define SEGMENT_FORMS	6  /* the first that says in which form bytes are */
#define SEGMENT_COLUMNS	4  /* a form of bytes */
#define SEGMENT_LIKE	8  /* a kind of fields: added to what another one counted (struct field) */
#define SEGMENT_WHOLES	96 /* so many samples from a whole one to the next */

/* Whether a file of this version is a segment. */
static inline bool segment_is(int version)
{
	return version >= SEGMENT_OLDEST && version <= SEGMENT_VERSION;
}

enum segment_complete {
	SEGMENT_CHANGES, /* since the sample before */
	SEGMENT_WHOLE,
	SEGMENT_BEGINS, /* whole, and the first after a time in which nobody recorded */
};

struct segment;

/* A new one. */
int segment_create(const struct store_folder *folder, const char *name, struct segment **ret,
		   struct err *err);
int segment_write(struct segment *s, const struct sample *clocks, enum segment_complete complete,
		  unsigned mark, const struct buf *data, struct err *err);
/*
 * What is not packed yet is packed in a thread, after the last sample. True: all is, and
 * segment_close() or segment_end_packed() need not wait for it. Else it is called again.
 */
bool segment_pack(struct segment *s);
/*
 * What is to replace one: nobody reads it before that, and many samples are packed into one row. It
 * has another name until then.
 */
int segment_create_packed(const struct store_folder *folder, const char *name, struct segment **ret,
			  struct err *err);
/*
 * All is in it; interval as in `kept'. The kernel begins to write it, and store_file_replace() may
 * follow. Frees s, also where it fails: then there is none.
 */
int segment_end_packed(struct segment *s, uint64_t interval, struct err *err);
/* It is not wanted. Takes NULL. */
void segment_discard(struct segment *s);
/* A descriptor of its WAL for the caller, to sync it; -1: there is none. */
int segment_open_wal(const struct segment *s);
/* So far, with its WAL. */
uint64_t segment_bytes(const struct segment *s);
/* Nothing is left beside the database, unless somebody reads it just now. Frees s; takes NULL. */
void segment_close(struct segment *s);
/* The same of one whose recorder was killed. */
void segment_finish(const struct store_folder *folder, const char *name);

#endif
