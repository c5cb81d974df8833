// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/requests.h"

#include <stdlib.h>

void requests_init(struct requests *r)
{
	*r = (struct requests){ .end = &r->first };
}

void requests_add(struct requests *r, struct request *q)
{
	q->next = NULL;
	*r->end = q;
	r->end = &q->next;
	r->n++;
}

struct request *requests_take(struct requests *r)
{
	struct request *q = r->first;

	if (!q)
		return NULL;
	r->first = q->next;
	if (!r->first)
		r->end = &r->first;
	r->n--;
	return q;
}

void requests_put_back(struct requests *to, struct requests *from)
{
	if (!from->first)
		return;
	*from->end = to->first;
	if (!to->first)
		to->end = from->end;
	to->first = from->first;
	to->n += from->n;
	requests_init(from);
}

void request_answer(struct request *q, const void *data, size_t len)
{
	if (q && q->answer)
		q->answer(q->arg, data, data ? len : 0);
	free(q);
}

void requests_drop(struct requests *r)
{
	struct request *q;

	while ((q = requests_take(r)))
		free(q);
}

void requests_cancel(struct requests *r, const void *owner)
{
	for (struct request *q = r->first; q; q = q->next) {
		helper_answer *fn = q->answer;

		if (!fn || q->owner != owner)
			continue;
		q->answer = NULL;
		fn(q->arg, NULL, 0);
	}
}
