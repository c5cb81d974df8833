// SPDX-License-Identifier: GPL-2.0-or-later
#include "linger.h"

unsigned linger_needs(struct linger *l, unsigned shown, uint64_t now)
{
	unsigned left = l->shown & ~shown;

	/* Of one screen: each has its cost. */
	if (left) {
		l->left = left;
		l->until = now + LINGERS;
	}
	if (now >= l->until)
		l->left = 0;
	l->shown = shown;
	return shown | l->left;
}
