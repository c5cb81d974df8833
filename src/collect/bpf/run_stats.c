// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel counts of our programs: how often they ran, and for how long. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <string.h>

#include "base/i18n.h"
#include "collect/bpf/programs.h"
#include "collect/collect.h"

int collect_count_runs(struct err *err)
{
	uint64_t before = privilege_raise(PRIV_BPF);
	int fd = bpf_enable_stats(BPF_STATS_RUN_TIME);

	privilege_restore(before);
	return fd < 0 ? err_set(err, -fd, _("the kernel does not count how long programs run: %s"),
				strerror(-fd)) : fd;
}

static void tell_object(const struct bpf_programs *p,
			void (*tell)(void *arg, const struct collect_program *p), void *arg)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, p->obj) {
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);
		int fd = bpf_program__fd(program);
		struct collect_program ret = { p->type->object, bpf_program__name(program), 0, 0 };

		if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size) || !info.run_cnt)
			continue;
		ret.runs = info.run_cnt;
		ret.run_ns = info.run_time_ns;
		tell(arg, &ret);
	}
}

void collect_programs(void (*tell)(void *arg, const struct collect_program *p), void *arg)
{
	uint64_t before = privilege_raise(PRIV_BPF);

	for (const struct bpf_programs *p = bpf_programs_first(); p; p = p->next)
		tell_object(p, tell, arg);
	privilege_restore(before);
}
