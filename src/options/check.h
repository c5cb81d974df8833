/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether what the options name exists on this machine: users, processes, disks, groups. */
#ifndef IOTOP_OPTIONS_CHECK_H
#define IOTOP_OPTIONS_CHECK_H

#include "base/buf.h"
#include "options/options.h"

/*
 * Also puts names in their plain form and looks up ids. 0, or -EINVAL and one line in why.
 */
int options_check(struct options *o, struct buf *why);

#endif
