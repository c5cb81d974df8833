/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages between this program's processes: packets of a socket pair, each a head of fixed size
 * and at most WIRE_DATA bytes, at most one descriptor beside them. A message longer than a packet
 * is several of one id, all but the last with `more`.
 */
#ifndef IOTOP_COLLECT_HELPER_WIRE_H
#define IOTOP_COLLECT_HELPER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

#define WIRE_DATA 32768u

struct wire_head {
	uint32_t kind;	/* whatever the two sides agree on */
	uint32_t id;	/* of the request that it is, or answers */
	uint32_t len;	/* bytes that follow the head, at most WIRE_DATA */
	uint32_t more;	/* 1: the message goes on in the next packet; 0 */
};

/* A packet as it came. */
struct wire_packet {
	struct wire_head head;
	unsigned char data[WIRE_DATA];
};

/* Both descriptors close on execve(). 0 or -errno. */
int wire_pair(int ret_fds[2]);
/*
 * One packet; fd: handed over with it, which leaves the caller's open; -1: none. 0; -EAGAIN only of
 * a socket that does not wait.
 */
int wire_send(int socket, const struct wire_head *head, const void *data, int fd, bool wait);
/* A message of any length, in as many packets as it takes. */
int wire_send_all(int socket, uint32_t kind, uint32_t id, const void *data, size_t len);
/*
 * The next packet. 1; 0: the other side is gone; -EAGAIN; -EPROTO: what came is no packet of ours,
 * and the other side is not to be listened to any more. *ret_fd (NULL: refused): the descriptor
 * that came with it, the caller's from now on; -1: none.
 */
int wire_recv(int socket, struct wire_packet *ret, int *ret_fd, bool wait);

/*
 * Reads what came, never beyond its end: after the first that is missing everything is, and zero.
 */
struct wire_reader {
	const unsigned char *at, *end;
	bool short_;	/* something was missing */
};

/* data may be NULL where len is 0. */
static inline struct wire_reader wire_reader(const void *data, size_t len)
{
	const unsigned char *at = data;

	return (struct wire_reader){ .at = at, .end = len ? at + len : at };
}

void wire_read(struct wire_reader *r, void *ret, size_t n);
uint32_t wire_u32(struct wire_reader *r);
uint64_t wire_u64(struct wire_reader *r);
/*
 * A text of at most max bytes, with its length before it; not terminated, in the message's memory.
 */
const char *wire_text(struct wire_reader *r, size_t max, size_t *ret_len);
void wire_put_u32(struct buf *b, uint32_t v);
void wire_put_u64(struct buf *b, uint64_t v);
void wire_put_text(struct buf *b, const char *s, size_t n);

#endif
