/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOTOP_COLLECT_HELPER_COMMANDS_H
#define IOTOP_COLLECT_HELPER_COMMANDS_H

#include "base/buf.h"
#include "collect/helper/wire.h"

/*
 * Serves MESSAGE_COMMANDS, in the opener: reading command lines waits for the memory of a process,
 * which may be a file that does not answer. proc: a descriptor of /proc; text: is overwritten.
 * 0, or -EPROTO.
 */
int commands_serve(int proc, struct buf *text, struct wire_reader *r, struct buf *out);

#endif
