/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as DWARF has them: *at moves on, never beyond end, and is set to NULL where the number
 * would. NULL stays NULL.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_LEB_H
#define IOTOP_COLLECT_SYMBOLS_LEB_H

#include <stdint.h>

uint64_t leb_unsigned(const uint8_t **at, const uint8_t *end);
int64_t leb_signed(const uint8_t **at, const uint8_t *end);
/* n bytes, at most eight, the lowest first. */
uint64_t leb_bytes(const uint8_t **at, const uint8_t *end, unsigned n);

#endif
