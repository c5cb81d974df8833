// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/help.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/i18n.h"
#include "options/table.h"
#include "out/list.h"

/* "-n, --iter=NUM" */
static const char *help_name(struct arena *a, const struct option_info *info)
{
	char letter[8] = "    ";
	const char *arg = info->arg ? info->arg : "";

	if (info->letter)
		snprintf(letter, sizeof(letter), "-%c, ", info->letter);
	if (*arg == '[')
		return arena_printf(a, "%s--%s[=%s", letter, info->name, arg + 1);
	return arena_printf(a, "%s--%s%s%s", letter, info->name, *arg ? "=" : "", arg);
}

void options_help(struct buf *out)
{
	buf_puts(out, _("Usage: iotop [OPTION]... [SECONDS [REPORTS]]\n"
			"       iotop serve [OPTION]...\n"
			"       iotop record [OPTION]...\n"
			"Who is doing disk I/O, to which disk, and why it is slow.\n"));
	for (int g = 0; g < HELP_GROUPS; g++) {
		struct list_item items[64];
		struct arena a;
		size_t n = 0;

		arena_init(&a);
		for (unsigned i = 0; i < option_count && n < ARRAY_SIZE(items); i++)
			if ((int)option_table[i].group == g && option_available(&option_table[i]))
				items[n++] = (struct list_item){ help_name(&a, &option_table[i]),
								 option_table[i].help };
		if (n) {
			buf_printf(out, "\n%s:\n", _(help_group_titles[g]));
			list_print(out, items, n, 2);
		}
		arena_release(&a);
	}
}
