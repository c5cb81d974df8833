/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of a session: session.c takes samples, session_names.c fetches what comes late. */
#ifndef IOTOP_SESSION_NAMES_H
#define IOTOP_SESSION_NAMES_H

#include "session.h"

/* The yield callback; what it answers from is shown before. */
void session_yield(struct session *s, const struct session_viewer *viewer);
/* Names of the stacks that the newest model wants. */
void session_fetch_stacks(struct session *s, const struct session_viewer *viewer);

#endif
