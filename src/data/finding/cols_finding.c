/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the findings. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/counters.h"
#include "data/finding/finding.h"

#define FIELD(member) COL_FIELD(struct finding_row, member)
#define ROW(c) ((const struct finding_row *)(c)->row)

static struct value get_since(const struct cell *c)
{
	char text[40];

	clock_iso(text, sizeof(text), ROW(c)->since_ns);
	return value_str(arena_strdup(c->texts, text));
}

static struct value get_began(const struct cell *c)
{
	char text[FINDING_BEGAN];

	if (!ROW(c)->kind)
		return value_none();
	finding_began(ROW(c), text);
	return value_str(arena_strdup(c->texts, text));
}

static struct value get_what(const struct cell *c)
{
	static const struct unit_style style;
	char text[512];

	if (!ROW(c)->kind)
		return value_none();
	finding_sentence(ROW(c), &style, text, sizeof(text));
	return value_str(arena_strdup(c->texts, text));
}

/* "key=number" words: what proves it, in bytes, ns and percent. */
static struct value get_evidence(const struct cell *c)
{
	const struct finding_row *r = ROW(c);
	const char **items = arena_new(c->texts, const char *, r->nnumbers);
	char number[32];

	for (size_t i = 0; i < r->nnumbers; i++) {
		double_format(number, sizeof(number), r->numbers[i].value);
		items[i] = arena_printf(c->texts, "%s=%s", r->numbers[i].key, number);
	}
	return value_list(items, r->nnumbers);
}

COL_GETTER(severity, value_phrase(ROW(c)->kind ? severity_names[ROW(c)->severity] : NULL))
COL_GETTER(lasted, value_u64(counter_delta(ROW(c)->seen_ns, ROW(c)->since_ns)))
COL_GETTER(title, value_str(ROW(c)->kind ? _(ROW(c)->kind->title) : NULL))

const struct column finding_columns[] = {
	{
		COLUMN("rank", N_("#"), N_("1 is the worst, of equal ones the oldest")),
		FIELD(rank), .fold = FOLD_SAME, .flags = COL_ACTIVITY,
		.width = 3,
		.priority = 4,
	},
	{
		COLUMN("severity", N_("SEVERITY"),
		       N_("wrong, warning, or note: nobody is held up")),
		.kind = VAL_STR, .fold = FOLD_SAME, .width = 8, .priority = 1, .get = get_severity,
	},
	{
		COLUMN("name", N_("NAME"), N_("what kind of finding it is, as filters call it")),
		FIELD(name), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 20,
		.priority = 4,
	},
	{
		COLUMN("title", N_("FINDING"), N_("what is wrong, in a few words")),
		.kind = VAL_STR, .fold = FOLD_SAME, .width = 29, .wide = 36, .priority = 2,
		.get = get_title,
	},
	{
		COLUMN("who", N_("WHO"), N_("who causes it")),
		FIELD(who), .fold = FOLD_SAME, .width = 16, .wide = 24, .priority = 3,
	},
	{
		COLUMN("victim", N_("VICTIM"), N_("who is held up most")),
		FIELD(victim), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 16,
		.priority = 3,
	},
	{
		COLUMN("share", N_("SHARE"), N_("percent of the victim's time that it takes")),
		FIELD(share), .unit = UNIT_PERCENT, .fold = FOLD_MAX, .width = 5,
		.priority = 3,
	},
	{
		COLUMN("since", N_("SINCE"), N_("when it was first seen")),
		.kind = VAL_STR, .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 24, .priority = 4,
		.get = get_since,
	},
	{
		COLUMN("lasted", N_("FOR"), N_("for how long it has been seen")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MAX, .width = 6, .priority = 3,
		.get = get_lasted,
	},
	{
		COLUMN("history", N_("HISTORY"), N_("the share in the last intervals")),
		.kind = VAL_NONE, .fold = FOLD_SAME, .flags = COL_GRAPH | COL_HIDDEN, .width = 8,
		.priority = 4,
	},
	{
		COLUMN("what", N_("WHAT"), N_("the finding in one sentence")),
		.kind = VAL_STR, .fold = FOLD_SAME, .flags = COL_GROW, .least = 20, .width = 40,
		.priority = 0, .get = get_what,
	},
	{
		COLUMN("evidence", N_("EVIDENCE"),
		       N_("the numbers that prove it, in bytes, nanoseconds and percent")),
		.kind = VAL_LIST, .fold = FOLD_SAME, .flags = COL_HIDDEN | COL_WORDS, .width = 30,
		.priority = 4, .get = get_evidence,
	},
	{
		COLUMN("screen", N_("SCREEN"), N_("the screen with the rows that prove it")),
		FIELD(screen), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 8,
		.priority = 4,
	},
	{
		COLUMN("filter", N_("FILTER"), N_("the filter that shows only these rows")),
		FIELD(filter), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 24,
		.priority = 4,
	},
	{
		COLUMN("began", N_("BEGAN"),
		       N_("since when, as a time of the day; < where it was there already when it "
			  "was first looked for")),
		.kind = VAL_STR, .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 9, .priority = 2,
		.get = get_began,
	},
	{ 0 }
};
