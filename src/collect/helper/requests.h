/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What helpers were asked, in order. */
#ifndef IOTOP_COLLECT_HELPER_REQUESTS_H
#define IOTOP_COLLECT_HELPER_REQUESTS_H

#include <stdbool.h>

#include "collect/helper/helper.h"

struct request {
	struct request *next;
	uint32_t id, message;
	helper_answer *answer;	/* NULL: cancelled */
	bool ended_one;		/* a helper ended while it was the first it was asked */
	void *arg;
	const void *owner;
	size_t len;
	unsigned char data[];
};

/* In order, owned by whoever holds the list. */
struct requests {
	struct request *first, **end;
	size_t n;
};

void requests_init(struct requests *r);
/* At the end; q is the list's from now on. */
void requests_add(struct requests *r, struct request *q);
/* The first, the caller's from now on; NULL: there is none. */
struct request *requests_take(struct requests *r);
/* All of `from` before all of `to`. */
void requests_put_back(struct requests *to, struct requests *from);
/* Frees them; nobody is answered. */
void requests_drop(struct requests *r);
/*
 * Those of this owner fail now. They stay in their place: the answer that comes is nobody's.
 */
void requests_cancel(struct requests *r, const void *owner);
/* Answers it (data NULL: it failed) and frees it; q may be NULL. */
void request_answer(struct request *q, const void *data, size_t len);

#endif
