/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of numbers and of texts, filled once and then only asked: sorted arrays. All zero is an
 * empty set. Add everything, sort once, then ask.
 */
#ifndef IOTOP_BASE_SET_H
#define IOTOP_BASE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct number_set {
	uint32_t *items;
	size_t n;
};

struct text_set {
	char **items;		/* owned, each from malloc() */
	size_t n;
};

void number_set_add(struct number_set *s, uint32_t number);
/* Also drops what was added twice. */
void number_set_sort(struct number_set *s);
bool number_set_has(const struct number_set *s, uint32_t number);
void number_set_release(struct number_set *s);

/* Copies the text. */
void text_set_add(struct text_set *s, const char *text);
void text_set_sort(struct text_set *s);
bool text_set_has(const struct text_set *s, const char *text);
void text_set_release(struct text_set *s);

#endif
