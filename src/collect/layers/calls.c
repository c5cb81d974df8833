// SPDX-License-Identifier: GPL-2.0-or-later
/* Which system calls do I/O on files. The numbers are those of the machine it is compiled for. */
#include <sys/syscall.h>

#include "base/macro.h"
#include "collect/layers/layers.h"

static const struct {
	unsigned number;
	struct abi_call call;
} table[] = {
#define CALL(name, what, how) \
	{ __NR_##name, { .wanted = 1, .op = ABI_LAYER_##what, .file = ABI_CALL_##how } }
	CALL(read, READ, FD),
	CALL(write, WRITE, FD),
	CALL(pread64, READ, FD),
	CALL(pwrite64, WRITE, FD),
	CALL(readv, READ, FD),
	CALL(writev, WRITE, FD),
	CALL(preadv, READ, FD),
	CALL(pwritev, WRITE, FD),
	CALL(preadv2, READ, FD),
	CALL(pwritev2, WRITE, FD),
#ifdef __NR_open
	CALL(open, OPEN, RETURNS_FD),
#endif
	CALL(openat, OPEN, RETURNS_FD),
#ifdef __NR_openat2
	CALL(openat2, OPEN, RETURNS_FD),
#endif
	CALL(fsync, FSYNC, FD),
	CALL(fdatasync, FSYNC, FD),
#ifdef __NR_sync_file_range
	CALL(sync_file_range, RANGE, FD),
#endif
	CALL(msync, FSYNC, MAPPED),
	CALL(syncfs, SYNC, FD),
	CALL(sync, SYNC, NO_FILE),
	CALL(io_submit, OTHER, SUBMITS),
	CALL(io_getevents, OTHER, REAPS),
#ifdef __NR_io_pgetevents
	CALL(io_pgetevents, OTHER, REAPS),
#endif
#undef CALL
};

void layers_calls(struct abi_call calls[static ABI_CALLS])
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].number < ABI_CALLS)
			calls[table[i].number] = table[i].call;
}
