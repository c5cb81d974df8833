/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a process sees of the file systems, as a key: the number of its mount namespace, and its
 * root. It is asked of a helper, because reading it waits while the process is in execve(), which
 * waits for the asynchronous I/O that the process asked for.
 */
#ifndef IOTOP_COLLECT_HELPER_VIEW_KEY_H
#define IOTOP_COLLECT_HELPER_VIEW_KEY_H

#include <stdbool.h>
#include <stddef.h>

#define VIEW_KEY 512	/* bytes: "mnt:[4026531841]/root", padded by zeroes, at least one */

struct buf;
struct wire_reader;

/* Of a process of this name in /proc (proc); false: that is not told. May wait. */
bool view_key_read(const char *proc, const char *process, char key[VIEW_KEY]);

/* Serves MESSAGE_VIEW, in the opener. 0, or -EPROTO. */
int view_key_serve(const char *proc, struct wire_reader *r, struct buf *out);
/* What was answered (NULL: nothing); false: it is not told. */
bool view_key_answer(const void *data, size_t len, char key[VIEW_KEY]);

#endif
