/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A segment that nothing is added to any more is packed anew: many samples together take less, and
 * of old ones fewer are left (thinner.h). It is made beside the old one, in slices, and takes its
 * place when it is there as a whole.
 */
#ifndef IOTOP_RECORD_COMPACT_H
#define IOTOP_RECORD_COMPACT_H

#include "base/err.h"
#include "record/store_folder.h"

struct compact;

/*
 * interval: ns, of which one sample is to be left at most; 0: all are. 1: begun; 0: it is so
 * already, or holds what a newer iotop knows, or cannot be read: nothing is to be done; -errno: not
 * now. folder is borrowed.
 */
int compact_begin(const struct store_folder *folder, const char *name, uint64_t interval,
		  struct compact **ret, struct err *err);
/*
 * Goes on until clock_mono() is `until', and at least by a few samples. 1: there is more; 0: it is
 * done; -errno. Then compact_free().
 */
int compact_step(struct compact *c, uint64_t until, struct err *err);
/* What is not done is dropped. Takes NULL. */
void compact_free(struct compact *c);

#endif
