// SPDX-License-Identifier: GPL-2.0-or-later
/* Stands for the BPF collectors in a build without BPF: none of them can be opened. */
#include <errno.h>

#include "base/i18n.h"
#include "base/macro.h"
#include "collect/bpf/bpf.h"
#include "collect/collect.h"

int bpf_host_check(_unused_ const char *places, struct err *err)
{
	return err_set(err, ENOTSUP, N_("this iotop was built without BPF"));
}

void bpf_host_release(_unused_ uint64_t idle)
{
}

size_t collect_stacks(_unused_ struct collect_set *set, _unused_ struct sample *late,
		      _unused_ const uint64_t *ids, _unused_ size_t n, _unused_ uint64_t until)
{
	return 0;
}

int collect_count_runs(struct err *err)
{
	return bpf_host_check(NULL, err);
}

void collect_programs(_unused_ void (*tell)(void *arg, const struct collect_program *p),
		      _unused_ void *arg)
{
}

#define WITHOUT_BPF(id, sources, ...)                                               \
	const struct collector collector_##id = {                                   \
		.name = #id, .bpf = true, .provides = (sources), __VA_ARGS__        \
	}

WITHOUT_BPF(block, SRC_BLOCK | SRC_HIST);
WITHOUT_BPF(tasks, SRC_TASKS | SRC_TASKIO | SRC_DELAYS | SRC_EXITS, .accounting = ACCOUNTING_BPF);
WITHOUT_BPF(offcpu, SRC_OFFCPU);
WITHOUT_BPF(files, SRC_FILES);
WITHOUT_BPF(stacks, SRC_STACKS);
WITHOUT_BPF(layers, SRC_LAYERS);
WITHOUT_BPF(waits, SRC_WAITS | SRC_THROTTLE | SRC_MEMSTALL);
