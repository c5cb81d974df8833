// SPDX-License-Identifier: GPL-2.0-or-later
#include "session_options.h"

#include <string.h>
#include <unistd.h>

#include "collect/privilege.h"
#include "options/view.h"
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
 * Reports of other screens than that of the findings have those that need no look at other sources:
 * it would make an interval longer, the last one too, and columns come and go. A store is to cost
 * next to nothing.
 */
static bool may_probe(const struct options *o)
{
	if (o->no_probing || o->command == COMMAND_RECORD)
		return false;
	return !o->batch || (o->screen && !strcmp(o->screen, "why"));
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
		.probing = may_probe(o), .history_ns = o->batch || o->command ? 0 : o->history,
		.record = o->record, .replay = o->replay, .store = o->store && !o->command,
		.begin = o->begin, .end = o->end, .compare = o->compare,
		.stop_fd = stop_fd(),
	};
}

unsigned options_privileges(const struct options *o)
{
	unsigned needed =
		PRIV_BPF | PRIV_ACCOUNTING | PRIV_TASKS | PRIV_SYMBOLS | PRIV_FILES | PRIV_MAPPED;

	if (o->action != ACTION_RUN && o->action != ACTION_PROBES)
		return 0;
	if (o->replay || (o->no_bpf && geteuid() != 0))
		return 0;
	if (o->no_bpf)
		needed &= ~(unsigned)(PRIV_BPF | PRIV_SYMBOLS);
	if (!o->secure)
		needed |= PRIV_SYSCTL;
	if (o->command == COMMAND_SERVE)
		return needed | PRIV_LISTEN |
		       (o->textfile && !privilege_of_file() ? (unsigned)PRIV_RECORD : 0);
	if (o->command == COMMAND_RECORD)
		return needed;
	if (!o->secure && (!o->batch || o->action == ACTION_PROBES))	/* tells of the screen */
		needed |= PRIV_PRIORITY | PRIV_SIGNAL;
	/* Root writes its recording anywhere; who has the privileges of the file does not. */
	if (o->record && !privilege_of_file())
		needed |= PRIV_RECORD;
	return needed;
}
