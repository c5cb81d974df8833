/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which types the programs of an object refer to: the relocations in its ELF file (CO-RE). */
#ifndef IOTOP_COLLECT_BPF_RELOCATIONS_H
#define IOTOP_COLLECT_BPF_RELOCATIONS_H

#include <stddef.h>

struct btf;

/*
 * Calls back with the name of each; one may come several times. types: of the object. 0, or
 * -ENOEXEC where the file has none.
 */
int relocations_each(const void *elf, size_t size, const struct btf *types,
		     void (*each)(void *arg, const char *name), void *arg);

#endif
