/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample as its difference to the sample before: what the memory of the last minutes and the
 * segments of a store are made of. Rows that did not change cost nothing, of the others only the
 * fields that changed are there, as differences.
 */
#ifndef IOTOP_RECORD_DELTA_H
#define IOTOP_RECORD_DELTA_H

#include "base/buf.h"
#include "data/sample.h"

#define DELTA_TABLES 64 /* that a file may have */
#define DELTA_FIELDS 64 /* of a table: the bits of a row */

/* The tables and fields that the bytes hold, in this order. */
struct delta_layout {
	unsigned n;
	bool plain; /* as in version 4 of a segment: rows by their place, differences as they are */
	bool apart; /* as up to version 5: a new row is no difference to the row before it */
	struct delta_table {
		const struct table_info *info; /* NULL: not known here, left out */
		unsigned nfields;
		struct delta_field {
			const struct field *field; /* NULL: likewise */
			enum field_kind kind;
			bool like;   /* they are to be added to what another field counted */
		} fields[DELTA_FIELDS];
	} tables[DELTA_TABLES];
};

/* That of delta_put(). */
void delta_layout_init(struct delta_layout *l);
/*
 * Adds to out what makes s of `before` (NULL: an empty sample). The rows of late tables are in s as
 * well, if they are to be kept.
 */
void delta_put(struct buf *out, const struct sample *s, const struct sample *before);
/*
 * Makes the sample that was put, in the empty `s`, from the one before it. False: the bytes are not
 * what delta_put() wrote, and s is of no use. texts: where texts and histograms are made; those
 * that did not change are those of `before', so it outlives both. NULL: s has its own.
 */
bool delta_get(const char *from, size_t len, const struct delta_layout *layout, struct sample *s,
	       const struct sample *before, struct arena *texts);

#endif
