/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the terminal's background is light, asked of the terminal itself (OSC 11). */
#ifndef IOTOP_TUI_BACKGROUND_H
#define IOTOP_TUI_BACKGROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum background {
	BACKGROUND_UNKNOWN,
	BACKGROUND_DARK,
	BACKGROUND_LIGHT,
};

/* What the terminal was asked. */
struct background_question {
	uint64_t until;	/* when no answer is awaited any more, ns of CLOCK_MONOTONIC; 0: none is */
	enum background found;
	struct buf read;	/* until all answers are there; then the keys that were pressed */
};

/*
 * Takes the answers to both questions out of what was read, the rest stays. *ret_done: the last one
 * is there (every terminal answers that), or there is more to come.
 */
enum background background_answer(struct buf *read, bool *ret_done);
/*
 * Asks the terminal that stdin and stdout are, which is in a mode without echo. One that is not
 * known to take questions is not asked. The caller owns q->read.
 */
void background_ask(struct background_question *q);
/*
 * Reads what is there of the answers; wait: until all are there, or a moment has passed since the
 * question. Returns whether it is answered, or as good as, which it always is after waiting:
 * q->found is what can be told then.
 */
bool background_listen(struct background_question *q, bool wait);

#endif
