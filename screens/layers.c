// SPDX-License-Identifier: GPL-2.0-or-later
/* The tab of layers: where in the kernel the time of I/O goes. */
#include "base/i18n.h"
#include "data/layer.h"
#include "tui/screen.h"

const struct screen screen_layers = {
	.name = "layers",
	.title = N_("Layers"),
	.help = N_("where in the kernel the time of I/O goes, layer by layer"),
	.entity = ENTITY_LAYER,
	.columns = "layer,op,fs,disk,count,total,avg,p50,p99,max,share,bar,dist",
	.sort = "total",
	.tree = true,
	.needs = SRC_DISKS | SRC_SYSTEM,
	.header = machine_header,
};
