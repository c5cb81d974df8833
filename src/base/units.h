/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How numbers become text for people: three significant digits, a unit letter always. */
#ifndef IOTOP_BASE_UNITS_H
#define IOTOP_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

enum unit {
	UNIT_NONE,	/* a plain integer, printed in full */
	UNIT_COUNT,	/* a number of things: 980, 21.9k */
	UNIT_BYTES,	/* 1.12 MiB; with units of 1000 (unit_style.si) 1.17 MB */
	UNIT_NS,	/* a duration in nanoseconds: 180µs, 4.1ms, 1.20s */
	UNIT_PERCENT,	/* 71.3 */
	UNIT_RATIO,	/* 2.00 */
	UNIT_CLOCK,	/* a moment, ns of CLOCK_REALTIME: 14:02:10.482913 */
};

/*
 * What a person chose for the output; part of what is drawn, so it is an argument, never a global.
 */
struct unit_style {
	int si;			/* 1000 instead of 1024 */
	int kilobytes;		/* bytes always in KiB (kB) with two decimals, as -k of the
				 * classic tool */
	int ascii;		/* "us" instead of "µs" */
	int milliseconds;	/* durations always in ms with two decimals, the unit left out */
	char point;		/* of decimals; 0: '.' */
};

/*
 * Writes v into out (size bytes, NUL-terminated), e.g. "1.12 MiB". Returns the length. Negative and
 * NaN: "-".
 */
int unit_format(char *out, size_t size, enum unit unit, double v, const struct unit_style *style);
#define WHOLE_FORMAT 21	/* digits of a uint64_t, and the NUL */
/* All digits of v. Returns how many. */
int whole_format(char out[static WHOLE_FORMAT], uint64_t v);
/* v ≥ 0 with 0 to 3 decimals, a point in any locale, and the suffix. */
int fixed_format(char *out, size_t size, double v, int decimals, const char *suffix);
/*
 * The shortest text that reads back as the same number, with a point in any locale; v must be
 * finite, size at least 32.
 */
int double_format(char *out, size_t size, double v);
/* The classic iotop rate, e.g. "1146.88 K/s"; rate 0 leaves "/s" away (accumulated). */
int unit_format_classic(char *out, size_t size, double bytes, int rate,
			const struct unit_style *style);

#endif
