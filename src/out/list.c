// SPDX-License-Identifier: GPL-2.0-or-later
#include "out/list.h"

#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"

#define WIDTH 80
#define NAME_MAX_WIDTH 28	/* a longer name has its help on the next line */

static void blanks(struct buf *out, int n)
{
	for (; n > 0; n--)
		buf_putc(out, ' ');
}

/* text from column `at` on, words never split, further lines below the first. */
static void wrap(struct buf *out, const char *text, int at)
{
	int column = at;

	while (*text) {
		size_t n = strcspn(text, " ");
		struct buf word = { 0 };
		int width;

		buf_putn(&word, text, n);
		width = utf8_width(word.data);
		if (column > at && column + 1 + width > WIDTH) {
			buf_putc(out, '\n');
			blanks(out, at);
			column = at;
		} else if (column > at) {
			buf_putc(out, ' ');
			column++;
		}
		buf_puts(out, word.data);
		column += width;
		buf_release(&word);
		text += n + strspn(text + n, " ");
	}
}

void list_print(struct buf *out, const struct list_item *items, size_t n, int indent)
{
	int widest = 0;

	for (size_t i = 0; i < n; i++) {
		int width = utf8_width(items[i].name);

		if (width <= NAME_MAX_WIDTH)
			widest = MAX(widest, width);
	}
	for (size_t i = 0; i < n; i++) {
		int width = utf8_width(items[i].name);

		blanks(out, indent);
		buf_puts(out, items[i].name);
		if (items[i].help && *items[i].help) {
			if (width > widest) {
				buf_putc(out, '\n');
				blanks(out, indent);
				width = 0;
			}
			blanks(out, widest - width + 2);
			wrap(out, _(items[i].help), indent + widest + 2);
		}
		buf_putc(out, '\n');
	}
}

void list_columns(struct buf *out, const struct entity *e, int indent)
{
	struct list_item *items = mem_alloc(entity_column_count(e) * sizeof(*items));
	size_t n = 0;

	entity_each_column(e, col)
		items[n++] = (struct list_item){ col->key, col->help };
	list_print(out, items, n, indent);
	mem_freep(&items);
}
