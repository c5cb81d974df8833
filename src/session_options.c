// SPDX-License-Identifier: GPL-2.0-or-later
#include "session_options.h"

#include <string.h>

#include "options/view.h"
#include "out/out.h"
#include "stop.h"

static const struct number_set *set_or_null(const struct number_set *set)
{
	return set->n ? set : NULL;
}

enum which_stacks options_stacks(const struct options *o)
{
	if (o->kernel_stacks == o->user_stacks)
		return STACKS_BOTH;
	return o->kernel_stacks ? STACKS_KERNEL : STACKS_USER;
}

/*
 * Reports in text do not show findings on other screens than theirs: there nothing is looked for,
 * which would make an interval longer and columns come and go.
 */
static bool wants_findings(const struct options *o)
{
	bool shown = !o->batch || o->format == OUT_JSON || (o->screen && !strcmp(o->screen, "why"));

	return shown && !o->no_probing;
}

void options_session(struct session_options *s, const struct options *o, struct helper *helper)
{
	options_select(o, &s->selection);
	*s = (struct session_options){
		.selection = s->selection,
		.collect = {
			.no_bpf = o->no_bpf, .secure = o->secure, .accounting = o->accounting,
			.tgids = set_or_null(&o->tgids), .uids = set_or_null(&o->uids),
			.disk = o->disk,
			.max_tasks = o->max_tasks, .max_counters = o->max_counters,
			.max_files = o->max_files, .stack_storage = o->stack_storage,
			.proc = "/proc", .sys = "/sys", .run = "/run", .cgroup = o->cgroup,
			.layers = o->layer >= 0 ? 1u << o->layer : 0, .min_latency = o->min_latency,
			.stacks = options_stacks(o), .self = o->self, .tid = (uint32_t)o->tid,
			.user_threads = o->user_threads, .kernel_threads = o->kernel_threads,
			.state = o->state,
			.min_block = o->min_block, .max_block = o->max_block, .helper = helper,
		},
		.engine = {
			.attribute = (enum attribute)o->attribute,
			.accumulated = o->span == SPAN_SUM,
			.finding_share = (unsigned)o->finding_share, .ignored = o->ignored,
			.whole = o->summary || o->why > 0,
			.disk = o->disk, .fs = o->fs, .stacks = options_stacks(o),
			.selection = selection_is_any(&s->selection) ? &s->selection : NULL,
		},
		.probing = wants_findings(o), .history_ns = o->batch || o->command ? 0 : o->history,
		.record = o->record, .replay = o->replay, .begin = o->begin, .end = o->end,
		.compare = o->compare,
		.stop_fd = stop_fd(),
	};
}
