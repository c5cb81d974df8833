// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/lacking.h"

#include <string.h>

void lacking_put(struct buf *out, const struct sample *s, bool late)
{
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		const struct table_info *t = &sample_tables[i];

		for (unsigned f = 0; t->late == late && f < t->nfields; f++)
			if (s->tables[i].lacks >> f & 1)
				buf_printf(out, "%s%s.%s", out->len ? " " : "", t->name,
					   t->fields[f].name);
	}
}

static bool is_word(const char *word, const char *text, size_t len)
{
	return strlen(word) == len && !memcmp(word, text, len);
}

static void read_name(struct sample *s, const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len);
	size_t n = dot ? (size_t)(dot - name) : len;

	for (size_t i = 0; dot && i < TABLE_COUNT; i++) {
		const struct table_info *t = &sample_tables[i];

		for (unsigned f = 0; is_word(t->name, name, n) && f < t->nfields; f++)
			if (is_word(t->fields[f].name, dot + 1, len - n - 1))
				s->tables[i].lacks |= 1ull << f;
	}
}

void lacking_read(struct sample *s, const char *text, size_t len)
{
	for (size_t at = 0, end; at < len; at = end + 1) {
		for (end = at; end < len && text[end] != ' ';)
			end++;
		read_name(s, text + at, end - at);
	}
}
