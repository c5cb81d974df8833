// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of findings: what is wrong, and why. */
#include "base/i18n.h"
#include "data/finding/finding.h"
#include "tui/draw/machine.h"
#include "tui/screen.h"

const struct screen screen_why = {
	.name = "why",
	.title = N_("Why"),
	.help = N_("what is wrong, who is held up by it, and what proves it"),
	.entity = ENTITY_FINDING,
	.columns = "severity,title,who,share,lasted,what",
	.sort = "rank:asc",
	.needs = SRC_DISKS | SRC_SYSTEM | SRC_BLOCK | SRC_TASKS | SRC_TASKIO | SRC_WAITS |
		 SRC_THROTTLE | SRC_EXITS,
	.header = machine_header,
};
