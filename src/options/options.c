// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/options.h"

#include <stdlib.h>

void options_init(struct options *o)
{
	*o = (struct options){ .delay = 1, .group = -1, .layer = -1, .op = -1 };
	arena_init(&o->strings);
}

void options_release(struct options *o)
{
	for (size_t i = 0; i < o->nusers; i++)
		free(o->users[i]);
	free(o->users);
	free(o->pids);
	free(o->tgids);
	arena_release(&o->strings);
	options_init(o);
}
