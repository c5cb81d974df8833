// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/demangle.h"

#include <string.h>

#ifdef HAVE_LIBIBERTY

#include <setjmp.h>

#include <libiberty/demangle.h>

#define MANGLED_MAX 2048

/*
 * A name of 200 bytes can stand for 2^60: the library writes piece by piece and the writing is left
 * when the room is used up.
 */
struct writer {
	char *out;
	size_t size, len;
	jmp_buf full;
};

static void put(const char *text, size_t n, void *arg)
{
	struct writer *w = arg;

	if (n >= w->size - w->len)
		longjmp(w->full, 1);
	memcpy(w->out + w->len, text, n);
	w->len += n;
	w->out[w->len] = '\0';
}

bool demangle(char *out, size_t size, const char *name)
{
	struct writer w = { .out = out, .size = size };

	if (!size || name[0] != '_' || (name[1] != 'Z' && name[1] != 'R') ||
	    strnlen(name, MANGLED_MAX) == MANGLED_MAX)
		return false;
	/*
	 * The library's callback forms allocate on the stack only: nothing is lost by leaving them.
	 */
	if (setjmp(w.full))
		return false;
	return (rust_demangle_callback(name, 0, put, &w) ||
		cplus_demangle_v3_callback(name, DMGL_NO_OPTS, put, &w)) &&
	       w.len;
}

#else

bool demangle(char *out, size_t size, const char *name)
{
	return false;
}

#endif
