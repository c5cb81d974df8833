// SPDX-License-Identifier: GPL-2.0-or-later
/* The disks: how busy and how slow each is, and which tasks use it. */
#include "base/i18n.h"
#include "data/source.h"
#include "screens/disks.h"
#include "tui/screen.h"

/* The table of processes on disks: what the screen is when grouped by process. */
static const struct screen by_process = {
	.name = "disks/process",
	.title = N_("Disks"),
	.tab = NC_("tab", "Disks"),
	.help = N_("which process does what on which disk"),
	.entity = ENTITY_DISKTASK,
	.columns = "pid,op,major,minor,disk,ios,bytes,avg,max,comm",
	.sort = "bytes",
	.group = GROUP_PROCESS,
	.needs = SRC_DISKS | SRC_SYSTEM | SRC_TASKS | SRC_EXITS,
	.all_there = true,
};

const struct screen screen_disks = {
	.name = "disks",
	.title = N_("Disks"),
	.tab = NC_("tab", "Disks"),
	.help = N_("every disk, how busy and how slow it is, what lies on it"),
	.entity = ENTITY_DISK,
	.columns = "disk,read,write,riops,wiops,rlat,rp99,wlat,wp99,queue,device,depth,util,errors,"
		   "history,mounts",
	.sort = "util",
	.tree = true,
	.needs = SRC_DISKS | SRC_SYSTEM | SRC_BLOCK,
	.detail_needs = SRC_LAYERS | SRC_TASKS | SRC_EXITS | SRC_PATTERN,
	.explore = disk_detail,
	.settle = disk_detail_settle,
	.detail_keys = disk_detail_keys,
	.by_process = &by_process,
};
