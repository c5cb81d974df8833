/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "iotop record" and "iotop serve": a session without a screen, a service of systemd. */
#ifndef IOTOP_SERVICE_H
#define IOTOP_SERVICE_H

#include "base/err.h"
#include "options/options.h"

struct helper;
struct keep;
struct session;
struct trigger;

struct service {
	const struct options *o;
	struct keep *keep;		/* the store that is kept; NULL: none */
	struct trigger *trigger;	/* NULL: none */
	/* One step of the session. 1: go on; 0; -errno. */
	int (*tick)(void *arg, struct session *session, struct err *err);
	void *arg;
};

/* Seconds between samples, as the settings of the store say now, if there is one. */
double service_delay(const struct service *s);
/*
 * Until a stop request, or as many samples as were asked for; systemd is told how it goes. The
 * helpers were forked. Negative: -errno.
 */
int service_run(const struct service *s, struct helper *helper, struct err *err);

#endif
