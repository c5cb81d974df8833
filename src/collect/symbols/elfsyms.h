/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of one ELF file: its symbol table, that of its separate debug file, or what it
 * exports.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_ELFSYMS_H
#define IOTOP_COLLECT_SYMBOLS_ELFSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELFSYMS_ID_MAX 64
#define ELFSYMS_LINK_MAX 256

struct elfsyms;

/* Where the symbols of a stripped file are: by build id, or by the name of a debug link. */
struct elfsyms_debug {
	unsigned char id[ELFSYMS_ID_MAX];
	size_t id_len;			/* bytes; 0: it has none */
	char link[ELFSYMS_LINK_MAX];	/* a name without folders; "": it has none */
	uint32_t crc;			/* of the file that link names */
};

/*
 * Reads the file behind fd (which stays open and the caller's). It is another user's: whatever is
 * wrong in it gives fewer symbols, or -ENOEXEC when it is no ELF file at all, or one that asks for
 * more memory or time than a file may have. *ret_debug: where more symbols are to be had, empty
 * when it has a symbol table.
 */
int elfsyms_read(int fd, struct elfsyms **ret, struct elfsyms_debug *ret_debug);
/* Adds the symbols of the debug file behind fd. -EINVAL: it is not the one that is wanted. */
int elfsyms_add_debug(struct elfsyms *e, const struct elfsyms_debug *wanted, int fd);
void elfsyms_free(struct elfsyms *e);
/* Bytes it takes. */
size_t elfsyms_size(const struct elfsyms *e);
/* The address, as linked, of this offset in the file. False: it is not mapped. */
bool elfsyms_address(const struct elfsyms *e, uint64_t offset, uint64_t *ret);
/*
 * As linked (mangled), owned by e; NULL: no function is there. offset: in the file, as the maps of
 * a process count.
 */
const char *elfsyms_name(const struct elfsyms *e, uint64_t offset);

#endif
