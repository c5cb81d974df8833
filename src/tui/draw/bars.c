// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/bars.h"

#include <stdio.h>
#include <string.h>

#include "base/macro.h"
#include "base/utf8.h"

#define LEFT 1		/* of the program's name */
#define SPACE 3		/* columns between tabs and labels, between parts of the status */
#define KEY_SPACE 2	/* between keys */

#define TITLE_LEAST 4	/* columns of a title that is cut, with the ellipsis */

/* How the tabs are written, by the room there is. */
struct tabs_fit {
	bool wide;	/* with the program's name before them, and room around each */
	bool shorts;	/* the short names of all of them */
	int title;	/* columns of a title at most, but for the open one's; 0: only numbers */
};

/* "1 Tasks", with brackets around the open one: seen without colours, too. */
static int tab_text(char *out, size_t size, const struct tab_bar *bar, unsigned i,
		    struct tabs_fit fit)
{
	const char *title = fit.shorts ? bar->shorts[i] : bar->titles[i];
	const char *end = fit.wide ? " " : "";

	if (i == bar->current && bar->numbers[i])
		snprintf(out, size, "%s[%u %s]", fit.wide || !i ? "" : " ", bar->numbers[i], title);
	else if (i == bar->current)
		snprintf(out, size, "%s[%s]", fit.wide ? "" : " ", title);
	else if (!fit.title)
		snprintf(out, size, " %u ", bar->numbers[i]);
	else if (utf8_width(title) <= fit.title)
		snprintf(out, size, " %u %s%s", bar->numbers[i], title, end);
	else
		snprintf(out, size, " %u %.*s…%s", bar->numbers[i],
			 (int)utf8_fit(title, fit.title - 1, NULL), title, end);
	return utf8_width(out);
}

static int tabs_width(const struct tab_bar *bar, struct tabs_fit fit)
{
	char text[64];
	int width = 0;

	for (unsigned i = 0; i < bar->n; i++)
		width += tab_text(text, sizeof(text), bar, i, fit);
	return width;
}

enum labels {
	LABELS_ALL,
	LABELS_WITHOUT_ORDER,	/* of the rows */
	LABELS_LEAST,
};

/* Columns of the labels that do not give way to the names of tabs. */
static int labels_width(const struct tab_bar *bar, enum labels which)
{
	int width = SPACE;

	for (unsigned i = 0; i < bar->nlabels; i++) {
		const struct tab_bar_label *l = &bar->labels[i];
		bool out = l->spare || (which != LABELS_ALL && l->style == STYLE_SORT) ||
			   (which == LABELS_LEAST && l->yields);

		if (!out)
			width += (l->usual ? l->usual : utf8_width(l->text)) + (i ? 2 : 1);
	}
	return width;
}

static int longest_title(const struct tab_bar *bar, bool shorts)
{
	int longest = 0;

	for (unsigned i = 0; i < bar->n; i++)
		longest = MAX(longest, utf8_width(shorts ? bar->shorts[i] : bar->titles[i]));
	return longest;
}

/*
 * Where the tabs begin: on a narrow screen the program's name gives way, then the order of the
 * rows, then the long names of the tabs, then the ends of the names of the other tabs.
 */
static int tabs_left(const struct tab_bar *bar, int width, struct tabs_fit *ret)
{
	int name = LEFT + (int)sizeof(PACKAGE_NAME), longest = longest_title(bar, false);

	*ret = (struct tabs_fit){ .wide = true, .title = longest };
	if (name + tabs_width(bar, *ret) + labels_width(bar, LABELS_ALL) <= width)
		return name;
	*ret = (struct tabs_fit){ .title = longest };
	if (tabs_width(bar, *ret) + labels_width(bar, LABELS_WITHOUT_ORDER) <= width)
		return 0;
	*ret = (struct tabs_fit){ .shorts = true, .title = longest_title(bar, true) };
	while (ret->title && tabs_width(bar, *ret) + labels_width(bar, LABELS_LEAST) > width)
		ret->title = ret->title > TITLE_LEAST ? ret->title - 1 : 0;
	return !ret->title && name + tabs_width(bar, *ret) <= width ? name : 0;
}

int tab_bar_at(const struct tab_bar *bar, int width, int x)
{
	struct tabs_fit fit;
	int left = tabs_left(bar, width, &fit);
	char text[64];

	for (unsigned i = 0; i < bar->n; i++) {
		int columns = tab_text(text, sizeof(text), bar, i, fit);

		if (x >= left && x < left + columns)
			return (int)bar->numbers[i] - 1;
		left += columns;
	}
	return -1;
}

void tab_bar_draw(struct canvas *c, const struct tab_bar *bar)
{
	struct tabs_fit fit;
	int x = tabs_left(bar, c->width, &fit), right = c->width - 1;
	bool left_out = fit.title < longest_title(bar, fit.shorts), crowded;
	char text[64];

	if (x)
		canvas_text(c, LEFT, 0, -1, STYLE_BOLD, PACKAGE_NAME);
	for (unsigned i = 0; i < bar->n; i++) {
		tab_text(text, sizeof(text), bar, i, fit);
		x += canvas_text(c, x, 0, -1, i == bar->current ? STYLE_TAB_ACTIVE : STYLE_TAB,
				 text);
	}
	crowded = x + labels_width(bar, LABELS_WITHOUT_ORDER) > c->width;
	for (unsigned i = 0; i < bar->nlabels; i++) {
		int width = utf8_width(bar->labels[i].text);

		/* What matters less does not stand in the place of what had no room. */
		if (bar->labels[i].spare && left_out)
			continue;
		if ((bar->labels[i].yields && crowded) || right - width < x + SPACE) {
			left_out = true;
			continue;
		}
		right -= width;
		canvas_text(c, right, 0, width, bar->labels[i].style, bar->labels[i].text);
		right -= 2;
	}
}

void status_line_part(struct status_line *l, enum style style, const char *text)
{
	if (l->x > 1)
		l->x += SPACE;
	l->x += canvas_text(l->c, l->x, l->y, -1, style, text);
}

/* Of several names of a key the first. */
static int name_width(const char *name)
{
	return name[0] == ' ' ? 1 : (int)strcspn(name, " ");
}

int key_bar_width(const char *name, const char *label)
{
	return name && label ? name_width(name) + 1 + utf8_width(label) + KEY_SPACE : 0;
}

bool key_bar_add(struct key_bar *bar, const struct binding *b, const char *name, const char *label,
		 int columns)
{
	int x = 1 + bar->used, width = key_bar_width(name, label);

	if (bar->n == KEY_BAR_KEYS || x + width - KEY_SPACE > columns)
		return false;
	bar->items[bar->n] = b;
	bar->labels[bar->n] = label;
	bar->names[bar->n] = name;
	bar->keys[bar->n] = b->key;
	bar->x[bar->n++] = x;
	bar->used += width;
	return true;
}

void key_bar_draw(struct canvas *c, int y, const struct key_bar *bar)
{
	for (unsigned i = 0; i < bar->n; i++) {
		const char *name = bar->names[i];

		canvas_text(c, bar->x[i], y, name_width(name), STYLE_KEY, name);
		canvas_text(c, bar->x[i] + name_width(name) + 1, y, -1, STYLE_BAR, bar->labels[i]);
	}
}

int key_bar_at(const struct key_bar *bar, int x)
{
	for (unsigned i = 0; i < bar->n; i++)
		if (x >= bar->x[i] &&
		    x < bar->x[i] + key_bar_width(bar->names[i], bar->labels[i]) - KEY_SPACE)
			return bar->keys[i];
	return KEY_NONE_;
}
