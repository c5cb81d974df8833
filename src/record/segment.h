/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A segment of a store: an SQLite database in WAL mode, so that it is read while it is written.
 *
 *	sample (id, mono, boot, real, complete, mark)	as in a recording (recording.h); mark:
 *	replay_mark()
 *	packed (sample, size, data)	what delta_put() makes of it; of a complete one, of
 *	nothing before. size: bytes before zlib's compress2(); 0: they are as they were
 *	layout ("table", field, name, kind)	the tables of data and their fields, in their
 *	order; field -1 is the table
 */
#ifndef IOTOP_RECORD_SEGMENT_H
#define IOTOP_RECORD_SEGMENT_H

#include "base/buf.h"
#include "data/sample.h"
#include "record/store_folder.h"

#define SEGMENT_VERSION 4 /* PRAGMA user_version */

enum segment_complete {
	SEGMENT_CHANGES, /* since the sample before */
	SEGMENT_WHOLE,
	SEGMENT_BEGINS, /* whole, and the first after a time in which nobody recorded */
};

struct segment;

/* A new one; path is that of the folder, for messages. */
int segment_create(const struct store_folder *folder, const char *name, struct segment **ret,
		   struct err *err);
int segment_write(struct segment *s, const struct sample *clocks, enum segment_complete complete,
		  unsigned mark, const struct buf *data, struct err *err);
/* So far, with its WAL. */
uint64_t segment_bytes(const struct segment *s);
/* Nothing is left beside the database, unless somebody reads it just now. Frees s; takes NULL. */
void segment_close(struct segment *s);
/* The same of one whose recorder was killed. */
void segment_finish(const struct store_folder *folder, const char *name);

#endif
