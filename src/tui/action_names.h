/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What actions are called on the command line (key :) and in settings. The names do not change. */
#ifndef IOTOP_TUI_ACTION_NAMES_H
#define IOTOP_TUI_ACTION_NAMES_H

#include "tui/binding.h"

struct action_name {
	const char *name;
	void (*run)(struct app *app);
};

extern const struct action_name action_names[];	/* ends with NULL */

/* NULL: it has none, which a test forbids. */
const char *action_name(const struct binding *b);

#endif
