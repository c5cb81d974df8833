/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's pressure and iowait are of tasks that wait for no I/O. */
#include "base/i18n.h"
#include "data/finding/look.h"

#define PRESSURE 20	/* percent of the time */

static void look(struct finding_look *l)
{
	double some = l->m->totals.psi_some;
	struct finding_row *f;

	if (!l->m->totals.psi_idle || !look_over(l, 0, some, PRESSURE))
		return;
	f = look_found(l, 0);
	f->share = some;
	f->filter = "iowait > 5";
	look_number(f, "some", UNIT_PERCENT, some);
}

static double pressure(const struct model *m)
{
	return m->totals.psi_some;
}

const struct finding_kind finding_iowait_idle = {
	.name = "iowait-without-io",
	.title = N_("iowait without I/O"),
	.sentence = N_("the kernel's I/O pressure of {some} is of tasks that wait for events, not "
		       "for disks"),
	.help = N_("Tasks that wait for events of a ring count as iowait though no I/O is under "
		   "way."),
	.severity = SEVERITY_NOTE,
	.needs = SRC_SYSTEM | SRC_TASKS,
	.either = LOOK_WAITS,
	.total = pressure,
	.without = N_("this kernel has no PSI or booted with psi=0"),
	.screen = "tasks",
	.look = look,
};
