/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of --help. */
#ifndef IOTOP_OPTIONS_HELP_H
#define IOTOP_OPTIONS_HELP_H

#include "base/buf.h"

void options_help(struct buf *out);

#endif
