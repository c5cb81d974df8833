/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an address means, in two steps. Its place (which file, where in it) is found when a stack is first seen, from the maps
 * the process has then: it needs no symbols, is the same in every process that runs the same file, and outlives the process.
 * The name is looked up when somebody wants to read it.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_H
#define IOTOP_COLLECT_SYMBOLS_H

#include "base/buf.h"
#include "collect/collector.h"

struct symbols;

struct place {
	uint32_t file;		/* 0: in no file */
	uint32_t space;		/* file 0: of which address space, 0: nothing is known of it */
	uint64_t offset;	/* in the file; without one the address itself */
};

struct symbols *symbols_new(const struct collect_options *opt);
void symbols_free(struct symbols *s);
/* A new round: what has not been used for long may go. */
void symbols_round(struct symbols *s);

/*
 * The process's executable mappings as they are now, kept under {tgid, start, mm}: a place can be found later, when it has
 * ended. start: ns of CLOCK_BOOTTIME; mm: any number that changes with execve(). Cheap when they are known.
 */
void symbols_meet(struct symbols *s, uint32_t tgid, uint64_t start, uint64_t mm);
void symbols_places(struct symbols *s, uint32_t tgid, uint64_t start, uint64_t mm, const uint64_t *addresses, size_t n,
		    struct place *ret);
/* The same number for the same code in any process and any run of iotop. */
uint64_t symbols_place_id(const struct symbols *s, const struct place *p);

/* Appends a name without line breaks: "main", "[unknown] libc.so.6+0x1234", "[unknown]". */
void symbols_user_text(struct symbols *s, const struct place *p, struct buf *out);
/* Appends "vfs_write", "ext4_sync_file [ext4]", or the address. False: it belongs to the taking of the stack, nothing was added. */
bool symbols_kernel_text(struct symbols *s, uint64_t address, struct buf *out);
/* Why kernel addresses have no names; NULL: they have. */
const char *symbols_kernel_reason(struct symbols *s);

/* Addresses of processes whose maps could not be read any more. */
uint64_t symbols_missed(const struct symbols *s);
/* Frames without names because their file was not seen for so long that it had to make room. */
uint64_t symbols_forgotten(const struct symbols *s);

#endif
