/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample: the raw counters of one moment, as the collectors read them. Collectors only add rows;
 * nothing is computed here. Once sealed it is const for everyone. It is what a recording holds, and
 * all that the model ever sees, live or replayed.
 *
 * What is fetched later, because somebody wants to read it (command lines, names of stacks), are
 * rows of the late tables. They are in another struct sample, called `late`, that has no other rows
 * and is open until it is recorded.
 *
 * A sample is a set of tables; each table has a row struct in sample_row.h and a description of its
 * fields in sample_tables.c. Recording and replay walk these descriptions, so a new counter is one
 * member of the row and one line of the description.
 */
#ifndef IOTOP_DATA_SAMPLE_H
#define IOTOP_DATA_SAMPLE_H

#include <stdbool.h>

#include "base/arena.h"
#include "data/sample_event.h"
#include "data/sample_row.h"
#include "data/source.h"

enum sample_table {
	TABLE_SYSTEM,
	TABLE_SOURCE,
	TABLE_LOSS,
	TABLE_TASK,
	TABLE_IO,
	TABLE_OWNER,
	TABLE_DISK,
	TABLE_DISKOP,
	TABLE_DISKLOAD,
	TABLE_USER,
	TABLE_CGROUP,
	TABLE_CMDLINE,
	TABLE_FILE,
	TABLE_STACKIO,
	TABLE_FRAMES,
	TABLE_LAYER,
	TABLE_CALLER,
	TABLE_OFFCPU,
	TABLE_MOUNT,
	TABLE_MEMORY,
	TABLE_DIRTY,
	TABLE_EVENT,
	TABLE_EVENTLOG,
	TABLE_GROUPDISK,
	TABLE_COUNT,
};

enum field_kind {
	FIELD_U32,
	FIELD_U64,
	FIELD_I64,
	FIELD_STR,
	FIELD_BLOB,
};

/* What a value says of the time between two samples. */
enum field_sense {
	FIELD_NOW,		/* how it is: nothing */
	FIELD_COUNTS,		/* how much there was so far: that it grew by so much */
	FIELD_SINCE,		/* how it was since the sample before: a maximum, a limit */
};

struct field {
	const char *name;	/* column of the recording */
	enum field_kind kind;
	enum field_sense sense;
	unsigned like;		/* it mostly counts what the field so many before it counts */
	size_t off;
	uint32_t max;		/* of a FIELD_U32 that is an index or an enum; 0: any. Checked
				 * when a recording is read */
	bool required;		/* of a FIELD_STR: never NULL */
};

struct table_info {
	const char *name;	/* table of the recording */
	size_t size;		/* of a row */
	size_t key;		/* so many bytes at its start are unique in a sample; 0: no key */
	bool late;		/* its rows are fetched after the sample was taken */
	bool now;		/* a row is of what there is now: one that is missing says so */
	bool log;		/* a row is something that happened in between */
	bool drops;		/* a key that was missing from a sample comes back at zero */
	bool begins_visible;	/* a key that comes later does not begin at zero */
	const struct field *fields;
	unsigned nfields;
};

extern const struct table_info sample_tables[TABLE_COUNT];

struct sample_rows {
	void *rows;
	size_t n, cap;
	uint64_t lacks;		/* bit i: field i is not known of any row, and 0; an older recording
				 * does not have it */
};

struct sample {
	struct arena arena;	/* owns the strings and blobs of the rows */
	uint64_t mono;		/* CLOCK_MONOTONIC ns when counting began */
	uint64_t boot;		/* CLOCK_BOOTTIME ns, same moment */
	uint64_t real;		/* CLOCK_REALTIME ns */
	struct sample_rows tables[TABLE_COUNT];
	bool gap;		/* nobody was there to count since the sample before: nothing in
				 * this one is to be compared with it. Only in a replay */
	bool sealed;
	uint64_t counted;	/* while collectors run: when the one that runs read its counters,
				 * CLOCK_MONOTONIC ns; 0: in the middle of the time it takes */
};

struct sample *sample_new(void);
void sample_free(struct sample *s);
/* Empties it for the next round, sealed or not; memory is kept. */
void sample_reset(struct sample *s);
/*
 * All is collected: who adds a row from now on ends the program, in a debug build also who changes
 * one.
 */
void sample_seal(struct sample *s);
/* A zeroed row at the end of a table; valid until the next sample_add() to the same table. */
void *sample_add(struct sample *s, enum sample_table table);
/* A row with its texts, of another sample. */
void *sample_copy_row(struct sample *to, enum sample_table table, const void *row);
/* Rows as they are; texts and histograms stay whose they are. Returns the first of them. */
void *sample_add_rows(struct sample *to, enum sample_table table, const void *rows, size_t n);
/* All of another sample, behind what is there. */
void sample_copy(struct sample *to, const struct sample *from);
/* A raw string (at most n bytes) into the arena; NULL stays NULL. */
const char *sample_str(struct sample *s, const char *str, size_t n);
/* Adds count (may be 0: then the counter exists and shows nothing) to a named loss. */
void sample_lose(struct sample *s, const char *name, uint64_t count);
/*
 * One row a source: where several collectors serve it, the best state stays, of equal ones the
 * first.
 */
void sample_source(struct sample *s, enum source source, enum source_state state,
		   const char *reason);

#define sample_add_row(s, TABLE, type) ((type *)sample_add((s), TABLE_##TABLE))
/* for (const struct sample_task *t; …) over a table */
#define sample_each(s, TABLE, type, it)                          \
	for (type *it = (type *)(s)->tables[TABLE_##TABLE].rows, \
	     *it##_end = it ? it + (s)->tables[TABLE_##TABLE].n : NULL; it < it##_end; it++)

#endif
