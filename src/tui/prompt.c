// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/prompt.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "tui/binding.h"
#include "tui/history.h"

#define CTRL(c) ((c) & 0x1f)

void prompt_set_text(struct prompt *p, const char *text)
{
	size_t len = strlen(text);

	/* Cut between characters, not within one. */
	while (len >= sizeof(p->text) || (len && (text[len] & 0xc0) == 0x80))
		len--;
	memcpy(p->text, text, len);
	p->text[len] = 0;
	p->len = p->at = len;
}

static size_t before(const struct prompt *p, size_t at)
{
	while (at && (p->text[--at] & 0xc0) == 0x80)
		;
	return at;
}

static size_t after(const struct prompt *p, size_t at)
{
	if (at < p->len)
		at++;
	while (at < p->len && (p->text[at] & 0xc0) == 0x80)
		at++;
	return at;
}

static size_t word_before(const struct prompt *p, size_t at)
{
	while (at && p->text[at - 1] == ' ')
		at--;
	while (at && p->text[at - 1] != ' ')
		at--;
	return at;
}

static bool cut(struct prompt *p, size_t from, size_t to)
{
	if (from == to)
		return false;
	memmove(p->text + from, p->text + to, p->len - to + 1);
	p->len -= to - from;
	p->at = from;
	return true;
}

/* There is room for it. */
static void put(struct prompt *p, const char *text, size_t len)
{
	memmove(p->text + p->at + len, p->text + p->at, p->len - p->at + 1);
	memcpy(p->text + p->at, text, len);
	p->len += len;
	p->at += len;
}

static bool insert(struct prompt *p, uint32_t point)
{
	char text[5];
	size_t len = utf8_put(text, point);

	/* Characters without width would be invisible in the line. */
	if (utf8_width_point(point) < 1 || p->len + len >= sizeof(p->text))
		return false;
	put(p, text, len);
	return true;
}

void prompt_hint(struct prompt_hints *hints, const char *word, size_t len, const char *item)
{
	if (hints->n == PROMPT_HINTS || strlen(item) >= PROMPT_HINT || strncasecmp(item, word, len))
		return;
	for (unsigned i = 0; i < hints->n; i++)
		if (!strcmp(hints->items[i], item))
			return;
	strcpy(hints->items[hints->n++], item);
}

/* In place of the word before the caret. */
static void put_word(struct prompt *p, const char *word, size_t len)
{
	cut(p, p->hints.begin, p->at);
	if (p->len + len < sizeof(p->text))
		put(p, word, len);
}

/* What all hints begin with; between characters. */
static size_t common_length(const struct prompt_hints *hints)
{
	size_t len = strlen(hints->items[0]);

	for (unsigned i = 1; i < hints->n; i++) {
		size_t k = 0;

		while (k < len && hints->items[i][k] == hints->items[0][k])
			k++;
		len = k;
	}
	while (len && (hints->items[0][len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* First as far as all hints agree, then each of them in turn. */
static bool complete(struct prompt *p)
{
	struct prompt_hints *hints = &p->hints;
	size_t common;

	if (!hints->n)
		return false;
	common = common_length(hints);
	if (!hints->chosen && hints->n > 1 && common > p->at - hints->begin) {
		put_word(p, hints->items[0], common);
		return true;
	}
	put_word(p, hints->items[hints->chosen % hints->n],
		 strlen(hints->items[hints->chosen % hints->n]));
	hints->chosen = hints->chosen % hints->n + 1;
	if (hints->n == 1)
		insert(p, ' ');
	return true;
}

/* To what was typed before, or on again. */
static bool walk_history(struct prompt *p, int by)
{
	long to = (long)p->back + by;

	if (!p->history || to < 0 || to > (long)p->history->n)
		return false;
	if (!p->back)
		strcpy(p->typed, p->text);
	p->back = (unsigned)to;
	prompt_set_text(p, to ? p->history->items[p->history->n - (unsigned)to] : p->typed);
	return true;
}

enum prompt_result prompt_edit(struct prompt *p, int key, bool *ret_changed)
{
	*ret_changed = false;
	switch (key) {
	case '\r':
		return PROMPT_ACCEPT;
	case 0x1b:
	case CTRL('g'):
		return PROMPT_CANCEL;
	case '\t':
		*ret_changed = complete(p);
		break;
	case KEY_UP_:
	case KEY_DOWN_:
		*ret_changed = walk_history(p, key == KEY_UP_ ? 1 : -1);
		break;
	case KEY_LEFT_:
		p->at = before(p, p->at);
		break;
	case KEY_RIGHT_:
		p->at = after(p, p->at);
		break;
	case KEY_HOME_:
	case CTRL('a'):
		p->at = 0;
		break;
	case KEY_END_:
	case CTRL('e'):
		p->at = p->len;
		break;
	case KEY_BACK_:
		if (!p->len)
			return PROMPT_CANCEL;
		*ret_changed = cut(p, before(p, p->at), p->at);
		break;
	case KEY_DELETE_:
	case CTRL('d'):
		*ret_changed = cut(p, p->at, after(p, p->at));
		break;
	case CTRL('w'):
		*ret_changed = cut(p, word_before(p, p->at), p->at);
		break;
	case CTRL('u'):
		*ret_changed = cut(p, 0, p->at);
		break;
	case CTRL('k'):
		*ret_changed = cut(p, p->at, p->len);
		break;
	default:
		if (key >= ' ' && key != 0x7f && key < KEY_NONE_)
			*ret_changed = insert(p, key);
	}
	return PROMPT_GOES_ON;
}

static int width_to(const char *text, size_t bytes)
{
	char copy[PROMPT_MAX];

	memcpy(copy, text, bytes);
	copy[bytes] = 0;
	return utf8_width(copy);
}

static void draw_hints(struct canvas *c, int y, const struct prompt_hints *hints)
{
	int x = 1;

	canvas_fill(c, 0, y, -1, STYLE_NORMAL, " ");
	for (unsigned i = 0; i < hints->n; i++) {
		if (x + utf8_width(hints->items[i]) + 2 > c->width) {
			canvas_text(c, x, y, -1, STYLE_DIM, "…");
			return;
		}
		x += canvas_text(c, x, y, -1,
				 i + 1 == hints->chosen ? STYLE_SORT : STYLE_STATUS,
				 hints->items[i]) +
		     2;
	}
}

void prompt_draw(struct canvas *c, int y, const struct prompt *p)
{
	int label = canvas_text(c, 1, y, -1, STYLE_KEY, p->label) + 2;
	int room = MAX(c->width - label - 1, 1), at = width_to(p->text, p->at), shift = 0;
	size_t first = 0;

	/* A line too long for the screen shows the part with the caret. */
	while (first < p->at && at - shift >= room) {
		first = after(p, first);
		shift = width_to(p->text, first);
	}
	canvas_text(c, label, y, room, STYLE_NORMAL, p->text + first);
	if (p->at == p->len)
		canvas_text(c, label + at - shift, y, 1, STYLE_NORMAL, " ");
	if (label + at - shift < c->width && y >= 0 && y < c->height)
		c->cells[(size_t)y * c->width + label + at - shift].reverse = true;
	if (p->hints.n && !p->refused) {
		draw_hints(c, y - 1, &p->hints);
		return;
	}
	if (!p->error.text[0])
		return;
	canvas_fill(c, 0, y - 1, -1, STYLE_NORMAL, " ");
	if (p->place <= p->len) {
		int x = label + width_to(p->text, p->place) - shift,
		    width = utf8_width(p->error.text);

		/*
		 * The caret points down at the place; the sentence goes where there is room for it.
		 */
		canvas_text(c, x, y - 1, 1, STYLE_WARN, "▾");
		if (x + 2 + width <= c->width || x < width + 2)
			canvas_text(c, x + 2, y - 1, -1, STYLE_WARN, p->error.text);
		else
			canvas_text(c, x - 1 - width, y - 1, width, STYLE_WARN, p->error.text);
	} else {
		canvas_text(c, 1, y - 1, -1, STYLE_WARN, p->error.text);
	}
}
