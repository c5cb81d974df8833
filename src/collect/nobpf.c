// SPDX-License-Identifier: GPL-2.0-or-later
/* Stands for the BPF collectors in a build without BPF: none of them can be opened. */
#include <errno.h>

#include "base/i18n.h"
#include "base/macro.h"
#include "collect/bpf/bpf.h"
#include "collect/collect.h"

int bpf_host_check(struct err *err)
{
	return err_set(err, ENOTSUP, N_("this iotop was built without BPF"));
}

size_t collect_stacks(_unused_ struct collect_set *set, _unused_ struct sample *late,
		      _unused_ const uint64_t *ids, _unused_ size_t n, _unused_ uint64_t until)
{
	return 0;
}

const struct collector collector_block = {
	.name = "block",
	.bpf = true,
	.provides = SRC_BLOCK | SRC_HIST,
};

const struct collector collector_tasks = {
	.name = "tasks",
	.bpf = true,
	.accounting = ACCOUNTING_BPF,
	.provides = SRC_TASKS | SRC_TASKIO | SRC_DELAYS | SRC_EXITS,
};

const struct collector collector_offcpu = {
	.name = "offcpu",
	.bpf = true,
	.provides = SRC_OFFCPU,
};

const struct collector collector_files = {
	.name = "files",
	.bpf = true,
	.provides = SRC_FILES,
};

const struct collector collector_stacks = {
	.name = "stacks",
	.bpf = true,
	.provides = SRC_STACKS,
};

const struct collector collector_layers = {
	.name = "layers",
	.bpf = true,
	.provides = SRC_LAYERS,
};

const struct collector collector_waits = {
	.name = "waits",
	.bpf = true,
	.provides = SRC_WAITS | SRC_THROTTLE,
};
