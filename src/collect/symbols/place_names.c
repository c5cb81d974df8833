// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/place_names.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"

#define NAMES_MAX 16384		/* names kept, unless more are in use */
#define NAMES_IDLE 60		/* rounds without use after which one may go */
#define AGAIN (2 * NSEC_PER_SEC)	/* runtimes add to their lists as they go */

void place_names_init(struct place_names *names)
{
	*names = (struct place_names){ .round = 0 };
	hash_init(&names->by_id, offsetof(struct place_name, id), sizeof(uint64_t));
}

static void name_drop(void *value, void *arg)
{
	struct place_name *n = value;

	free(n->text);
	free(n);
}

void place_names_release(struct place_names *names)
{
	hash_clear(&names->by_id, name_drop, NULL);
}

static unsigned name_age(const void *value, const void *arg)
{
	const struct place_name *n = value;

	return n->asked ? 0 : ((const struct place_names *)arg)->round - n->round;
}

void place_names_round(struct place_names *names)
{
	names->round++;
	hash_age(&names->by_id, NAMES_MAX, NAMES_IDLE, name_age, name_drop, names);
}

struct place_name *place_names_get(struct place_names *names, uint64_t id)
{
	struct place_name *n = hash_get(&names->by_id, &id);

	if (n)
		n->round = names->round;
	return n;
}

bool place_names_ask(struct place_names *names, uint64_t id, bool changes)
{
	struct place_name *n = place_names_get(names, id);

	if (n && (n->asked || n->text || !changes || clock_mono() - n->at < AGAIN))
		return false;
	if (!n) {
		n = mem_zalloc(sizeof(*n));
		n->id = id;
		n->round = names->round;
		hash_put(&names->by_id, n);
	}
	n->asked = true;
	return true;
}

void place_names_set(struct place_names *names, uint64_t id, const char *text, size_t len,
		     const char *why)
{
	struct place_name *n = hash_get(&names->by_id, &id);

	if (!n)
		return;
	n->asked = false;
	n->at = clock_mono();
	free(n->text);
	n->text = NULL;
	n->why = why;
	if (!len || !*text)
		return;
	n->text = mem_strndup(text, len);
}
