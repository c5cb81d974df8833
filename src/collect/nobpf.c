// SPDX-License-Identifier: GPL-2.0-or-later
/* Stands for the BPF collectors in a build without BPF. */
#include <errno.h>

#include "base/i18n.h"
#include "collect/collect.h"

static int open_none(_unused_ struct collect_set *set, _unused_ unsigned wanted,
		     _unused_ void **ret_state, struct err *err)
{
	return err_set(err, ENOTSUP, N_("this iotop was built without BPF"));
}

const struct collector collector_block = {
	.name = "block",
	.provides = SRC_BLOCK | SRC_HIST,
	.open = open_none,
};

const struct collector collector_tasks = {
	.name = "tasks",
	.provides = SRC_TASKS | SRC_TASKIO | SRC_DELAYS | SRC_EXITS,
	.open = open_none,
};

const struct collector collector_offcpu = {
	.name = "offcpu",
	.provides = SRC_OFFCPU,
	.open = open_none,
};

const struct collector collector_files = {
	.name = "files",
	.provides = SRC_FILES,
	.open = open_none,
};

const struct collector collector_stacks = {
	.name = "stacks",
	.provides = SRC_STACKS,
	.open = open_none,
};

const struct collector collector_layers = {
	.name = "layers",
	.provides = SRC_LAYERS,
	.open = open_none,
};

size_t collect_stacks(_unused_ struct collect_set *set, _unused_ struct sample *late,
		      _unused_ const uint64_t *ids, _unused_ size_t n, _unused_ uint64_t until)
{
	return 0;
}

const struct collector collector_waits = {
	.name = "waits",
	.provides = SRC_WAITS | SRC_THROTTLE,
	.open = open_none,
};
