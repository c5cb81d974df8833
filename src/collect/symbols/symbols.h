/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an address means, in two steps. Its place (file and offset) is found when a stack is first
 * seen, from the maps the process has then: places need no symbols, are the same in every process
 * that runs the file, and outlive the process. The name is looked up when somebody wants to read
 * it. A helper process does both: this process opens and reads nothing of others.
 */
#ifndef IOTOP_COLLECT_SYMBOLS_SYMBOLS_H
#define IOTOP_COLLECT_SYMBOLS_SYMBOLS_H

#include "base/buf.h"
#include "collect/collector.h"
#include "collect/helper/file.h"
#include "collect/helper/helper.h"
#include "collect/symbols/ksyms.h"

struct symbols;

struct place {
	uint32_t file;		/* 0: in no file */
	uint32_t space;		/* file 0: of which address space, 0: nothing is known of it */
	uint64_t offset;	/* in the file; without one the address itself */
	bool exact;		/* of what ran or runs next, not of where a call returns to */
};

/* proc: "/proc", for the kernel's symbols. The helper (NULL: nothing can be asked) is borrowed. */
struct symbols *symbols_new(const char *proc, struct helper *helper);
void symbols_free(struct symbols *s);
/*
 * Reads the kernel's symbols in a thread, while programs are loaded: the kernel takes tens of ms to
 * write them. Who asks for one waits for it.
 */
void symbols_begin(struct symbols *s);
/* A new round: what has not been used for long may go. */
void symbols_round(struct symbols *s);

/*
 * Has the executable mappings of the process read now, so that places can be found after its end.
 * Returns at once; cheap when they are known.
 */
void symbols_register(struct symbols *s, const struct space_key *key);
/*
 * Asks where n addresses of a process are, n up to what a stack has. done(arg, places) is called
 * once, now or when the answer comes; places is NULL when nobody could tell.
 */
void symbols_places(struct symbols *s, const struct space_key *key, const uint64_t *addresses,
		    size_t n, void (*done)(void *arg, const struct place *places), void *arg);
/* The same number for the same code in any process and any run of iotop. */
uint64_t symbols_place_id(struct symbols *s, const struct place *p);

/*
 * Asks for the names of these places; files that may be slow to open last. Cheap when they are
 * known.
 */
void symbols_ask(struct symbols *s, const struct place *places, size_t n);
/* Whether the name is known, or known not to be had. */
bool symbols_answered(struct symbols *s, const struct place *p);
/*
 * Reads answers until done(arg), until nothing is pending, or until `until` (CLOCK_MONOTONIC ns).
 */
void symbols_wait(struct symbols *s, uint64_t until, bool (*done)(void *arg), void *arg);
/*
 * Appends "main", "[unknown] libc.so.6+0x1234", "[unknown]", behind a tab where it is in the source
 * or why it has no name; with a line break behind each function that is inlined in the next. What
 * was not answered yet is unknown.
 */
void symbols_user_text(struct symbols *s, const struct place *p, struct buf *out);
/*
 * Appends "vfs_write", "ext4_sync_file [ext4]", or the address. Nothing of a function that belongs
 * to the tracing, which is returned.
 */
enum ksyms_tracing symbols_kernel_text(struct symbols *s, uint64_t address, struct buf *out);
/* Why kernel addresses have no names; NULL: they have. */
const char *symbols_kernel_reason(struct symbols *s);
/* Why some names of programs are missing, NULL: they are not. */
const char *symbols_user_reason(const struct symbols *s);

/* Lost: processes whose maps could not be read any more. */
uint64_t symbols_missed(const struct symbols *s);
/* Lost: frames without names because their file was dropped after long disuse. */
uint64_t symbols_forgotten(const struct symbols *s);

#endif
