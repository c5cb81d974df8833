// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks as the steps of a path. */
#include <string.h>

#include "data/stack/frames.h"

static bool begins_with_any(const char *text, const char *const *starts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(text, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* Whose code the i-th frame is, by its file. */
static enum step_kind kind_of(const struct frames *f, size_t i)
{
	static const char *const interpreters[] = {
		FRAMES_AT_RUN_TIME, "python", "libpython", "perl", "libperl", "ruby", "libruby",
		"node", "libnode", "libjvm", "libjava", "php", "lua", "liblua", "libv8",
		"libmozjs", "libguile",
	};
	const char *file = frames_file(f, i), *so;

	if (!(f->flags & FRAMES_USER))
		return STEP_KERNEL;
	if (begins_with_any(file, interpreters, ARRAY_SIZE(interpreters)))
		return STEP_SCRIPT;
	so = strstr(file, ".so");
	return (so && (!so[3] || so[3] == '.')) || !strcmp(file, "[vdso]") ? STEP_LIBRARY
									    : STEP_USER;
}

size_t frames_steps(struct step *to, const struct frames *f, bool innermost_first)
{
	static const struct step mark = { "[incomplete]", STEP_MARK };
	bool cut = f && f->flags & (FRAMES_CUT | FRAMES_BROKEN);
	size_t n = 0;

	if (cut && !innermost_first)
		to[n++] = mark;
	for (size_t k = 0; f && k < f->n; k++) {
		size_t i = innermost_first ? k : f->n - 1 - k;

		to[n++] = (struct step){ f->items[i], kind_of(f, i) };
	}
	if (cut && innermost_first)
		to[n++] = mark;
	return n;
}
