/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration file, then the command line over it. */
#ifndef IOTOP_OPTIONS_COMMAND_LINE_H
#define IOTOP_OPTIONS_COMMAND_LINE_H

#include "base/buf.h"
#include "options/options.h"

/*
 * Fills o (released by options_release() in any case). The configuration file is read only for the
 * full-screen program: what a script gets does not depend on what somebody saved. 0, or -EINVAL and
 * one line in why (file errors name file and line).
 */
int options_parse(struct options *o, int argc, char *const argv[], struct buf *why);

#endif
