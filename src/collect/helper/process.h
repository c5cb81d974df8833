/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What helper processes are made of, and the messages between them: for helper*.c, the processes
 * themselves and tests.
 */
#ifndef IOTOP_COLLECT_HELPER_PROCESS_H
#define IOTOP_COLLECT_HELPER_PROCESS_H

#include "collect/helper/helper.h"
#include "collect/helper/wire.h"

/*
 * Requests and their answers. Numbers are of the machine's own size and order: both sides are one
 * program. A text is its length (32 bits) and its bytes.
 *
 *	SPACE	u32 tgid, u32 0, u64 start, u64 mm: one address space of a process, see symbols.h
 * 	FILE	u64 dev, ino, size, mtime, start, end, offset; u32 tgid, u32 slow; text path: a
 * 	mapped file and where it was seen.
 *		size and mtime are 0 when it was not opened yet
 */
enum message {
	/* keeper: u32 enum helper_kind → u32 process ids (two, 0: none), with the socket */
	MESSAGE_START = 1,
	/* u32 process ids (two): kills those of them that it started; no answer */
	MESSAGE_KILL,
	/* names and users: nothing → nothing, when all of its processes wait for requests */
	MESSAGE_READY,
	/* names: SPACE → u32 whether it had ended */
	MESSAGE_REGISTER,
	/*
	 * SPACE, u32 n, u64 addresses[n] → u32 had ended, u32 files, FILE[files], n × (u32 place,
	 * u64 offset); enum place_kind
	 */
	MESSAGE_PLACES,
	/*
	 * FILE, u32 n, u64 offsets[n] → u32 errno: why it cannot be read, n × text: frames as
	 * inlined_put() has them, empty: no name
	 */
	MESSAGE_FILE_NAMES,
	/* SPACE, u32 n, u64 addresses[n] → n × text: code that is in no file */
	MESSAGE_SPACE_NAMES,
	/*
	 * SPACE, u32 whether they are to be read anew → u32 had ended, u32 n, FILE[n]: what is
	 * mapped as code, ascending; an empty path: code that is in no file; or HELPER_VDSO
	 */
	MESSAGE_MAPPINGS,
	/*
	 * FILE, u32 first row → u32 errno, u64 base, u32 rows in all, u32 n, n × (u64 offset, u64
	 * size, u64 address), u32 n, struct abi_unwind_row[n]: the unwind table from that row on
	 */
	MESSAGE_UNWIND,
	/*
	 * u32 n, n × (u32 tgid, u32 tid, u64 start) → n × (u32 there, text): command lines,
	 * arguments ended by NUL
	 */
	MESSAGE_COMMANDS,
	/*
	 * names: u32 tgid → text: its mount namespace and its root, as view_key.h has them;
	 * empty: they are not told
	 */
	MESSAGE_VIEW,
	/*
	 * names: u32 enum container_kind, text id → text: what its engine calls the container;
	 * empty: it is not known
	 */
	MESSAGE_CONTAINER,
	/* users: u32 uid → text, empty: has none */
	MESSAGE_USER,
	/*
	 * parser: u32 table, with the file → u32 errno, and when it has no symbols of its own: text
	 * build id, text link, u32 crc
	 */
	MESSAGE_ELF,
	/* u32 table, with a debug file → u32 errno: whether it was the right one */
	MESSAGE_DEBUG,
	/* u32 table, with a perf-PID.map → u32 errno */
	MESSAGE_PERF,
	/* u32 table, u32 n, u64 offsets[n] → u32 errno (ENOENT: not loaded), n × text */
	MESSAGE_TABLE,
	/*
	 * u32 table, u32 first row, with the file unless it is the last one → as MESSAGE_UNWIND
	 */
	MESSAGE_ROWS,
	/* u32 enum engine_form, text id, with an engine's file → u32 errno, text name */
	MESSAGE_ENGINE,
};

enum place_kind {
	PLACE_NOWHERE,
	PLACE_NO_FILE,	/* memory that is code, but no file's */
	PLACE_FILE,	/* and the number of the file in the answer, from 0 on */
};

#define HELPER_COMMANDS_MAX 64		/* command lines in a request */
#define HELPER_NAMES_MAX 512		/* names in a request */
#define HELPER_MAPPINGS_MAX 1024	/* mappings of a process */
#define HELPER_ROWS_MAX 131072u		/* rows of an unwind table in an answer */
#define HELPER_VDSO "[vdso]"		/* path of code that the kernel maps into each process */
#define HELPER_PATH_MAX 4096
#define HELPER_NAME_MAX 2048		/* bytes of a name, or of some frames */
#define HELPER_ARGS_MAX (16u << 10)	/* bytes of a command line */
#define HELPER_ANSWER_MAX (4u << 20)	/* bytes of an answer; what is more is no answer of ours */

/*
 * For tests: a helper whose names are told by whoever is at the other end of this socket, which
 * becomes its own.
 */
struct helper *helper_at(int socket);

/* The processes. They serve requests until the other side is gone. */
void keeper_run(int control, const char *proc, const char *fetched);
void opener_run(int requests, int parser, int fetched, const char *proc);
void parser_run(int requests);
void users_run(int requests);

/*
 * Serves one request of the names, for opener_run() and tests: the answer's data into *out (empty
 * before). 0, or -EPROTO when it is no request.
 */
struct opener;
struct opener *opener_new(const char *proc, int fetched, int parser);
void opener_free(struct opener *o);
int opener_serve(struct opener *o, uint32_t message, const void *data, size_t len, struct buf *out);

/* The same of the parser; fd: -1, or a descriptor that becomes its own. */
struct tables;
int parser_serve(struct tables *t, uint32_t message, const void *data, size_t len, int fd,
		 struct buf *out);

#endif
