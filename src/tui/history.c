// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define LINE_MOST 1024

void history_release(struct prompt_history *h)
{
	for (unsigned i = 0; i < h->n; i++)
		free(h->items[i]);
	h->n = 0;
}

static void drop(struct prompt_history *h, unsigned at)
{
	free(h->items[at]);
	memmove(&h->items[at], &h->items[at + 1], (h->n - at - 1) * sizeof(h->items[0]));
	h->n--;
}

void history_add(struct prompt_history *h, const char *text)
{
	if (!text[strspn(text, " ")])
		return;
	for (unsigned i = 0; i < h->n; i++) {
		if (strcmp(h->items[i], text))
			continue;
		drop(h, i);
		break;
	}
	if (h->n == HISTORY_MOST)
		drop(h, 0);
	h->items[h->n++] = mem_strdup(text);
}

void history_write(const struct prompt_history *h, const char *name, struct buf *out)
{
	for (unsigned i = 0; i < h->n; i++)
		buf_printf(out, "%s\t%s\n", name, h->items[i]);
}

void history_read(struct prompt_history *h, const char *name, const char *lines)
{
	size_t len = strlen(name);

	for (const char *end; *lines; lines = end + (*end == '\n')) {
		char text[LINE_MOST], *clean;

		end = strchrnul(lines, '\n');
		if (strncmp(lines, name, len) || lines[len] != '\t' ||
		    (size_t)(end - lines) - len - 1 >= sizeof(text))
			continue;
		memcpy(text, lines + len + 1, (size_t)(end - lines) - len - 1);
		text[(size_t)(end - lines) - len - 1] = '\0';
		clean = utf8_clean_dup(text);
		if (!strcmp(clean, text))
			history_add(h, text);
		free(clean);
	}
}
