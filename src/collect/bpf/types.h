/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's types that an object's programs refer to. libbpf looks through all types of the
 * kernel for each of them (CO-RE), a millisecond each time; of these there are some hundred.
 */
#ifndef IOTOP_COLLECT_BPF_TYPES_H
#define IOTOP_COLLECT_BPF_TYPES_H

#include <stddef.h>

struct bpf_object;
struct btf;

/* A file that libbpf reads as BTF; NULL: no such file can be made or read here. It is empty. */
const char *bpf_types_file(void);
/*
 * Writes those types into the file that the object refers to by its ELF file (elf), which libbpf
 * will read when it loads the object. 0 or -errno.
 */
int bpf_types_write(const struct bpf_object *obj, const void *elf, size_t size, struct btf *kernel);

#endif
