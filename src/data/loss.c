// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/loss.h"

#include <string.h>

#include "base/i18n.h"
#include "base/macro.h"

/* What collectors with stacks lose of them, each under a name that begins with its own. */
#define STACK_LOSSES(of)								\
	{ of ".failed", N_("stacks that the kernel could not walk") },			\
	{ of ".full", N_("stacks for which there was no room (--stack-storage)") },	\
	{ of ".collided", N_("stacks whose hash is that of another") },			\
	{ of ".cut", N_("stacks deeper than is kept: their outermost frames are missing") },\
	{ of ".processes",								\
	  N_("processes that we were not told of: their frames may lack names") },	\
	{ of ".ended", N_("processes that ended before we saw what they had mapped: their "\
			     "frames lack names") },					\
	{ of ".files", N_("files that were gone when their symbols were wanted: their frames "\
			     "lack names") }

const struct loss losses[] = {
	{ "block.owners-full", N_("I/O of tasks beyond --max-tasks, booked to [unattributed]") },
	{ "block.counters-full",
	  N_("I/O for which there was no counter (--max-counters), booked to [unattributed]") },
	{ "block.disks-full", N_("I/O at disks beyond those there is room for") },
	{ "block.latency-lost", N_("I/O whose start was forgotten: it has no latency") },
	{ "block.bios-skipped", N_("requests of more bios than are looked at") },
	{ "block.inodes-full",
	  N_("files with dirty pages whose writer was forgotten (--max-files)") },
	{ "block.owners-forgotten",
	  N_("I/O of tasks that had ended and whose place was needed for others") },
	{ "block.passing-lost",
	  N_("I/O at stacked disks whose owner was forgotten: what follows below may be booked to "
	     "another one, or to [unattributed]") },
	{ "block.completions-missed", N_("ends of I/O that no program saw: they have no latency") },
	{ "block.submissions-missed",
	  N_("starts of I/O that no program saw: counted at the disk, in no task") },
	{ "files", N_("I/O of files for which there was no room (--max-files)") },
	{ "files.missed", N_("I/O of files that no program saw") },
	{ "tasks.forgotten", N_("tasks that ended and were too many to be kept: what they did is "
				"in [ended earlier]") },
	{ "tasks.exits-lost", N_("ends of tasks that there was no room for") },
	{ "taskstats.exits-lost", N_("ends of tasks that the kernel dropped on their way to us") },
	{ "taskstats.unanswered", N_("tasks that the kernel did not answer for") },
	{ "waits.tasks-full", N_("waits of tasks for which there was no room") },
	{ "stacks.counters", N_("I/O for which there was no counter: booked without a stack") },
	{ "stacks.latency-lost", N_("I/O whose start was forgotten: it has no latency") },
	{ "stacks.missed", N_("I/O that no program saw: it has no stack") },
	STACK_LOSSES("stacks"),
	{ "offcpu.counters", N_("blocks for which there was no counter: booked without task and "
				"stacks") },
	{ "offcpu.tasks", N_("blocks of tasks for which there was no memory") },
	{ "offcpu.wakeups", N_("ends of blocks that no program saw") },
	{ "offcpu.missed", N_("events at which the programs did not run") },
	STACK_LOSSES("offcpu"),
	{ "layers.missed", N_("calls at which the programs did not run") },
	{ "layers.places-full", N_("calls and requests for which there was no room") },
	{ "layers.aio", N_("asynchronous requests that could not be read, or were too many at "
			   "once") },
	{ "layers.callers", N_("operations whose task and file there was no room for") },
};
const size_t losses_n = ARRAY_SIZE(losses);

const char *loss_help(const char *name)
{
	for (size_t i = 0; i < losses_n; i++)
		if (!strcmp(losses[i].name, name))
			return losses[i].help;
	return NULL;
}
