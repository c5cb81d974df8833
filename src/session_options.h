/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session does, from the options of the command line. */
#ifndef IOTOP_SESSION_OPTIONS_H
#define IOTOP_SESSION_OPTIONS_H

#include "loop.h"
#include "options/options.h"
#include "session.h"

/* ret borrows from o. helper: NULL when replaying. */
void options_session(struct session_options *ret, const struct options *o, struct helper *helper);
/* The same of the full screen. */
void options_loop(struct loop_options *ret, const struct options *o,
		  const struct session_options *so);
/*
 * What --when, --keep and --exec ask for; *ret is NULL when that is nothing. Forks: before the
 * helpers. 0, or -EINVAL and in why what is wrong.
 */
int options_trigger(const struct options *o, struct trigger **ret, struct buf *why);
/* There is one report, at the end, of all intervals. */
bool options_told_once(const struct options *o);
/* Sources (enum source bits) of --record-sources, or of a service; 0: none were asked for. */
unsigned options_recorded(const struct options *o);
/* -K and -U: both, or neither, are both. */
enum which_stacks options_stacks(const struct options *o);
/* The privileges (enum privilege bits) that this run may need. main() drops the others for good. */
unsigned options_privileges(const struct options *o);

#endif
