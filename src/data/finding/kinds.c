/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/finding/finding.h"

#define ADDRESS(kind, name) &finding_##kind,
#define NAME(kind, name) name,

const struct finding_kind *const finding_kinds[] = { FINDING_LIST(ADDRESS) NULL };

const char *const finding_names[FINDING_KINDS] = { FINDING_LIST(NAME) };
