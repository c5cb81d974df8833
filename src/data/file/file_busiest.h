/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where there are too many files, those with most to show have rows of their own; what the others
 * have is in the row [other files] of their process. Private to the files of this folder.
 */
#ifndef IOTOP_DATA_FILE_FILE_BUSIEST_H
#define IOTOP_DATA_FILE_FILE_BUSIEST_H

#include "data/file/file_state.h"

#define FILES_MOST 8192u	/* kept from one sample to the next */
#define FILES_AT_ONCE 16384u	/* while a sample is counted */

/* One more row of the sample that will be charged, and how much it has. of: its counters. */
void file_busy_add(struct file_busy_list *list, uint64_t weight, const void *row, void *of);
/* Where not all of them can have an entry: those with most first. */
void file_busy_sort(struct file_busy_list *list, const struct counter_table *files);
void file_busy_release(struct file_busy_list *list);
/* The entry of a key, or of what has none of its own. */
struct file_entry *file_entry_of(struct counter_table *files, const struct file_key *key);
/* At the end of a tick: what is beyond FILES_MOST goes on in the rows of the others. */
void file_busiest_keep(struct counter_table *files);

#endif
