// SPDX-License-Identifier: GPL-2.0-or-later
/* The tab of layers by process: where the calls of each spend their time. */
#include "base/i18n.h"
#include "data/model.h"
#include "screens/layers.h"
#include "tui/draw/fields.h"
#include "tui/screen.h"

static const char *const numbers[] = { "count", "total", "avg", "max", "share" };

static int explore(struct canvas *c, struct rect area, int top, const struct view *v,
		   const struct row *row, _unused_ const struct detail_state *state)
{
	const struct layertask_row *r = (const struct layertask_row *)row;
	struct text_cursor tc = text_start(c, area, top);

	field_numbers(&tc, v->model, row, numbers, ARRAY_SIZE(numbers), SPAN_SUM);
	field_watched(&tc, v->model, SRC_CALLERS, true);
	text_section(&tc);
	layers_draw_files_of(&tc, v, r);
	return text_lines(&tc, top);
}

const struct screen layers_by_process = {
	.name = "layers/process",
	.title = N_("Layers"),
	.tab = NC_("tab", "Layers"),
	.help = N_("where in the kernel the calls of each process spend their time"),
	.entity = ENTITY_LAYERTASK,
	.columns = "pid,comm,layer,op,fs,disk,count,total,avg,max,share,bar",
	.sort = "total",
	.group = GROUP_PROCESS,
	.tree = true,
	.needs = SRC_LAYERS | SRC_DISKS | SRC_SYSTEM | SRC_BLOCK,
	.explore = explore,
};
