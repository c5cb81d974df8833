// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The heat map of a disk: latency, size or place over time, and whose requests are in a cell of
 * latency.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "screens/disks.h"

#define LABEL 8		/* "1.02ms ┤" */
#define BANDS_LEAST 4
#define CLOCK 8		/* "14:02:11" */

static bool of_latency(const struct disk_map *m)
{
	return m->shown != HEAT_SIZES && m->shown != HEAT_PLACES;
}

/* The numbers of reads and of writes in the bands of a line. */
static void line_counts(const struct disk_map *m, const struct disk_tick *t, unsigned line,
			uint64_t ret[2])
{
	unsigned first = m->band + line * m->step;

	ret[0] = ret[1] = 0;
	for (unsigned band = first; band < first + m->step && band < heat_bands(m->shown); band++) {
		uint64_t counts[2];

		/* The cursor tells of both, whichever are drawn. */
		heat_counts(of_latency(m) ? HEAT_BOTH : m->shown, t, band, counts);
		ret[0] += counts[0];
		ret[1] += counts[1];
	}
}

static uint64_t cell_count(const void *arg, unsigned column, unsigned line)
{
	const struct disk_map *m = arg;
	uint64_t counts[2];

	line_counts(m, disk_heat_tick(m->heat, column), line, counts);
	return (m->shown != HEAT_WRITES ? counts[0] : 0) + (m->shown != HEAT_READS ? counts[1] : 0);
}

static bool column_unknown(const void *arg, unsigned column)
{
	const struct disk_map *m = arg;
	return heat_unknown(m->shown, disk_heat_tick(m->heat, column));
}

/* From the first to the last that any remembered interval has; of places all there are. */
static void used_bands(struct disk_map *m, unsigned *ret_first, unsigned *ret_last)
{
	for (unsigned i = 0; i < m->heat->n; i++) {
		const struct disk_tick *t = disk_heat_tick(m->heat, i);

		if (t->place_bytes)
			m->place_bytes = t->place_bytes;
		for (unsigned band = 0; band < heat_bands(m->shown); band++) {
			uint64_t counts[2];

			heat_counts(of_latency(m) ? HEAT_BOTH : m->shown, t, band, counts);
			if (!counts[0] && !counts[1])
				continue;
			*ret_first = MIN(*ret_first, band);
			*ret_last = MAX(*ret_last, band);
		}
	}
	if (m->shown == HEAT_PLACES) {
		*ret_first = 0;
		*ret_last = DISK_PLACES - 1;
	}
}

/* So that the scale does not jump with each interval. */
static void find_bands(struct disk_map *m, int lines)
{
	unsigned n = heat_bands(m->shown), first = n, last = 0;

	used_bands(m, &first, &last);
	if (first > last)
		first = last = of_latency(m) ? disk_band(1000000) : 3;
	while (last - first + 1 < BANDS_LEAST)
		last < n - 1 ? last++ : first--;
	m->band = first;
	m->step = 1;
	while ((last - first) / m->step + 1 > (unsigned)MAX(lines, 1))
		m->step++;
	m->lines = (last - first) / m->step + 1;
}

/* Finds the highest count, and where the cursor begins: the highest of the newest interval. */
static void find_max(struct disk_map *m)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < m->heat->n; i++) {
		for (unsigned line = 0; line < m->lines; line++) {
			uint64_t count = cell_count(m, i, line);

			m->plot.max = MAX(m->plot.max, count);
			if (i + 1 == m->heat->n && count > most) {
				most = count;
				m->at_line = line;
			}
		}
	}
	m->at_tick = m->heat->n - 1;
}

static unsigned move(unsigned from, int by, unsigned most)
{
	long to = (long)from + by;

	return (unsigned)MAX(0, MIN(to, (long)most));
}

/*
 * The cursor stays on its interval while the map moves on; state->x is the time of it, state->y the
 * band.
 */
static void find_cursor(struct disk_map *m, const struct detail_state *state)
{
	m->active = state->active;
	if (!state->x)
		return;
	for (unsigned i = 0; i < m->heat->n; i++)
		if (disk_heat_tick(m->heat, i)->real_ns == state->x)
			m->at_tick = i;
	m->at_line = state->y < m->band
			     ? 0
			     : MIN((unsigned)(state->y - m->band) / m->step, m->lines - 1);
}

void disk_map_settle(const struct disk_map *m, struct detail_state *state)
{
	unsigned tick = move(m->at_tick, state->dx, m->heat->n - 1),
		 line = move(m->at_line, state->dy, m->lines - 1);

	state->dx = state->dy = 0;
	if (!state->active)
		return;
	state->x = disk_heat_tick(m->heat, tick)->real_ns;
	state->y = m->band + line * m->step;
}

void disk_map_init(struct disk_map *m, const struct disk_heat *heat, int columns, int lines,
		   const struct detail_state *state)
{
	int room = columns - LABEL;

	*m = (struct disk_map){ .heat = heat, .shown = state->mode };
	m->plot = (struct heat){ .count = cell_count,
				 .unknown = column_unknown,
				 .arg = m,
				 .cell = room >= 2 * HISTORY_TICKS ? 2 : 1 };
	find_bands(m, lines);
	find_max(m);
	find_cursor(m, state);
	m->plot.n = MIN(heat->n, (unsigned)MAX(room / m->plot.cell, 1));
	m->plot.first = heat->n - m->plot.n;
	if (m->active && m->at_tick < m->plot.first)
		m->plot.first = m->at_tick;
}

int disk_map_lines(const struct disk_map *m)
{
	return (int)m->lines + 1;
}

static void times_line(struct text_cursor *tc, int x, const struct disk_map *m)
{
	int width = (int)m->plot.n * m->plot.cell,
	    mark = (int)(m->at_tick - m->plot.first) * m->plot.cell;
	char first[32], last[32];

	if (!m->active)
		mark = -1;
	clock_hms(first, sizeof(first), disk_heat_tick(m->heat, m->plot.first)->real_ns);
	clock_hms(last, sizeof(last),
		  disk_heat_tick(m->heat, m->plot.first + m->plot.n - 1)->real_ns);
	/* A time gives way to the mark of the cursor. */
	if (width >= 2 * CLOCK + 2 && (mark < 0 || mark > CLOCK))
		text_put(tc, x, -1, STYLE_DIM, first);
	if (width >= CLOCK && mark < width - CLOCK - m->plot.cell)
		text_put(tc, x + width - CLOCK, -1, STYLE_DIM, last);
	if (m->active)
		text_put(tc, x + mark, m->plot.cell, STYLE_CURSOR, "▴");
}

static void band_text(char *out, size_t size, const struct disk_map *m, unsigned band,
		      const struct unit_style *units)
{
	unit_format(out, size, of_latency(m) ? UNIT_NS : UNIT_BYTES,
		    (double)heat_band_lower(m->shown, band, m->place_bytes), units);
}

void disk_map_line(struct text_cursor *tc, int x, const struct disk_map *m, int index)
{
	unsigned line = m->lines - 1 - (unsigned)index;
	bool here = m->active && line == m->at_line;
	char label[24];

	if (index == (int)m->lines) {
		times_line(tc, x + LABEL, m);
		return;
	}
	band_text(label, sizeof(label), m, m->band + line * m->step, &tc->c->units);
	text_right(tc, x, LABEL - 2, here ? STYLE_BOLD : STYLE_NORMAL, label);
	text_put(tc, x + LABEL - 1, 1, here ? STYLE_CURSOR : STYLE_DIM, here ? "▸" : "┤");
	if (text_y(tc) >= 0)
		heat_line(tc->c, tc->area.x + x + LABEL, text_y(tc), &m->plot, line,
			  here ? (int)m->at_tick : -1);
}

/* The tasks whose requests may be in the cell under the cursor. */
static unsigned find_guests(const struct disk_map *m, struct disk_guest guests[DISK_TICK_TASKS])
{
	const struct disk_tick *t = disk_heat_tick(m->heat, m->at_tick);
	unsigned first = m->band + m->at_line * m->step;
	uint64_t counts[2];

	if (!of_latency(m))
		return 0;
	line_counts(m, t, m->at_line, counts);
	return disk_guests(t, first, first + m->step - 1, counts[0] && m->shown != HEAT_WRITES,
			   counts[1] && m->shown != HEAT_READS, guests);
}

static void cell_text(char *out, size_t size, const struct disk_map *m,
		      const struct unit_style *units)
{
	const struct disk_tick *t = disk_heat_tick(m->heat, m->at_tick);
	unsigned last = MIN(m->band + (m->at_line + 1) * m->step, heat_bands(m->shown)) - 1;
	char lower[24], upper[24], when[32];
	uint64_t counts[2];

	line_counts(m, t, m->at_line, counts);
	band_text(lower, sizeof(lower), m, m->band + m->at_line * m->step, units);
	band_text(upper, sizeof(upper), m, last + 1, units);
	clock_hms(when, sizeof(when), t->real_ns);
	if (column_unknown(m, m->at_tick)) {
		snprintf(out, size, _("%s  not watched as a whole"), when);
		return;
	}
	if (last + 1 == heat_bands(m->shown) && m->shown != HEAT_PLACES)
		snprintf(upper, sizeof(upper), "…");
	snprintf(out, size, _("%s  %s to %s: reads %llu, writes %llu"), when, lower, upper,
		 (unsigned long long)counts[0], (unsigned long long)counts[1]);
}

static bool named_before(const struct disk_guest *guests, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (guests[k].task->pid == guests[i].task->pid &&
		    !strcmp(guests[k].task->comm, guests[i].task->comm))
			return true;
	return false;
}

void disk_map_cursor(struct text_cursor *tc, int x, int columns, const struct disk_map *m)
{
	struct disk_guest guests[DISK_TICK_TASKS];
	unsigned n = find_guests(m, guests);
	char text[160];
	int used;

	if (!m->active) {
		text_put(tc, x, columns, STYLE_DIM, _("arrow keys: a cursor, and who was in it"));
		return;
	}
	cell_text(text, sizeof(text), m, &tc->c->units);
	used = text_put(tc, x, columns, STYLE_BOLD, text);
	for (unsigned i = 0; i < n && guests[i].near <= NEAR_BETWEEN; i++) {
		const struct disk_tick_task *t = guests[i].task;

		if (named_before(guests, i))
			continue;
		if (t->pid)
			snprintf(text, sizeof(text), "%s%s %u", i ? ", " : "  ", t->comm, t->pid);
		else
			snprintf(text, sizeof(text), "%s%s", i ? ", " : "  ", t->comm);
		if (used + utf8_width(text) > columns)
			break;
		used += text_put(tc, x + used, columns - used, STYLE_NORMAL, text);
	}
}

static void guest_line(struct text_cursor *tc, const struct disk_guest *g)
{
	static const char *const names[] = {
		[NEAR_ONLY] = N_("all of them"),
		[NEAR_AVERAGE] = N_("average is in this band"),
		[NEAR_LONGEST] = N_("longest here"),
		[NEAR_BETWEEN] = N_("in between"),
		[NEAR_FASTER] = N_("below average"),
	};
	const struct disk_tick_task *t = g->task;
	char text[32];

	snprintf(text, sizeof(text), "%u", t->pid);
	text_right(tc, 1, 7, t->pid ? STYLE_NORMAL : STYLE_DIM, t->pid ? text : "-");
	text_put(tc, 9, 15, STYLE_NORMAL, t->comm);
	text_put(tc, 25, 7, t->op == OP_READ ? STYLE_READ : STYLE_WRITE, io_op_name(t->op));
	unit_format(text, sizeof(text), UNIT_COUNT, (double)t->ios, &tc->c->units);
	text_right(tc, 32, 6, STYLE_NORMAL, text);
	unit_format(text, sizeof(text), UNIT_NS, (double)t->avg_ns, &tc->c->units);
	text_right(tc, 39, 6, STYLE_NORMAL, text);
	unit_format(text, sizeof(text), UNIT_NS, (double)t->max_ns, &tc->c->units);
	text_right(tc, 46, 6, STYLE_NORMAL, text);
	text_put(tc, 54, -1, g->near == NEAR_FASTER ? STYLE_DIM : STYLE_NORMAL, _(names[g->near]));
	text_next(tc);
}

void disk_map_cell(struct text_cursor *tc, const struct disk_map *m)
{
	static const struct {
		int x, width;
		const char *text;
	} heads[] = { { 1, 7, N_("PID") },
		      { 32, 6, N_("I/O") },
		      { 39, 6, N_("AVG") },
		      { 46, 6, N_("MAX") } };
	const struct disk_tick *t = disk_heat_tick(m->heat, m->at_tick);
	struct disk_guest guests[DISK_TICK_TASKS];
	unsigned n = find_guests(m, guests);
	char text[160];

	cell_text(text, sizeof(text), m, &tc->c->units);
	text_wrap(tc, 1, STYLE_BOLD, text);
	if (column_unknown(m, m->at_tick) || !of_latency(m))
		return;
	text_next(tc);
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		text_right(tc, heads[i].x, heads[i].width, STYLE_HEAD, _(heads[i].text));
	text_put(tc, 9, 15, STYLE_HEAD, _("COMM"));
	text_put(tc, 25, 7, STYLE_HEAD, _("OP"));
	text_next(tc);
	for (unsigned i = 0; i < n; i++)
		guest_line(tc, &guests[i]);
	if (!n) {
		text_put(tc, 1, -1, STYLE_DIM, _("nobody is known to have been here"));
		text_next(tc);
	}
	text_next(tc);
	if (t->others) {
		snprintf(text, sizeof(text),
			 ngettext("%u more had fewer requests in this interval and is not "
				  "remembered.",
				  "%u more had fewer requests in this interval and are not "
				  "remembered.", t->others), t->others);
		text_wrap(tc, 1, STYLE_DIM, text);
	}
	/* They are sorted: when the last is certain, all are. */
	if (n && guests[n - 1].near == NEAR_ONLY)
		return;
	text_wrap(tc, 1, STYLE_DIM,
		  _("The counts are exact. Who was there is an estimate: of each process only the "
		    "average and the longest request "
		    "of the interval are known."));
}
