// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/action_names.h"

#include <stddef.h>

#include "tui/actions.h"

#define ENTRY(action, name) { name, act_##action },

const struct action_name action_names[] = { ACTION_LIST(ENTRY, ENTRY) { NULL, NULL } };

const char *action_name(const struct binding *b)
{
	for (const struct action_name *a = action_names; a->name; a++)
		if (a->run == b->run)
			return a->name;
	return b->action;
}
