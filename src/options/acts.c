// SPDX-License-Identifier: GPL-2.0-or-later
/* Where an option acts: on which screens, with which subcommands. */
#include <string.h>

#include "options/table.h"
#include "tui/screen.h"

bool option_acts_with(const struct option_info *info, enum command command)
{
	/* What only prints something about the program does so anywhere. */
	if (info->kind == OPT_ACTION && info->value != ACTION_WRITE_CONFIG)
		return true;
	return (info->commands ? info->commands : 1u << COMMAND_LIVE) & 1u << command;
}

bool option_acts_on(const struct option_info *info, const char *place)
{
	size_t len = strlen(place);

	if (!option_acts_with(info, COMMAND_LIVE))
		return false;
	if (!info->screens)
		return true;
	for (const char *p = info->screens; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (n == len && !strncmp(p, place, n))
			return true;
		p += n;
	}
	return false;
}

const char *option_place(size_t i)
{
	size_t at = 0;

	for (unsigned k = 0; screens[k]; k++) {
		if (at++ == i)
			return screens[k]->name;
		if (screens[k]->by_process && at++ == i)
			return screens[k]->by_process->name;
	}
	return NULL;
}

bool option_available(const struct option_info *info)
{
	const char *place;

	for (size_t i = 0; (place = option_place(i)); i++)
		if (option_acts_on(info, place))
			return true;
	for (int i = COMMAND_LIVE + 1; i < COMMAND_COUNT; i++)
		if (option_acts_with(info, (enum command)i))
			return true;
	return false;
}
