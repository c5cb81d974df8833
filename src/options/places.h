/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where options act: an option that does nothing where it is given is refused. */
#ifndef IOTOP_OPTIONS_PLACES_H
#define IOTOP_OPTIONS_PLACES_H

#include "base/buf.h"
#include "options/options.h"

struct screen;

/*
 * Checks what the command line gave (o->given) against the chosen screen, the format and whether a
 * recording is shown. 0, or -EINVAL and one line in why.
 */
int places_check(const struct options *o, const struct screen *chosen, struct buf *why);
/* That all of what was given may be saved. */
int places_check_saved(const struct options *o, struct buf *why);
/* Whether the command line gave it by its name. */
bool options_given(const struct options *o, const char *name);
/* The table of options and places, a line an option. */
void places_list(struct buf *out);

#endif
