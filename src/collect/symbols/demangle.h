/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of C++, Rust and D as people write them. */
#ifndef IOTOP_COLLECT_SYMBOLS_DEMANGLE_H
#define IOTOP_COLLECT_SYMBOLS_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The readable form of a mangled name into out, without parameters and hashes. False when name is
 * none, or one that does not come to an end within size: then out is undefined.
 */
bool demangle(char *out, size_t size, const char *name);

#endif
