// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/hints.h"

#include <stdio.h>
#include <string.h>

#define ROWS_MOST 1000	/* that are looked at for values */
#define KEY_MOST 32
#define OPERATORS "=!<>~"
#define ENDS " ,()" OPERATORS

void hint_columns(const struct app *app, const char *word, size_t len, struct prompt_hints *ret)
{
	entity_each_column(app_tab(app)->spec.entity, col)
		prompt_hint(ret, word, len, col->key);
}

/* In quotes where the filter language would not take it for one word. */
static void hint_text(const char *text, const char *word, size_t len, struct prompt_hints *ret)
{
	char quoted[PROMPT_HINT];

	if (!text[strcspn(text, ENDS "\"'&|")]) {
		prompt_hint(ret, word, len, text);
		return;
	}
	if (strchr(text, '"') || strlen(text) + 3 > sizeof(quoted))
		return;
	snprintf(quoted, sizeof(quoted), "\"%s\"", text);
	if (len && *word != '"' && !strncasecmp(text, word, len))
		prompt_hint(ret, "", 0, quoted);
	else
		prompt_hint(ret, word, len, quoted);
}

void hint_values(struct app *app, const char *key, const char *word, size_t len,
		 struct prompt_hints *ret)
{
	const struct column *col = entity_column(app_tab(app)->spec.entity, key);
	struct arena texts;

	app_refresh(app);
	if (!col || !app->model)
		return;
	arena_init(&texts);
	for (size_t i = 0; i < MIN(app->view.all.n, ROWS_MOST); i++) {
		struct value v = column_value(col, app->view.all.rows[i], app->model,
					      app_span(app), &texts);

		if (v.kind == VAL_STR && v.str && *v.str)
			hint_text(v.str, word, len, ret);
	}
	arena_release(&texts);
}

/* The column that stands before an operator which ends at `end`; "": none does. */
static void column_before(const char *text, size_t from, size_t end, char out[KEY_MOST])
{
	size_t begin;

	out[0] = '\0';
	while (end > from && text[end - 1] == ' ')
		end--;
	if (end == from || !strchr(OPERATORS, text[end - 1]))
		return;
	while (end > from && strchr(OPERATORS, text[end - 1]))
		end--;
	while (end > from && text[end - 1] == ' ')
		end--;
	begin = end;
	while (begin > from && !strchr(ENDS, text[begin - 1]))
		begin--;
	if (end - begin < KEY_MOST)
		snprintf(out, KEY_MOST, "%.*s", (int)(end - begin), text + begin);
}

void hint_filter(struct app *app, const struct prompt *p, size_t from, struct prompt_hints *ret)
{
	size_t begin = p->at;
	char key[KEY_MOST];

	while (begin > from && !strchr(ENDS, p->text[begin - 1]))
		begin--;
	ret->begin = begin;
	column_before(p->text, from, begin, key);
	if (*key)
		hint_values(app, key, p->text + begin, p->at - begin, ret);
	else if (p->at > begin)
		hint_columns(app, p->text + begin, p->at - begin, ret);
}

void hint_whole_filter(struct app *app, const struct prompt *p, struct prompt_hints *ret)
{
	hint_filter(app, p, 0, ret);
}
