// SPDX-License-Identifier: GPL-2.0-or-later
/* Mounts of file systems that a server answers for. */
#include <stdio.h>

#include "base/i18n.h"
#include "data/source.h"
#include "tui/screen.h"

static size_t nothing(_unused_ const struct model *m, _unused_ const struct unit_style *style,
		      char *text, size_t size)
{
	return (size_t)snprintf(text, size, "%s",
				_("nothing is mounted that a server answers for (NFS, FUSE, …)"));
}

const struct screen screen_mounts = {
	.name = "mounts",
	.title = N_("Mounts"),
	.tab = NC_("tab", "Mounts"),
	.help = N_("file systems that a server answers for, and whether it does"),
	.entity = ENTITY_MOUNT,
	.columns = "mount,fs,read,write,calls,avg,rtt,waiting,silent,retrans,errors,source",
	.sort = "silent",
	.needs = SRC_DISKS | SRC_SYSTEM,
	.empty = nothing,
	.apart = true,
};
