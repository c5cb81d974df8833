/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which format a client would rather have. */
#ifndef IOTOP_SERVE_ACCEPT_H
#define IOTOP_SERVE_ACCEPT_H

#include <stdbool.h>

/* accept: the header of the request, NULL: there is none. Else it is the older text format. */
bool accept_openmetrics(const char *accept);

#endif
