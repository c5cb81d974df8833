// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/nearest.h"

#include <string.h>

#include "base/macro.h"

#define LENGTH_MAX 32

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	return MIN(MIN(a, b), c);
}

static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned rows[3][LENGTH_MAX + 1];	/* of the matrix: the one before the last, the
						 * last, the present */

	for (size_t j = 0; j <= m; j++)
		rows[1][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *above2 = rows[(i + 2) % 3], *above = rows[i % 3],
			 *row = rows[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			row[j] = min3(above[j] + 1, row[j - 1] + 1,
				      above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = MIN(row[j], above2[j - 2] + 1);
		}
	}
	return rows[(n + 1) % 3][m];
}

void nearest_offer(struct nearest *n, const char *candidate)
{
	size_t len = strlen(n->word), other = strlen(candidate);
	unsigned d;

	if (!len || len > LENGTH_MAX || other > LENGTH_MAX)
		return;
	d = distance(n->word, len, candidate, other);
	/* What begins alike is meant more often than what merely has as many letters in common. */
	if (!strncmp(candidate, n->word, len))
		d = MIN(d, 1);
	if (d > 1 + len / 3 || d >= MAX(len, other) || (n->best && d >= n->distance))
		return;
	n->best = candidate;
	n->distance = d;
}
