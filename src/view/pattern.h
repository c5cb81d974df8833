/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions of filters, case ignored. The texts are other users': each takes a limited
 * number of steps, and all texts of a view a limited time.
 */
#ifndef IOTOP_VIEW_PATTERN_H
#define IOTOP_VIEW_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#define PATTERN_TEXT 1024	/* bytes of a text that are looked at */

struct pattern;

/* 0, or -EINVAL and the reason in why (room for size bytes). */
int pattern_new(const char *text, struct pattern **ret, char *why, size_t size);
/* p may be NULL. */
void pattern_free(struct pattern *p);
/*
 * 1: it matches somewhere in text, 0: nowhere, -1: it is not known, because that took too long.
 * *left: ns that it may take, from which those taken are subtracted; at 0 nothing is looked at any
 * more.
 */
int pattern_search(const struct pattern *p, const char *text, uint64_t *left);

#endif
