// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/i18n.h"

bool i18n_is_off;

void i18n_begin(void)
{
	/* A catalogue begins with what it is for, as the translation of nothing. */
	i18n_is_off = !*gettext("");
}
