/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells the service manager how things are: sd_notify(3), the protocol without the library. */
#ifndef IOTOP_NOTIFY_H
#define IOTOP_NOTIFY_H

#define WATCHDOG_MS 10000	/* from one sign of life to the next, in long intervals */

/*
 * "READY=1", "WATCHDOG=1", "STOPPING=1", "STATUS=…". Nothing happens where no manager asked for it
 * (NOTIFY_SOCKET); whether it listens is its affair.
 */
void notify(const char *state);

#endif
