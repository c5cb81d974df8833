// SPDX-License-Identifier: GPL-2.0-or-later
/* What is known of the kinds of findings that are not shown. */
#include <math.h>

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

/*
 * Why a source is off; NULL: it was not asked for. The dear ones come from kernel programs as those
 * of the block layer do: where these cannot be had, the others need not be asked for.
 */
static const char *reason_of(const struct model *m, unsigned source)
{
	const struct model_source *own = &m->sources[source],
				  *block = &m->sources[__builtin_ctz(SRC_BLOCK)];

	if (own->reason && *own->reason)
		return own->reason;
	if (!(SRC_DEAR & 1u << source) || block->state != SOURCE_OFF)
		return NULL;
	return block->reason && *block->reason ? block->reason : NULL;
}

static bool cannot_look(const struct model *m, unsigned lacking, struct finding_checked *ret)
{
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const char *reason = reason_of(m, i);

		if (!(lacking & 1u << i) || !reason)
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
	enum finding_check_state told = CHECK_WATCHED;
	unsigned lacking = k->needs & ~m->have;
	const char *reason = NULL;

	if (k->either && !(k->either & m->have))
		lacking |= k->either;
	if (k->told)
		told = k->told(m, &reason);
	if (engine_get_options(m->engine)->ignored & 1u << kind)
		checked.state = CHECK_IGNORED;
	else if (told == CHECK_ABSENT)
		checked.state = CHECK_ABSENT;
	else if (finding_can_look(m, k))
		checked.state = CHECK_WATCHED;
	else if (cannot_look(m, lacking, &checked))
		checked.state = CHECK_OFF;
	else if (!lacking && told == CHECK_OFF)
		checked = (struct finding_checked){ .state = CHECK_OFF, .source = SRC_DISKS,
						    .reason = reason };
	else if (!lacking && k->total && m->interval > 0 && isnan(k->total(m)))
		checked = (struct finding_checked){ .state = CHECK_OFF, .source = SRC_SYSTEM,
						    .reason = k->without };
	else if (lacking)
		checked.state = looked_before(m, lacking, &checked) ? CHECK_LOOKED : CHECK_LATER;
	return checked;
}
