// SPDX-License-Identifier: GPL-2.0-or-later
/* What is known of the kinds of findings that are not shown. */
#include "base/macro.h"
#include "data/finding/finding.h"
#include "data/finding/standing.h"

/* When the sources that a kind lacks now were on, where all of them were at one time. */
static bool looked_before(const struct model *m, unsigned lacking, struct finding_checked *ret)
{
	uint64_t began = 0, ended = UINT64_MAX;

	for (unsigned i = 0; i < SRC_COUNT; i++) {
		if (!(lacking & 1u << i))
			continue;
		began = MAX(began, m->looks[i].began_ns);
		ended = MIN(ended, m->looks[i].ended_ns);
	}
	ret->began_ns = began;
	ret->ended_ns = ended;
	return ended > began;
}

static bool cannot_look(const struct model *m, unsigned lacking, struct finding_checked *ret)
{
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const char *reason = m->sources[i].reason;

		if (!(lacking & 1u << i) || !reason || !*reason)
			continue;
		ret->source = 1u << i;
		ret->reason = reason;
		return true;
	}
	return false;
}

struct finding_checked finding_check(const struct model *m, size_t kind)
{
	const struct finding_kind *k = finding_kinds[kind];
	struct finding_checked checked = { .state = CHECK_WATCHED };
	unsigned lacking = k->needs & ~m->have;

	if (k->either && !(k->either & m->have))
		lacking |= k->either;
	if (engine_get_options(m->engine)->ignored & 1u << kind)
		checked.state = CHECK_IGNORED;
	else if (finding_can_look(m, k))
		checked.state = CHECK_WATCHED;
	else if (cannot_look(m, lacking, &checked))
		checked.state = CHECK_OFF;
	else
		checked.state = looked_before(m, lacking, &checked) ? CHECK_LOOKED : CHECK_LATER;
	return checked;
}
