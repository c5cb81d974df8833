/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The finding of a kind that a model has. */
#ifndef IOTOP_TESTS_UNIT_FOUND_H
#define IOTOP_TESTS_UNIT_FOUND_H

#include <string.h>

#include "data/finding/finding.h"
#include "data/model.h"

/* The first of this name, "server-slow"; NULL: there is none. */
static const struct finding_row *found(const struct model *m, const char *name)
{
	const struct finding_row *f;

	row_each(f, &m->rows[ENTITY_FINDING])
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

#endif
