/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether samples can become one, and nothing is counted otherwise by it (thinner.h). */
#ifndef IOTOP_RECORD_THIN_JUDGE_H
#define IOTOP_RECORD_THIN_JUDGE_H

#include "data/sample.h"

enum thin_bits {
	THIN_ENDS_BEFORE = 1u << 0, /* an interval ends with the sample before */
	THIN_ENDS_AFTER = 1u << 1,  /* the sample is an interval of its own */
	THIN_APART = 1u << 2,	    /* the sample before is one */
};

/*
 * Of a sample that follows on `before': `sum' are those before that one in the same interval, and
 * `last' is what was left of the intervals before.
 */
unsigned thin_judge(const struct sample *s, const struct sample *before, const struct sample *sum,
		    const struct sample *last);

#endif
