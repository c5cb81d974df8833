// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8_table.h"

#define REPLACEMENT 0xfffdu

/* As utf8_next() but reads at most n bytes. *ret_valid tells a real U+FFFD from a bad byte. */
static int decode(const char *str, size_t n, uint32_t *ret_point, bool *ret_valid)
{
	const unsigned char *s = (const unsigned char *)str;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t c = s[0];
	int len;

	*ret_valid = true;
	*ret_point = c;
	if (c < 0x80)
		return 1;
	len = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
	if (c < 0xc2 || c > 0xf4 || (size_t)len > n)
		goto invalid;
	c &= 0x7fu >> len;
	for (int i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			goto invalid;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		goto invalid;
	*ret_point = c;
	return len;
invalid:
	*ret_valid = false;
	*ret_point = REPLACEMENT;
	return 1;
}

int utf8_next(const char *s, uint32_t *ret_point)
{
	bool valid;

	/* The terminating NUL is no continuation byte, so decoding stops there. */
	return decode(s, 4, ret_point, &valid);
}

int utf8_put(char out[static 5], uint32_t point)
{
	int len;

	if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
		point = REPLACEMENT;
	if (point < 0x80) {
		out[0] = (char)point;
		len = 1;
	} else {
		len = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
		for (int i = len - 1; i > 0; i--) {
			out[i] = (char)(0x80 | (point & 0x3f));
			point >>= 6;
		}
		out[0] = (char)(0xf00u >> len | point);
	}
	out[len] = '\0';
	return len;
}

/* n: numbers, two a range. */
static bool in_ranges(const uint32_t *r, size_t n, uint32_t point)
{
	size_t lo = 0, hi = n / 2;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (point > r[2 * mid + 1])
			lo = mid + 1;
		else if (point < r[2 * mid])
			hi = mid;
		else
			return true;
	}
	return false;
}

int utf8_width_point(uint32_t point)
{
	if (point < 0x300)
		return 1;
	if (in_ranges(range_zero, ARRAY_SIZE(range_zero), point))
		return 0;
	return in_ranges(range_wide, ARRAY_SIZE(range_wide), point) ? 2 : 1;
}

int utf8_width(const char *s)
{
	int width = 0;

	while (*s) {
		uint32_t point;

		if ((unsigned char)*s < 0x80) {
			s++;
			width++;
			continue;
		}
		s += utf8_next(s, &point);
		width += utf8_width_point(point);
	}
	return width;
}

size_t utf8_fit(const char *s, int columns, int *ret_width)
{
	const char *p = s;
	int width = 0;

	while (*p) {
		uint32_t point;
		int len = utf8_next(p, &point);
		int w = utf8_width_point(point);

		if (width + w > columns)
			break;
		width += w;
		p += len;
	}
	if (ret_width)
		*ret_width = width;
	return (size_t)(p - s);
}

/* What a terminal would act on, or what turns the order of the text around it. */
static bool is_dangerous(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x206f) || c == 0xfeff ||
	       (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

static void put_escaped(struct buf *b, uint32_t c)
{
	static const char letters[] = "abtnvfr";

	if (c >= 7 && c <= 13)
		buf_printf(b, "\\%c", letters[c - 7]);
	else if (c == 0x1b)
		buf_puts(b, "\\e");
	else if (c < 0x100)
		buf_printf(b, "\\x%02x", c);
	else
		buf_printf(b, "\\u%04x", c);
}

char *utf8_clean(struct arena *a, const char *s, size_t n)
{
	struct buf b = { 0 };
	size_t i = 0;
	char *ret;

	n = strnlen(s, n);
	while (i < n && s[i] >= 0x20 && s[i] < 0x7f)
		i++;
	if (i == n)
		return arena_strndup(a, s, n);
	buf_putn(&b, s, i);
	while (i < n) {
		uint32_t c;
		bool valid;
		int len = decode(s + i, n - i, &c, &valid);

		if (!valid)
			buf_puts(&b, "\357\277\275");
		else if (is_dangerous(c))
			put_escaped(&b, c);
		else
			buf_putn(&b, s + i, (size_t)len);
		i += (size_t)len;
	}
	ret = arena_strndup(a, b.data, b.len);
	buf_release(&b);
	return ret;
}

char *utf8_clean_dup(const char *s)
{
	struct arena a;
	char *text;

	if (!s)
		return NULL;
	arena_init(&a);
	text = mem_strdup(utf8_clean(&a, s, strlen(s)));
	arena_release(&a);
	return text;
}

void utf8_clean_set(char **to, const char *s)
{
	if (!s)
		return;
	free(*to);
	*to = utf8_clean_dup(s);
}

/* Of the characters that we draw ourselves. */
static const struct {
	uint32_t point;
	char ascii;
} look_alikes[] = {
	{ 0x203a, '>' }, /* › */
	{ 0x25be, 'v' }, /* ▾ */
	{ 0x25b4, '^' }, /* ▴ */
	{ 0x25b8, '>' }, /* ▸ */
	{ 0x25c2, '<' }, /* ◂ */
	{ 0x2026, '~' }, /* … */
	{ 0x00b7, '-' }, /* · */
	{ 0x2500, '-' }, /* ─ */
	{ 0x2502, '|' }, /* │ */
	{ 0x251c, '|' }, /* ├ */
	{ 0x2514, '`' }, /* └ */
	{ 0x252c, '+' }, /* ┬ */
	{ 0x2510, '+' }, /* ┐ */
	{ 0x2524, '|' }, /* ┤ */
	{ 0x2013, '-' }, /* – */
	{ 0x2192, '>' }, /* → */
	{ 0x2265, '>' }, /* ≥ */
	{ 0x2588, '#' }, /* █ */
	{ 0x2713, 'x' }, /* ✓ */
	{ 0x00a0, ' ' }, /* in French before a colon */
	{ 0x00ab, '<' }, /* « */
	{ 0x00bb, '>' }, /* » */
	{ 0x2019, '\'' }, /* ’ */
	{ 0x0153, 'o' }, /* œ */
	{ 0x00b5, 'u' }, /* µ */
	{ 0x03bc, 'u' }, /* μ */
};

/* Letters of Western languages without their marks, from U+00C0 on. */
static const char latin[] = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTs"
			    "aaaaaaaceeeeiiiidnooooo/ouuuuyty";

char utf8_ascii(uint32_t point)
{
	if (point < 0x80)
		return (char)point;
	if (point >= 0xc0 && point < 0xc0 + sizeof(latin) - 1)
		return latin[point - 0xc0];
	for (size_t i = 0; i < ARRAY_SIZE(look_alikes); i++)
		if (look_alikes[i].point == point)
			return look_alikes[i].ascii;
	return '?';
}

void utf8_trim(char *s)
{
	size_t n = strlen(s), at = n, len;
	unsigned char lead;

	while (at && n - at < 3 && (s[at - 1] & 0xc0) == 0x80)
		at--;
	if (!at)
		return;
	lead = (unsigned char)s[--at];
	len = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
	if (n - at < len)
		s[at] = 0;
}

void utf8_quote(struct buf *b, bool json, const char *s)
{
	buf_putc(b, '"');
	while (*s) {
		size_t plain = 0;
		uint32_t point;
		int n;

		while (s[plain] >= 0x20 && s[plain] < 0x7f && s[plain] != '"' && s[plain] != '\\')
			plain++;
		if (plain) {
			buf_putn(b, s, plain);
			s += plain;
			continue;
		}
		n = utf8_next(s, &point);
		if (point == '"' || point == '\\')
			buf_printf(b, "\\%c", (char)point);
		else if (point >= 0x20 && point != 0x7f && (point != 0xfffd || n > 1))
			buf_putn(b, s, (size_t)n);
		else if (json)
			buf_printf(b, "\\u%04x", point);
		else
			buf_puts(b, point == '\n' ? "\\n" : "\357\277\275");
		s += n;
	}
	buf_putc(b, '"');
}
