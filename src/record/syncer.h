/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Brings what was written to the disk, in a thread: nobody waits for it. */
#ifndef IOTOP_RECORD_SYNCER_H
#define IOTOP_RECORD_SYNCER_H

struct syncer;

/* NULL: there is no thread, and the kernel writes when it wants to. Then the others do nothing. */
struct syncer *syncer_new(void);
void syncer_free(struct syncer *s);
/* The file from now on; fd is taken over, -1: none. */
void syncer_set_file(struct syncer *s, int fd);
/* All that is in the file by now. While one write is awaited others become one. */
void syncer_ask(struct syncer *s);

#endif
