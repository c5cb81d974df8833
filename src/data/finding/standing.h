/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long findings last. A case counts from the first interval in which it was seen; it is
 * shown when it was seen in FINDING_INTERVALS intervals in a row, and goes when it was missed as
 * often. When it comes back within FINDING_AGAIN intervals it goes on since it began. An
 * interval in which its sources are off says nothing. Where all of a time is looked at, what was
 * shown once stays, and in less than FINDING_INTERVALS intervals what was seen in each of them
 * is shown. For src/data/finding/ only.
 */
#ifndef IOTOP_DATA_FINDING_STANDING_H
#define IOTOP_DATA_FINDING_STANDING_H

#include "base/hash.h"
#include "data/finding/look.h"

/* Whether the sources of a kind are on and were watched for long enough. */
bool finding_can_look(const struct model *m, const struct finding_kind *kind);
/* A table of cases by kind and subject. */
void standings_init(struct hash *h);
void standings_clear(struct hash *h);
/* Whether that case is shown. */
bool standing_shown(const struct hash *h, const struct finding_kind *kind, uint64_t subject);
/* What was last seen of that case; NULL: it is not known. Until it is seen again. */
const struct finding_row *standing_row(const struct hash *h, const struct finding_kind *kind,
				       uint64_t subject);
/* It is seen in the interval of m; the row is copied. */
void standing_see(struct hash *h, const struct model *m, const struct finding_row *row,
		  uint64_t subject);
/*
 * What cannot be looked at is missed as well once whoever it holds up, and who waited when it was
 * last seen, does not wait any more. After all that is seen, before standings_advance().
 */
void standings_check(struct hash *h, const struct finding_look *l);
/*
 * Ends an interval, and adds the rows that are shown to the model, the worst first. whole: as in
 * struct engine_options.
 */
void standings_advance(struct hash *h, struct model *m, bool whole);

#endif
