// SPDX-License-Identifier: GPL-2.0-or-later
/* The tab of blocked tasks: who waits, where, and who wakes them. */
#include "base/i18n.h"
#include "data/offcpu.h"
#include "tui/screen.h"

const struct screen screen_offcpu = {
	.name = "offcpu",
	.title = N_("Off-CPU"),
	.help = N_("who is blocked, on what, and who woke it"),
	.entity = ENTITY_OFFCPU,
	.columns = "blocked,count,max,state,comm,pid,cause,woken,path",
	.sort = "blocked",
	.group = GROUP_PROCESS,
	.needs = SRC_DISKS | SRC_SYSTEM,
};
