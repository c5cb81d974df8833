// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/macro.h"
#include "base/parse.h"

/* Copies text, as snprintf(out, size, "%s") does. */
static int put_string(char *out, size_t size, const char *text)
{
	size_t n = strlen(text), fits = size && n >= size ? size - 1 : n;

	if (size) {
		memcpy(out, text, fits);
		out[fits] = '\0';
	}
	return (int)n;
}

int whole_format(char out[static WHOLE_FORMAT], uint64_t v)
{
	char text[WHOLE_FORMAT], *p = text + sizeof(text);
	size_t n;

	*--p = '\0';
	do {
		*--p = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	n = (size_t)(text + sizeof(text) - p);
	memcpy(out, p, n);
	return (int)n - 1;
}

/* By hand: the C library took most of the time of a report of ten thousand rows. */
int fixed_format(char *out, size_t size, double v, int decimals, const char *suffix)
{
	static const double powers[] = { 1, 10, 100, 1000 };
	char text[64], *p = text + sizeof(text);
	size_t n = strlen(suffix);
	unsigned long long number;
	int digits = 0;

	if (v >= 1e15)
		return snprintf(out, size, "%.0f%s", v, suffix);
	number = (unsigned long long)llround(v * powers[decimals]);
	*--p = '\0';
	p = memcpy(p - n, suffix, n);
	do {
		if (decimals && digits == decimals)
			*--p = '.';
		*--p = (char)('0' + number % 10);
		number /= 10;
		digits++;
	} while (number || digits <= decimals);
	return put_string(out, size, p);
}

static int put_fixed(char *out, size_t size, double v, int decimals)
{
	return fixed_format(out, size, v, decimals, "");
}

/* Decimals that make three digits of v. */
static int decimals_of(double v)
{
	return v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
}

/* A number without a prefix: whole when it is whole or large enough. */
static int decimals_plain(double v)
{
	if (v == floor(v) || v >= 9.95)
		return 0;
	return v < 0.995 ? 2 : 1;
}

static int format_bytes(char *out, size_t size, double v, const struct unit_style *style)
{
	static const char *const binary[] = { " B",   " KiB", " MiB", " GiB",
					      " TiB", " PiB", " EiB" };
	static const char *const decimal[] = { " B", " kB", " MB", " GB", " TB", " PB", " EB" };
	const char *const *names = style->si ? decimal : binary;
	double base = style->si ? 1000 : 1024;
	size_t i = 0;

	if (style->kilobytes)
		return fixed_format(out, size, v / base, 2, names[1]);
	/* A fourth digit never: 1000 … 1023 are 0.98 … 1.00 of the next. */
	for (; v >= 999.5 && i + 1 < ARRAY_SIZE(binary); i++)
		v /= base;
	return fixed_format(out, size, v, i ? decimals_of(v) : decimals_plain(v), names[i]);
}

static int format_count(char *out, size_t size, double v)
{
	static const char *const names[] = { "", "k", "M", "G", "T", "P", "E" };
	size_t i = 0;

	for (; v >= 999.5 && i + 1 < ARRAY_SIZE(names); i++)
		v /= 1000;
	return fixed_format(out, size, v, i ? decimals_of(v) : decimals_plain(v), names[i]);
}

static int format_ns(char *out, size_t size, double v, const struct unit_style *style)
{
	static const struct {
		const char *name, *ascii;
		double limit, next;	/* from limit on divide by next */
	} units[] = {
		{ "ns", "ns", 999.5, 1000 },
		{ "µs", "us", 999.5, 1000 },
		{ "ms", "ms", 999.5, 1000 },
		{ "s", "s", 99.95, 60 },
		{ "m", "m", 99.95, 60 },
		{ "h", "h", 99.95, 24 },
		{ "d", "d", INFINITY, 1 },
	};
	size_t i = 0;

	if (style->milliseconds)
		return fixed_format(out, size, v / 1e6, 2, "");
	for (; v >= units[i].limit; i++)
		v /= units[i].next;
	return fixed_format(out, size, v, i ? decimals_of(v) : 0,
			    style->ascii ? units[i].ascii : units[i].name);
}

static int format_plain(char *out, size_t size, enum unit unit, double v,
			const struct unit_style *style)
{
	if (!(v >= 0) || isinf(v))
		return snprintf(out, size, "-");
	switch (unit) {
	case UNIT_BYTES:
		return format_bytes(out, size, v, style);
	case UNIT_COUNT:
		return format_count(out, size, v);
	case UNIT_NS:
		return format_ns(out, size, v, style);
	case UNIT_PERCENT:
		return put_fixed(out, size, v, v < 99.95 ? 1 : 0);
	case UNIT_RATIO:
		return put_fixed(out, size, v, decimals_of(v));
	case UNIT_CLOCK:
		clock_hms_us(out, size, (uint64_t)v);
		return (int)strlen(out);
	case UNIT_NONE:
		break;
	}
	return put_fixed(out, size, v, 0);
}

int unit_format(char *out, size_t size, enum unit unit, double v, const struct unit_style *style)
{
	static const struct unit_style plain;
	int n = format_plain(out, size, unit, v, style ? style : &plain);
	char *point = style && style->point && size ? strchr(out, '.') : NULL;

	if (point)
		*point = style->point;
	return n;
}

int unit_format_classic(char *out, size_t size, double bytes, int rate,
			const struct unit_style *style)
{
	static const char letters[] = "BKMGTPE";
	double base = style->si ? 1000 : 1024;
	char suffix[] = " B/s";
	size_t i = 0;

	if (!(bytes >= 0) || isinf(bytes))
		return snprintf(out, size, "-");
	if (style->kilobytes) {
		bytes /= base;
		i = 1;
	} else {
		/* The classic tool changes the letter from two of the next unit on. */
		for (; bytes >= 2 * base && letters[i + 1]; i++)
			bytes /= base;
	}
	suffix[1] = letters[i];
	if (!rate)
		suffix[2] = '\0';
	return fixed_format(out, size, bytes, 2, suffix);
}

static int put_whole(char *out, size_t size, double v)
{
	if (signbit(v) && v != 0 && size) {
		*out = '-';
		return 1 + put_fixed(out + 1, size - 1, -v, 0);
	}
	return put_fixed(out, size, fabs(v), 0);
}

int double_format(char *out, size_t size, double v)
{
	locale_t old;
	int n = 0;

	/* Most numbers are whole, and most of these 0. */
	if (v == floor(v) && fabs(v) < 1e15)
		return put_whole(out, size, v);
	old = uselocale(locale_c());

	for (int digits = 15; digits <= 17; digits++) {
		n = snprintf(out, size, "%.*g", digits, v);
		if (strtod(out, NULL) == v)
			break;
	}
	uselocale(old);
	return n;
}
