/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The value of one option: from text and back. */
#ifndef IOTOP_OPTIONS_VALUE_H
#define IOTOP_OPTIONS_VALUE_H

#include "base/buf.h"
#include "options/table.h"

/* Puts an argument (NULL: none given) into o. 0, or -EINVAL and one line in why. */
int option_apply(struct options *o, const struct option_info *info, const char *arg,
		 struct buf *why);
/* What stands behind "name=" in the configuration file, in a; NULL: it is the default. */
const char *option_text(const struct options *o, const struct option_info *info, struct arena *a);

#endif
