// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/demangle.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY

#include <setjmp.h>

#include <libiberty/demangle.h>

#define MANGLED_MAX 2048
/*
 * Each Q of a name of D repeats what stood before, which may have some, too: with so many it is a
 * million bytes at most.
 */
#define D_REPEATS_MAX 32

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

	/* Of nothing the library may have no text either. */
	if (!n)
		return;
	if (n >= w->size - w->len)
		longjmp(w->full, 1);
	memcpy(w->out + w->len, text, n);
	w->len += n;
	w->out[w->len] = '\0';
}

/* Where a list in parentheses that begins at p ends: behind it, or at the end of the text. */
static const char *list_end(const char *p)
{
	int open = 0;

	for (; *p; p++) {
		open += (*p == '(') - (*p == ')');
		if (!open)
			return p + 1;
	}
	return p;
}

/* Without lists of parameters and what follows the last; "!(" begins those of a template. */
static bool put_d(struct writer *w, const char *text)
{
	for (const char *p = text; *p;) {
		const char *end = *p == '(' ? list_end(p) : p + 1;
		bool kept = *p != '(' || (p > text && p[-1] == '!');

		if (kept && (size_t)(end - p) >= w->size - w->len)
			return false;
		if (kept)
			w->len = (size_t)((char *)mempcpy(w->out + w->len, p, (size_t)(end - p)) -
					  w->out);
		if (!kept && *end == ' ')
			break;
		p = end;
	}
	w->out[w->len] = '\0';
	return w->len;
}

static bool demangle_d(struct writer *w, const char *name)
{
	size_t repeats = 0;
	char *text = NULL;
	bool done;

	for (const char *p = name; *p; p++)
		repeats += *p == 'Q';
	if (repeats <= D_REPEATS_MAX)
		text = dlang_demangle(name, DMGL_NO_OPTS);
	done = text && put_d(w, text);
	free(text);
	return done;
}

bool demangle(char *out, size_t size, const char *name)
{
	struct writer w = { .out = out, .size = size };

	if (!size || name[0] != '_' || strnlen(name, MANGLED_MAX) == MANGLED_MAX)
		return false;
	if (name[1] == 'D')
		return demangle_d(&w, name);
	if (name[1] != 'Z' && name[1] != 'R')
		return false;
	/*
	 * The library's callback forms allocate on the stack only: nothing is lost by leaving them.
	 */
	if (setjmp(w.full))
		return false;
	if (rust_demangle_callback(name, 0, put, &w))
		return w.len;
	/* What looked like Rust for a while has left its beginning. */
	w.len = 0;
	return cplus_demangle_v3_callback(name, DMGL_NO_OPTS, put, &w) && w.len;
}

#else

bool demangle(char *out, size_t size, const char *name)
{
	return false;
}

#endif
