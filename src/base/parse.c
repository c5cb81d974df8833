// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/parse.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/macro.h"

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Reads digits at *p; -EINVAL without any, -ERANGE when they are too many. */
static int take_u64(const char **p, uint64_t *ret)
{
	uint64_t v = 0;
	const char *s = *p;

	if (!is_digit(*s))
		return -EINVAL;
	for (; is_digit(*s); s++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return -ERANGE;
	*p = s;
	*ret = v;
	return 0;
}

int parse_u64(const char *s, uint64_t *ret)
{
	uint64_t v;
	int r = take_u64(&s, &v);

	if (r < 0)
		return r;
	if (*s)
		return -EINVAL;
	*ret = v;
	return 0;
}

int parse_u32(const char *s, uint32_t *ret)
{
	uint64_t v;
	int r = parse_u64(s, &v);

	if (r < 0)
		return r;
	if (v > UINT32_MAX)
		return -ERANGE;
	*ret = (uint32_t)v;
	return 0;
}

/* Length of the decimal fraction at s, with exponent when allowed; 0: none. */
static size_t span_f64(const char *s, int exponent)
{
	const char *p = s;
	size_t digits = 0;

	if (*p == '-' || *p == '+')
		p++;
	for (; is_digit(*p); p++)
		digits++;
	if (*p == '.')
		for (p++; is_digit(*p); p++)
			digits++;
	if (!digits)
		return 0;
	if (exponent && (*p == 'e' || *p == 'E')) {
		const char *e = p + 1;

		if (*e == '-' || *e == '+')
			e++;
		if (is_digit(*e)) {
			while (is_digit(*e))
				e++;
			p = e;
		}
	}
	return (size_t)(p - s);
}

locale_t locale_c(void)
{
	static locale_t c;

	if (!c)
		c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c)
		mem_exhausted();
	return c;
}

int parse_f64(const char *s, double *ret)
{
	size_t n = span_f64(s, 1);
	double v;

	if (!n || s[n])
		return -EINVAL;
	v = strtod_l(s, NULL, locale_c());
	if (!isfinite(v))
		return -ERANGE;
	*ret = v;
	return 0;
}

/* Length of a number without sign that a unit may follow. */
static int take_number(const char *s, size_t *ret_len)
{
	size_t n = span_f64(s, 0);

	if (!n || *s == '-' || *s == '+')
		return -EINVAL;
	*ret_len = n;
	return 0;
}

/* number × factor, exactly when the number is an integer. */
static int scale(const char *s, size_t len, uint64_t factor, uint64_t *ret)
{
	char number[64];
	uint64_t v;
	double f;

	if (len >= sizeof(number))
		return -ERANGE;
	memcpy(number, s, len);
	number[len] = '\0';
	if (!strchr(number, '.')) {
		int r = parse_u64(number, &v);

		if (r < 0)
			return r;
		if (__builtin_mul_overflow(v, factor, &v))
			return -ERANGE;
		*ret = v;
		return 0;
	}
	f = nearbyint(strtod_l(number, NULL, locale_c()) * (double)factor);
	if (!(f < 18446744073709549568.0))
		return -ERANGE;
	*ret = (uint64_t)f;
	return 0;
}

int parse_duration(const char *s, uint64_t unit_ns, uint64_t *ret_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "\302\265s", 1000 },	/* U+00B5 */
		{ "\316\274s", 1000 },	/* U+03BC */
		{ "ms", 1000000 },
		{ "s", NSEC_PER_SEC },
		{ "m", 60 * NSEC_PER_SEC },
		{ "min", 60 * NSEC_PER_SEC },
		{ "h", 3600 * NSEC_PER_SEC },
		{ "d", 86400 * NSEC_PER_SEC },
	};
	const char *unit;
	uint64_t bare;
	size_t len;
	int r = take_number(s, &len);

	if (r < 0)
		return r;
	for (unit = s + len; is_blank(*unit); unit++)
		;
	if (!*unit && !unit_ns && !scale(s, len, NSEC_PER_SEC, &bare) && bare)
		return -EINVAL;
	if (!*unit)
		return scale(s, len, unit_ns, ret_ns);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(unit, units[i].name))
			return scale(s, len, units[i].ns, ret_ns);
	return -EINVAL;
}

int parse_size(const char *s, int si, uint64_t *ret)
{
	static const char letters[] = "kmgtpe";
	uint64_t base = si ? 1000 : 1024, factor = 1;
	const char *unit, *letter;
	size_t len;
	int r = take_number(s, &len);

	if (r < 0)
		return r;
	for (unit = s + len; is_blank(*unit); unit++)
		;
	letter = *unit ? strchr(letters, *unit | 0x20) : NULL;
	if (letter) {
		unit++;
		if (*unit == 'i') {
			base = 1024;
			unit++;
		}
		for (ptrdiff_t i = letter - letters; i >= 0; i--)
			factor *= base;
	}
	if (*unit == 'B' || *unit == 'b')
		unit++;
	if (*unit)
		return -EINVAL;
	return scale(s, len, factor, ret);
}

uint64_t scan_u64(const char **p)
{
	const char *s = *p;
	uint64_t v = 0;

	while (is_blank(*s))
		s++;
	if (!is_digit(*s))
		return 0;
	for (; is_digit(*s); s++)
		v = v * 10 + (uint64_t)(*s - '0');
	*p = s;
	return v;
}

void scan_line(const char **p)
{
	const char *s = strchr(*p, '\n');

	*p = s ? s + 1 : *p + strlen(*p);
}

bool list_has(const char *list, const char *word, char separator)
{
	size_t len = strlen(word);

	for (const char *p = list; len && (p = strstr(p, word)); p++)
		if ((p == list || p[-1] == separator) && (!p[len] || p[len] == separator))
			return true;
	return false;
}
