/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running the program of an iterator over all tasks, and reading what it writes. */
#ifndef IOTOP_COLLECT_BPF_ITERATOR_H
#define IOTOP_COLLECT_BPF_ITERATOR_H

#include <stddef.h>

struct bpf_link;

/*
 * Runs it once to its end. each(arg, record) gets every record it writes; buffer: room for n of
 * them, each of so many bytes. Where it writes nothing, each may be NULL and n 0. 0 or -errno.
 */
int bpf_iterator_run(const struct bpf_link *link, void *buffer, size_t record_size, size_t n,
		     void (*each)(void *arg, const void *record), void *arg);

#endif
