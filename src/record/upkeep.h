/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of the segments of a store when they are full: they are closed, packed, thinned out
 * as they get older, and removed. Only the one that is written is left alone.
 */
#ifndef IOTOP_RECORD_UPKEEP_H
#define IOTOP_RECORD_UPKEEP_H

#include "record/store.h"
#include "record/store_folder.h"

struct upkeep;

/* Both are borrowed. upkeep_free() by the caller. */
struct upkeep *upkeep_new(const struct store_folder *folder, const struct store_options *opt);
/* Other times and sizes hold from now on. */
void upkeep_set_options(struct upkeep *u, const struct store_options *opt);
/* What is not done is dropped. Takes NULL. */
void upkeep_free(struct upkeep *u);
/*
 * Now and then: what is too old, or more than there may be, goes, and what a killed recorder left
 * open is closed. now: CLOCK_REALTIME ns; own: name of the segment that is written; closing: of the
 * one before, which its writer closes; NULL: there is none.
 */
void upkeep_look(struct upkeep *u, uint64_t now, const char *own, const char *closing);
/* After each sample: goes on packing for a small part of the time since it was called last. */
void upkeep_slice(struct upkeep *u);

#endif
