/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A generic netlink socket to the kernel's taskstats. */
#ifndef IOTOP_COLLECT_PROC_GENL_H
#define IOTOP_COLLECT_PROC_GENL_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct nlmsghdr;

struct genl;

/* buffer: of the socket, bytes. Where the kernel has no taskstats for us, err says why. */
int genl_open(struct genl **ret, int buffer, struct err *err);
void genl_close(struct genl *g);
int genl_fd(const struct genl *g);
int genl_family(const struct genl *g);
/* A sequence number, and n - 1 after it. */
uint32_t genl_sequence(struct genl *g, uint32_t n);
/* TASKSTATS_CMD_GET with one attribute, and what the kernel says to it. */
int genl_request(struct genl *g, int attr, const void *data, size_t len, struct err *err);
/*
 * Calls take for each message that is in the socket now. Returns -EAGAIN when it is empty then,
 * -ENOBUFS when the kernel had to drop messages since the last time (call again), or another
 * -errno.
 */
int genl_receive(struct genl *g, void (*take)(const struct nlmsghdr *h, void *arg), void *arg);
/* What is behind the generic header of a taskstats message, NULL when h is another. */
const void *genl_payload(const struct genl *g, const struct nlmsghdr *h, size_t *ret_len);
/* How many messages the kernel had to drop, as it counts them; 0 where it does not tell. */
uint64_t genl_drops(const struct genl *g);

#endif
