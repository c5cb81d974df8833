// SPDX-License-Identifier: GPL-2.0-or-later
#include "session_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/privilege.h"
#include "data/layer/layer.h"
#include "options/places.h"
#include "options/view.h"
#include "out/out.h"
#include "stop.h"
#include "tui/terminal.h"

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
	if (o->no_probing || options_keep_store(o))
		return false;
	return !o->batch || (o->screen && !strcmp(o->screen, "why"));
}

/* The screen plays a sample after the other; one report over all of a recording has no groups. */
static bool may_group(const struct options *o)
{
	return o->batch && o->replay && options_given(o, "delay") && !o->summary && !o->compare &&
	       !(o->why > 0);
}

/* Of a service, unless it is told otherwise. */
#define RECORD_USUAL                                                                     \
	(1u << RECORD_TASKS | 1u << RECORD_DISKS | 1u << RECORD_FILES | 1u << RECORD_MEMORY | \
	 1u << RECORD_MOUNTS)

static const unsigned sources[RECORD_GROUPS] = {
	[RECORD_TASKS] = SRC_BLOCK | SRC_TASKS | SRC_TASKIO | SRC_DELAYS | SRC_WAITS |
			 SRC_THROTTLE | SRC_EXITS | SRC_NAMES | SRC_CMDLINE,
	[RECORD_DISKS] = SRC_DISKS | SRC_BLOCK | SRC_HIST,
	[RECORD_FILES] = SRC_FILES,
	[RECORD_MEMORY] = SRC_MEMSTALL | SRC_MEMORY,
	[RECORD_MOUNTS] = SRC_MOUNTS,
	[RECORD_LAYERS] = SRC_LAYERS,
	[RECORD_BLOCKED] = SRC_OFFCPU,
	[RECORD_STACKS] = SRC_STACKS,
	[RECORD_EVENTS] = SRC_EVENTS,
	[RECORD_ALL] = (1u << SRC_COUNT) - 1,
};

unsigned options_recorded(const struct options *o)
{
	unsigned groups = o->record_sources, needs = SRC_SYSTEM;

	if (!groups && options_keep_store(o))
		groups = RECORD_USUAL;
	for (unsigned i = 0; i < RECORD_GROUPS; i++)
		if (groups & 1u << i)
			needs |= sources[i];
	return groups ? needs : 0;
}

#define EVENTS_KEPT 10000	/* on the screen */
#define EVENT_LATENCY (10 * 1000000ULL)	/* ns, unless it is given */

static bool is_of_events(const struct options *o)
{
	return o->screen && !strcmp(o->screen, "events");
}

static uint64_t event_latency(const struct options *o)
{
	if (o->min_latency)
		return o->min_latency;
	return o->all_events || o->errors || o->hist_by & OUT_HIST_OF_EVENTS ? 0 : EVENT_LATENCY;
}

/* 1 << enum io_op: those of --op and --io. */
static unsigned event_ops(const struct options *o)
{
	unsigned ops = o->op < 0 ? ~0u : 0;

	for (uint32_t i = 0; i < OP_COUNT && o->op >= 0; i++)
		if (!strcmp(io_op_name(i), layer_op_names[o->op]))
			ops |= 1u << i;
	return o->io ? ops & 1u << (o->io == 1 ? OP_READ : OP_WRITE) : ops;
}

/* 1 << enum layer_op, likewise. */
static unsigned call_ops(const struct options *o)
{
	unsigned ops = o->op < 0 ? ~0u : 1u << o->op;

	return o->io ? ops & 1u << (o->io == 1 ? LAYER_READ : LAYER_WRITE) : ops;
}

bool options_told_once(const struct options *o)
{
	return o->batch && (o->summary || o->compare || o->why > 0);
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
			.unwind_tables = o->unwind_tables,
			.proc = "/proc", .sys = "/sys", .run = "/run", .cgroup = o->cgroup,
			.layers = o->layer >= 0 ? 1u << o->layer : 0,
			/* Of the screen that it was given for. */
			.min_latency = is_of_events(o) ? 0 : o->min_latency,
			.event_latency = event_latency(o), .event_ops = event_ops(o),
			.call_ops = call_ops(o),
			.errors = o->errors, .max_rate = o->max_rate,
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
			.events = o->batch || o->command ? 0 : EVENTS_KEPT,
			/* Of a recorder nobody sees the rows. */
			.passing = o->command == COMMAND_RECORD,
			.disk = o->disk, .fs = o->fs, .stacks = options_stacks(o),
			.selection = selection_is_any(&s->selection) ? &s->selection : NULL,
		},
		.probing = may_probe(o), .history_ns = o->batch || o->command ? 0 : o->history,
		.needs = o->record && !o->command ? options_recorded(o) : 0,
		.group_ns = may_group(o) ? (uint64_t)(o->delay * NSEC_PER_SEC) : 0,
		.group_sums = o->span != SPAN_TICK,
		.once = options_told_once(o),
		.record = o->record, .replay = o->replay, .store = o->store && !o->command,
		.begin = o->begin, .end = o->end, .compare = o->compare,
		.stop_fd = stop_fd(),
	};
}

/* Of the settings it may be there for the screen, which shows a recording now. */
static bool has_trigger(const struct options *o)
{
	return o->when && *o->when && !o->replay;
}

static bool has_command(const struct options *o)
{
	return has_trigger(o) && o->exec && *o->exec;
}

unsigned options_privileges(const struct options *o)
{
	unsigned needed = PRIV_BPF | PRIV_ACCOUNTING | PRIV_TASKS | PRIV_SYMBOLS | PRIV_FILES |
			  PRIV_MAPPED | PRIV_LOG_PAGE;

	/* Until the process is there that starts the command. */
	if (o->action == ACTION_RUN && has_command(o))
		needed |= PRIV_USER;

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

/* For struct app_options. Cannot fail: wrong options were refused before. */
static struct filter *selection(const void *arg, const struct entity *e)
{
	struct filter *ret = NULL;
	struct buf why = { 0 };

	options_selection(arg, e, &ret, &why);
	buf_release(&why);
	return ret;
}

void options_loop(struct loop_options *ret, const struct options *o,
		  const struct session_options *so)
{
	bool color = !o->no_color && !(getenv("NO_COLOR") && *getenv("NO_COLOR"));
	enum glyphs glyphs = o->ascii ? GLYPHS_ASCII : term_glyphs();

	*ret = (struct loop_options){
		.app = {
			.screen = o->screen, .columns = o->columns, .sort = o->sort,
			.filter = o->filter, .group = o->group, .span = o->span, .rows = o->rows,
			.only_active = o->only_active, .hide_ended = o->hide_ended,
			.hide_idle = !o->only_active && !o->idle,
			.full_command = o->full_command,
			.glyphs = glyphs,
			.units = { .si = o->si, .kilobytes = o->kilobytes,
				   .ascii = glyphs == GLYPHS_ASCII,
				   .milliseconds = o->milliseconds },
			.stacks = options_stacks(o),
			.theme = (enum theme)o->theme, .keys = &o->key_map,
			.attribute = (enum attribute)o->attribute,
			.secure = o->secure, .replay = o->replay, .store = o->store, .mouse = true,
			.delay = o->delay,
			.selection = selection, .selection_arg = o,
		},
		.term = { .color = color, .mouse = true, .theme = (enum theme)o->theme },
		.engine = so->engine, .delay = o->delay, .iterations = (long)o->iterations,
		.newest = o->store && !o->begin,
	};
}

int options_trigger(const struct options *o, struct trigger **ret, struct buf *why)
{
	struct condition *condition = NULL;
	struct exec *exec = NULL;
	struct err err = { "" };

	*ret = NULL;
	if (!has_trigger(o))
		return 0;
	if (options_when(o, &condition, why) < 0)
		return -EINVAL;
	if (has_command(o) && exec_start(o->exec, !o->batch && !o->command, &exec, &err) < 0) {
		buf_puts(why, err.text);
		condition_free(condition);
		return -EINVAL;
	}
	privilege_drop(PRIV_USER);
	*ret = trigger_new(condition, o->keep, exec);
	return 0;
}
