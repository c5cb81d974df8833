// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/loss.h"

#include <string.h>

#include "base/i18n.h"
#include "base/macro.h"

#define NO_OWNER N_("I/O in [unattributed]")
#define NO_LATENCY N_("I/O without latency")
#define NO_STACK N_("I/O without a stack")
#define NO_FILE N_("I/O without a file")
#define NO_END N_("ends of tasks not seen")
#define NO_BLOCK N_("blocks not counted")
#define NO_NAMES N_("stacks with frames unnamed")
#define NO_CALL N_("operations not counted")

/* What collectors with stacks lose of them, each under a name that begins with its own. */
#define STACK_LOSSES(of)								\
	{ of ".failed", N_("stacks not taken"),						\
	  N_("stacks that the kernel could not walk") },				\
	{ of ".full", N_("stacks not kept"),						\
	  N_("stacks for which there was no room (--stack-storage)") },			\
	{ of ".cut", N_("stacks cut off"),						\
	  N_("stacks deeper than is kept: their outermost frames are missing") },	\
	{ of ".processes", NO_NAMES,							\
	  N_("processes that we were not told of: their frames may lack names") },	\
	{ of ".ended", NO_NAMES,							\
	  N_("processes that ended before we saw what they had mapped: their "		\
	     "frames lack names") },							\
	{ of ".files", NO_NAMES,							\
	  N_("files that were gone when their symbols were wanted: their frames "	\
	     "lack names") }

static const struct loss losses[] = {
	{ "block.owners-full", NO_OWNER,
	  N_("I/O of tasks beyond --max-tasks, charged to [unattributed]") },
	{ "block.counters-full", NO_OWNER,
	  N_("I/O for which there was no counter (--max-counters), charged to [unattributed]") },
	{ "block.disks-full", N_("I/O at no disk"),
	  N_("I/O at disks beyond those there is room for") },
	{ "block.latency-lost", NO_LATENCY,
	  N_("I/O whose start was forgotten: it has no latency") },
	{ "block.bios-skipped", NO_LATENCY, N_("requests of more bios than are looked at") },
	{ "block.inodes-full", NO_OWNER,
	  N_("files with dirty pages whose writer was forgotten (--max-files)") },
	{ "block.owners-forgotten", NO_OWNER,
	  N_("I/O of tasks that had ended and whose place was needed for others") },
	{ "block.passing-lost", NO_OWNER,
	  N_("I/O at stacked disks whose owner was forgotten: what follows below may be charged to "
	     "another one, or to [unattributed]") },
	{ "block.throttled-full", NO_LATENCY,
	  N_("I/O held back by a limit, of tasks for which no counter of that was free") },
	{ "block.completions-missed", NO_LATENCY,
	  N_("ends of I/O for which the kernel ran no program: they have no latency") },
	{ "block.submissions-missed", NO_OWNER,
	  N_("starts of I/O for which the kernel ran no program: charged to [unattributed] when "
	     "they end") },
	{ "events.over", N_("events not shown"), N_("requests beyond --max-rate") },
	{ "events.full", N_("events not shown"),
	  N_("requests that came faster than they were read") },
	{ "files", NO_FILE, N_("I/O of files for which there was no room (--max-files)") },
	{ "files.missed", NO_FILE, N_("I/O of files for which the kernel ran no program") },
	{ "files.ends-missed", N_("I/O without latency in its file"),
	  N_("ends of I/O for which the kernel ran no program: they are in no latency of a file") },
	{ "tasks.forgotten", N_("tasks in [ended earlier]"),
	  N_("tasks that ended and were too many to be kept: what they did is in [ended earlier]")},
	{ "tasks.exits-lost", NO_END,
	  N_("ends of tasks that there was no room for, or for which the kernel ran no program") },
	{ "taskstats.exits-lost", NO_END,
	  N_("ends of tasks that the kernel dropped on their way to us") },
	{ "waits.tasks-full", N_("waits not counted"),
	  N_("waits of tasks for which there was no room") },
	{ "memory.groups", N_("control groups not read"),
	  N_("control groups with I/O, beyond the 32 busiest, whose memory was not looked at") },
	{ "mounts.full", N_("mounts not shown"),
	  N_("file systems of servers beyond the first 256") },
	{ "stacks.counters", NO_STACK,
	  N_("I/O for which there was no counter: charged without a stack") },
	{ "stacks.latency-lost", N_("stacks without latency"),
	  N_("I/O whose start was forgotten: it has no latency") },
	{ "stacks.missed", NO_STACK,
	  N_("I/O for which the kernel ran no program: it has no stack") },
	STACK_LOSSES("stacks"),
	{ "offcpu.counters", N_("blocks without a task"),
	  N_("blocks for which there was no counter: charged without task and stacks") },
	{ "offcpu.wakeups", N_("blocks without a waker"),
	  N_("ends of blocks for which the kernel ran no program") },
	{ "offcpu.missed", NO_BLOCK,
	  N_("events at which the programs did not run, or had no memory") },
	STACK_LOSSES("offcpu"),
	{ "layers.missed", NO_CALL, N_("calls at which the programs did not run") },
	{ "layers.places-full", NO_CALL, N_("calls and requests for which there was no room") },
	{ "layers.aio", NO_CALL,
	  N_("asynchronous requests that could not be read, or were too many at once") },
	{ "layers.callers", N_("operations without a task"),
	  N_("operations whose task and file there was no room for") },
	{ "layers.files", N_("operations without a file"),
	  N_("operations whose file there was no room for: counted for their task only") },
};

const struct loss *loss_find(const char *name)
{
	static struct loss unknown;

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++)
		if (!strcmp(losses[i].name, name))
			return &losses[i];
	unknown = (struct loss){ name, name, name };
	return &unknown;
}
