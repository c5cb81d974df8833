/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the symbols of a stripped file are kept. */
#ifndef IOTOP_COLLECT_DEBUGFILE_H
#define IOTOP_COLLECT_DEBUGFILE_H

#include <libelf.h>

/*
 * The separate debug file of elf, which lies at path: by build id, then by debug link; in root (-1: none), then in ours.
 * A file that does not belong to it (another build id, another checksum) is not taken. A descriptor, or -ENOENT.
 */
int debugfile_open(Elf *elf, int root, const char *path);

#endif
