/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session does, from the options of the command line. */
#ifndef IOTOP_SESSION_OPTIONS_H
#define IOTOP_SESSION_OPTIONS_H

#include "options/options.h"
#include "session.h"

/* ret borrows from o. helper: NULL when replaying. */
void options_session(struct session_options *ret, const struct options *o, struct helper *helper);
/* -K and -U: both, or neither, are both. */
enum which_stacks options_stacks(const struct options *o);
/* The privileges (enum privilege bits) that this run may need. main() drops the others for good. */
unsigned options_privileges(const struct options *o);

#endif
