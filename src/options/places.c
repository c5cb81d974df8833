// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/places.h"

#include <errno.h>
#include <string.h>

#include "base/i18n.h"
#include "data/layer/layertask.h"
#include "data/stack/stack.h"
#include "options/table.h"
#include "out/out.h"
#include "tui/screen.h"

/* As they are asked for: "tasks, disks --group=process". */
static void put_places(struct buf *out, const struct option_info *info)
{
	const char *place, *before = "";

	for (size_t i = 0; (place = option_place(i)); i++) {
		size_t n = strcspn(place, "/");

		if (!option_acts_on(info, place))
			continue;
		buf_printf(out, "%s%.*s%s%s", before, (int)n, place,
			   place[n] ? " --group=" : "", place[n] ? place + n + 1 : "");
		before = ", ";
	}
}

static void put_formats(struct buf *out, const struct option_info *info)
{
	const char *before = "";

	for (unsigned i = 0; i < OUT_FORMATS; i++)
		if (info->formats & 1u << i) {
			buf_printf(out, "%s%s", before, out_format_names[i]);
			before = ", ";
		}
}

static bool acts_in(const struct option_info *info, const struct options *o)
{
	return !o->batch || !info->formats || info->formats & 1u << o->format;
}

/* The operations of a disk; layers have more. */
static bool is_disk_op(int op)
{
	for (uint32_t i = 0; i < OP_COUNT; i++)
		if (!strcmp(io_op_name(i), layer_op_names[op]))
			return true;
	return false;
}

static int check_op(const struct options *o, const struct screen *screen, struct buf *why)
{
	if (o->op < 0 || layer_is_entity(entities[screen->entity]) ||
	    screen->entity == ENTITY_EVENT || is_disk_op(o->op))
		return 0;
	buf_printf(why, _("option --op=%s does nothing on the screen %s; it is for: layers"),
		   layer_op_names[o->op], screen->name);
	return -EINVAL;
}

/* The programs at the layers count what is selected; what was recorded is the sum of all. */
static int check_layers(const struct options *o, const struct screen *screen, struct buf *why)
{
	if (!o->replay || !layer_is_entity(entities[screen->entity]))
		return 0;
	if (!o->pids.n && !o->uids.n && !o->users.n && !o->tid && !o->cgroup)
		return 0;
	buf_puts(why, _("the layers of a recording are not known by task: "
			"-p, -u, --tid and --cgroup are for when it is made"));
	return -EINVAL;
}

static int check_option(const struct options *o, const struct option_info *info,
			const struct screen *screen, struct buf *why)
{
	if (!option_acts_with(info, (enum command)o->command)) {
		if (o->command)
			buf_printf(why, _("option --%s does nothing with iotop %s"), info->name,
				   command_names[o->command]);
		else
			buf_printf(why, _("option --%s is for: iotop %s"), info->name,
				   command_names[info->commands & 1u << COMMAND_RECORD
							 ? COMMAND_RECORD : COMMAND_SERVE]);
	} else if (o->command) {
		return 0;
	} else if (!option_acts_on(info, screen->name)) {
		buf_printf(why, _("option --%s does nothing on the screen %s; it is for: "),
			   info->name, screen->name);
		put_places(why, info);
	} else if (!acts_in(info, o)) {
		buf_printf(why, _("option --%s does nothing with --format=%s; it is for: "),
			   info->name, out_format_names[o->format]);
		put_formats(why, info);
	} else if (info->interactive && o->batch) {
		buf_printf(why, _("option --%s does nothing in reports; it is for the full screen"),
			   info->name);
	} else if (info->recorded && !o->replay) {
		buf_printf(why, _("option --%s is for --replay and --store"), info->name);
	} else if (info->live && o->replay) {
		buf_printf(why,
			   _("option --%s does nothing with --%s: it is for what is measured"),
			   info->name, o->store ? "store" : "replay");
	} else {
		return 0;
	}
	return -EINVAL;
}

int places_check_saved(const struct options *o, struct buf *why)
{
	for (unsigned i = 0; i < option_count; i++) {
		const struct option_info *info = &option_table[i];

		if (!(o->given[i / 64] >> i % 64 & 1))
			continue;
		if (!option_acts_with(info, (enum command)o->command))
			return check_option(o, info, screens[0], why);
		if (info->saved || (info->kind == OPT_ACTION && info->value == o->action))
			continue;
		buf_printf(why, _("--write does not save --%s: it can only be given on the command "
				  "line"), info->name);
		return -EINVAL;
	}
	return 0;
}

bool options_given(const struct options *o, const char *name)
{
	size_t i = (size_t)(option_find(name) - option_table);

	return o->given[i / 64] >> i % 64 & 1;
}

/* The first that was given of those that say how a store is kept; NULL: none. */
static const char *store_option(const struct options *o)
{
	static const char *const names[] = { "retain", "max-size", "fine", "coarse", "settings" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (options_given(o, names[i]))
			return names[i];
	return NULL;
}

/* Options that do nothing without another one, or against it. */
static int check_together(const struct options *o, struct buf *why)
{
	bool when = o->when && *o->when, exec = o->exec && *o->exec;

	if (options_given(o, "record-sources") && !o->record && !options_keep_store(o))
		buf_puts(why, _("--record-sources is for --record, iotop record and iotop serve "
				"--store"));
	else if (o->command == COMMAND_SERVE && !o->store && store_option(o))
		buf_printf(why, _("--%s does nothing without --store"), store_option(o));
	else if (!when && (options_given(o, "exec") || options_given(o, "keep")))
		buf_printf(why, _("--%s does nothing without --when"),
			   options_given(o, "exec") ? "exec" : "keep");
	else if (when && exec && o->secure && !o->replay)
		buf_puts(why, _("--exec and --secure exclude each other"));
	else if (options_given(o, "when") && o->batch && !o->record && !exec)
		buf_puts(why, _("--when does nothing in reports without --record or --exec"));
	else if (o->format == OUT_OPENMETRICS && o->replay && options_given(o, "delay"))
		buf_puts(why, _("--format=openmetrics has a report for each sample of a "
				"recording: without --delay"));
	else
		return 0;
	return -EINVAL;
}

int places_check(const struct options *o, const struct screen *chosen, struct buf *why)
{
	const struct screen *screen =
		o->group >= 0 ? screen_grouped(chosen, (enum group_by)o->group) : chosen;

	for (unsigned i = 0; i < option_count; i++)
		if (o->given[i / 64] >> i % 64 & 1 &&
		    check_option(o, &option_table[i], screen, why) < 0)
			return -EINVAL;
	if (check_together(o, why) < 0 || check_op(o, screen, why) < 0)
		return -EINVAL;
	return check_layers(o, screen, why);
}

void places_list(struct buf *out)
{
	const char *place;

	buf_printf(out, "%-17s", "");
	for (size_t i = 0; (place = option_place(i)); i++)
		buf_printf(out, " %s", place);
	for (int i = COMMAND_LIVE + 1; i < COMMAND_COUNT; i++)
		buf_printf(out, " %s", command_names[i]);
	buf_putc(out, '\n');
	for (unsigned k = 0; k < option_count; k++) {
		const struct option_info *info = &option_table[k];

		if (info->kind == OPT_ACTION)
			continue;
		buf_printf(out, "--%-15s", info->name);
		for (size_t i = 0; (place = option_place(i)); i++)
			buf_printf(out, " %-*s", (int)strlen(place),
				   option_acts_on(info, place) ? "x" : "-");
		for (int i = COMMAND_LIVE + 1; i < COMMAND_COUNT; i++)
			buf_printf(out, " %-*s", (int)strlen(command_names[i]),
				   option_acts_with(info, (enum command)i) ? "x" : "-");
		if (info->formats) {
			buf_puts(out, "  ");
			put_formats(out, info);
		}
		if (info->live)
			buf_puts(out, info->formats ? ", live" : "  live");
		if (info->recorded)
			buf_puts(out, "  recorded");
		if (info->interactive)
			buf_puts(out, "  full screen");
		buf_putc(out, '\n');
	}
}
