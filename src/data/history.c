// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/history.h"

#include <math.h>
#include <string.h>

void history_push(struct history *h, double read, double write, double seconds)
{
	if (h->n == HISTORY_TICKS) {
		memmove(h->read, h->read + 1, sizeof(h->read) - sizeof(h->read[0]));
		memmove(h->write, h->write + 1, sizeof(h->write) - sizeof(h->write[0]));
		h->n--;
	}
	h->read[h->n] = seconds > 0 ? read / seconds : NAN;
	h->write[h->n++] = seconds > 0 ? write / seconds : NAN;
}
