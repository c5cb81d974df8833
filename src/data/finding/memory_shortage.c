/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks are stalled for memory: what was evicted is read again, or pages must be freed first. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

static void look(struct finding_look *l)
{
	const struct model_flows *flows = &l->m->totals.flows;
	double seconds = model_watched(l->m, SRC_MEMSTALL, false), share;
	const struct task_row *victim = l->stalled;
	struct finding_row *f;

	if (!victim)
		return;
	share = (double)((const struct task_counters *)victim->row.now)->memstall_ns / seconds /
		(NSEC_PER_SEC / 100);
	if (!look_over(l, 0, share, l->share))
		return;
	f = look_found(l, 0);
	f->who = victim->cgroup_path;
	f->victim = look_name(l, victim);
	f->share = MIN(share, 100);
	f->filter = "memstall > 1";
	look_number(f, "stalled", UNIT_PERCENT, f->share);
	look_rate(f, "refaults", UNIT_BYTES, flows->refault_file + flows->refault_anon);
	look_rate(f, "swapin", UNIT_BYTES, flows->swap_in);
}

const struct finding_kind finding_memory_shortage = {
	.name = "memory-shortage",
	.title = N_("memory is short"),
	.sentence = N_("memory is short: {victim} is stalled {stalled} of its time, {refaults} of "
		       "evicted file pages are read again, {swapin} swapped in"),
	.help = N_("Pages are evicted that are needed again soon: more memory would end this I/O."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_SYSTEM | SRC_TASKS | SRC_MEMSTALL,
	.screen = "tasks",
	.look = look,
};
