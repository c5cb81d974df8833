/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the terminal's background is light, asked of the terminal itself (OSC 11). */
#ifndef IOTOP_TUI_BACKGROUND_H
#define IOTOP_TUI_BACKGROUND_H

#include <stdbool.h>

#include "base/buf.h"

enum background {
	BACKGROUND_UNKNOWN,
	BACKGROUND_DARK,
	BACKGROUND_LIGHT,
};

/*
 * Takes the answers to both questions out of what was read, the rest stays. *ret_done: the last one
 * is there (every terminal answers that), or there is more to come.
 */
enum background background_answer(struct buf *read, bool *ret_done);
/*
 * Asks the terminal that stdin and stdout are, which is in a mode without echo, and waits a moment.
 * rest: keys that were pressed meanwhile. One that is known to take no questions is not asked.
 */
enum background background_ask(struct buf *rest);

#endif
