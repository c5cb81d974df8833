// SPDX-License-Identifier: GPL-2.0-or-later
/* What is said of stacks and of their frames. */
#include <string.h>

#include "base/buf.h"
#include "base/i18n.h"
#include "data/stack/frames.h"

#define INLINED " (inlined)"

/* Where the arguments of a template end that begin here, NULL: nowhere. */
static const char *arguments_end(const char *at)
{
	unsigned depth = 0;

	for (; *at; at++) {
		if (*at == '<')
			depth++;
		else if (*at == '>' && at[-1] != '-' && !--depth)
			return at + 1;
	}
	return NULL;
}

/* Whether a < that has so many bytes before it begins arguments: not those of an operator. */
static bool has_arguments(const char *name, size_t before)
{
	static const char *const operators[] = { "operator", "operator<" };

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		size_t n = strlen(operators[i]);

		if (before >= n && !memcmp(name + before - n, operators[i], n))
			return false;
	}
	return before && !strchr("< (,&*", name[before - 1]);
}

void frames_put_short(struct buf *out, const char *name)
{
	size_t len = strlen(name), cut = strlen(INLINED);

	if (len > cut && !strcmp(name + len - cut, INLINED))
		len -= cut;
	for (size_t i = 0; i < len;) {
		const char *end = name[i] == '<' && has_arguments(name, i) ? arguments_end(name + i)
									    : NULL;

		if (!end || end - name - (ptrdiff_t)i <= 3) {
			buf_putc(out, name[i++]);
			continue;
		}
		buf_puts(out, "<…>");
		i = (size_t)(end - name);
	}
	buf_puts(out, "");
}

const char *frames_place(const struct frames *f, size_t i)
{
	const char *place = f->places ? f->places[i] : NULL;

	return place && *place ? _(place) : "";
}

const char *frames_end_text(const struct frames *f)
{
	static const char *const texts[] = {
		[FRAMES_END_UNKNOWN] = N_("unwinding ended here: code without frame pointers"),
		[FRAMES_END_NO_FRAME] =
			N_("unwinding ended here: code with neither an unwind table nor a frame "
			   "pointer"),
		[FRAMES_END_ODD] =
			N_("unwinding ended here: what the unwind table says cannot be followed"),
		[FRAMES_END_UNMAPPED] =
			N_("unwinding ended here: code that was mapped just now, or no code"),
		[FRAMES_END_MEMORY] =
			N_("unwinding ended here: the stack was not in memory"),
		[FRAMES_END_NO_TABLE] =
			N_("unwinding ended here: the unwind table was not read "
			   "(--unwind-tables)"),
		[FRAMES_END_NO_SENSE] =
			N_("unwinding ended here: beyond this the stack makes no sense"),
		[FRAMES_END_EARLY] =
			N_("unwinding ended here: the process had just begun, its unwind tables "
			   "were not there yet"),
		[FRAMES_END_32_BITS] =
			N_("unwinding ended here: a 32-bit program, whose stacks are not unwound"),
	};
	uint32_t end = FRAMES_ENDED(f->flags);

	if (f->flags & FRAMES_CUT)
		return _("there is more: the stack was too deep to be taken as a whole");
	if (!(f->flags & FRAMES_BROKEN))
		return NULL;
	return _(end < ARRAY_SIZE(texts) && texts[end] ? texts[end] : texts[FRAMES_END_UNKNOWN]);
}
