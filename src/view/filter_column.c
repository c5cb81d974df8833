// SPDX-License-Identifier: GPL-2.0-or-later
/* Which column a key in a filter means. */
#include <errno.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "view/filter_node.h"

static const struct column *find(const struct entity *e, const char *key, struct err *err)
{
	struct nearest near = { .word = key };
	const struct column *col = entity_column(e, key);

	if (col)
		return col;
	entity_each_column(e, other)
		nearest_offer(&near, other->key);
	if (near.best)
		err_set(err, EINVAL, _("no column \"%s\"; did you mean \"%s\"?"), key, near.best);
	else
		err_set(err, EINVAL, _("no column \"%s\"; --list-columns lists them"), key);
	return NULL;
}

/* What rows of an entity are called. */
static const char *name_key(const struct entity *e)
{
	return entity_column(e, e->name) ? e->name : entity_column(e, "comm") ? "comm" : "name";
}

const struct column *filter_column(const struct entity *const *sides, const struct entity *e,
				   const char *key, unsigned *ret_side, struct err *err)
{
	size_t n = strcspn(key, ".");

	*ret_side = 0;
	if (!sides)
		return find(e, key, err);
	for (unsigned i = 0; sides[i]; i++) {
		if (strlen(sides[i]->name) != n || strncmp(sides[i]->name, key, n))
			continue;
		*ret_side = i;
		return find(sides[i], key[n] ? key + n + 1 : name_key(sides[i]), err);
	}
	err_set(err, EINVAL,
		_("\"%s\" cannot be looked at; there are: total.KEY, finding.KEY, disk.KEY, "
		  "task.KEY"), key);
	return NULL;
}

static bool is_word_column(const struct entity *e, const struct column *col)
{
	if (entity_column(e, "comm"))
		return !strcmp(col->key, "comm") || !strcmp(col->key, "command") ||
		       !strcmp(col->key, "cause") ||
		       (entity_column(e, "dir") && (!strcmp(col->key, "path") ||
						    !strcmp(col->key, "state")));
	return col->kind == VAL_STR;
}

const struct column **filter_word_columns(const struct entity *e)
{
	const struct column **columns =
		mem_alloc((entity_column_count(e) + 1) * sizeof(*columns));
	size_t n = 0;

	entity_each_column(e, col)
		if (is_word_column(e, col))
			columns[n++] = col;
	columns[n] = NULL;
	return columns;
}
