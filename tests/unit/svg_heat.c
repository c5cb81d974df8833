// SPDX-License-Identifier: GPL-2.0-or-later
/* The heat map of a disk as a picture: all counts are in it, and what is unknown is no zero. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "out/svg.h"

static struct disk_heat heat;
static struct disk_row disk = { .disk = "a<b", .heat = &heat };

static void setup(void)
{
	memset(&heat, 0, sizeof(heat));
	heat.n = heat.next = 3;
	for (unsigned i = 0; i < 3; i++)
		heat.ticks[i].real_ns = (1700000000 + i) * NSEC_PER_SEC;
	heat.ticks[0].reads[10] = 5;
	heat.ticks[0].writes[10] = 2;
	heat.ticks[2].reads[12] = 100;
	heat.ticks[0].sizes[1][4] = 7;
	heat.ticks[1].unknown = true;
}

static unsigned occurrences(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static unsigned sum_of(const char *text, const char *attribute)
{
	unsigned sum = 0;

	for (; (text = strstr(text, attribute)); text += strlen(attribute))
		sum += (unsigned)atoi(text + strlen(attribute));
	return sum;
}

START_TEST(counts)
{
	static const struct {
		enum heat_shown shown;
		unsigned cells, reads, writes, unknown;
	} cases[] = {
		{ HEAT_BOTH, 2, 105, 2, 1 },  { HEAT_READS, 2, 105, 0, 1 },
		{ HEAT_WRITES, 1, 0, 2, 1 },  { HEAT_SIZES, 1, 0, 7, 1 },
		{ HEAT_PLACES, 0, 0, 0, 3 },	/* nobody looked at places */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf out = { 0 };

		svg_heat(&out, &disk, cases[i].shown, "host", &(struct unit_style){ 0 });
		ck_assert_uint_eq(occurrences(out.data, "class=\"c\""), cases[i].cells);
		ck_assert_uint_eq(occurrences(out.data, "class=\"u\""), cases[i].unknown);
		ck_assert_uint_eq(sum_of(out.data, "data-r=\""), cases[i].reads);
		ck_assert_uint_eq(sum_of(out.data, "data-w=\""), cases[i].writes);
		ck_assert(strstr(out.data, "host  a&lt;b  "));
		ck_assert(!strcmp(out.data + out.len - 7, "</svg>\n"));
		ck_assert_uint_eq(occurrences(out.data, "<rect"),
				  occurrences(out.data, "</rect>") + occurrences(out.data, "/><"));
		buf_release(&out);
	}
}
END_TEST

/* The highest count is the darkest, wherever it is. */
START_TEST(shades)
{
	struct buf out = { 0 };

	svg_heat(&out, &disk, HEAT_BOTH, NULL, &(struct unit_style){ 0 });
	ck_assert(strstr(out.data, "data-r=\"100\" data-w=\"0\" fill=\"hsl(230,70%,25%)\""));
	buf_release(&out);
}
END_TEST

UNIT_FIXTURE_MAIN("svg_heat", setup, NULL, counts, shades)
