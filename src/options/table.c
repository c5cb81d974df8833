// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/table.h"

#include <string.h>

#include "base/i18n.h"
#include "collect/collector.h"
#include "data/finding/finding.h"
#include "data/layer/layer.h"
#include "out/out.h"
#include "tui/draw/theme.h"
#include "tui/screen.h"

static const char *const accounting_names[] = {
	[ACCOUNTING_AUTO] = "auto",
	[ACCOUNTING_BPF] = "bpf",
	[ACCOUNTING_NETLINK] = "netlink",
};
static const char *const
	attribute_names[] = { [ATTRIBUTE_CAUSE] = "cause", [ATTRIBUTE_SUBMITTER] = "submitter" };
static const char *const io_names[] = { "rw", "r", "w" };
static const char *const metrics_names[METRICS_GROUPS] = {
	[METRICS_DISKS] = "disks",
	[METRICS_CGROUPS] = "cgroups",
	[METRICS_LAYERS] = "layers",
	[METRICS_BLOCKED] = "blocked",
	[METRICS_DIRTY] = "dirty",
	[METRICS_PROGRAMS] = "programs",
};
static const char *const by_names[] = { "bytes", "ios", "latency" };

static const char *const record_names[RECORD_GROUPS] = {
	[RECORD_TASKS] = "tasks",     [RECORD_DISKS] = "disks",	  [RECORD_FILES] = "files",
	[RECORD_MEMORY] = "memory",   [RECORD_MOUNTS] = "mounts", [RECORD_LAYERS] = "layers",
	[RECORD_BLOCKED] = "blocked", [RECORD_STACKS] = "stacks", [RECORD_EVENTS] = "events",
	[RECORD_ALL] = "all",
};

const char *const command_names[COMMAND_COUNT] = {
	[COMMAND_SERVE] = "serve",
	[COMMAND_RECORD] = "record",
};

const char *const help_group_titles[HELP_GROUPS] = {
	[HELP_REPORTS] = N_("Reports"),
	[HELP_ROWS] = N_("Which rows"),
	[HELP_COLUMNS] = N_("Which columns, in which order"),
	[HELP_SOURCES] = N_("Sources"),
	[HELP_TRIGGER] = N_("Triggers"),
	[HELP_STACKS] = N_("Stacks and off-CPU"),
	[HELP_LAYERS] = N_("Layers"),
	[HELP_SERVE] = N_("Metrics (iotop serve)"),
	[HELP_RECORD] = N_("Store (iotop record, iotop serve --store)"),
	[HELP_TERMINAL] = N_("Terminal"),
	[HELP_INFORMATION] = N_("Information"),
};

#define MICROSECOND 1000	/* ns */
#define OFF(member) .off = offsetof(struct options, member)
#define CHOICES(names) .choices = (names), .nchoices = ARRAY_SIZE(names)
#define STACKS "stacks offcpu"
/* Rows that belong to tasks; all but findings and events. */
#define LAYERS "layers layers/process"
#define OF_TASKS "tasks disks/process stacks offcpu " LAYERS " files events"
#define ROWS "tasks disks disks/process stacks offcpu " LAYERS " files mounts"
#define GROUPED "tasks disks disks/process stacks offcpu " LAYERS " files"
#define OF_DISKS "tasks disks disks/process stacks offcpu " LAYERS " files events why"
#define BY_OPERATION "disks/process stacks offcpu " LAYERS " events"
#define COUNTED "tasks disks disks/process stacks files events"	/* by the block programs */
#define IN(format) (1u << OUT_##format)
/* Those that have a row of the view in each of their lines. */
#define OF_ROWS \
	(IN(TEXT) | IN(JSON) | IN(CSV) | IN(FOLDED) | IN(SVG) | IN(PPROF) | IN(HIST))
#define ONLY_SERVE .commands = 1u << COMMAND_SERVE
#define SERVE_TOO .commands = 1u << COMMAND_LIVE | 1u << COMMAND_SERVE
#define STORE_OPTION .commands = 1u << COMMAND_SERVE | 1u << COMMAND_RECORD
#define RECORD_TOO .commands = 1u << COMMAND_LIVE | 1u << COMMAND_RECORD
#define ANYWHERE .commands = (1u << COMMAND_COUNT) - 1

const struct option_info option_table[] = {
	{ "batch", 'b', false, OPT_FLAG, HELP_REPORTS, NULL,
	  N_("write reports instead of drawing a screen"), OFF(batch) },
	{ "iter", 'n', false, OPT_NUMBER, HELP_REPORTS, "NUM", N_("end after NUM reports"),
	  ANYWHERE, OFF(iterations), .min = 1,
	  .max = UINT32_MAX },
	{ "delay", 'd', true, OPT_SECONDS, HELP_REPORTS, "SEC",
	  N_("seconds between reports, 0.1 to 86400; default 1, of serve 5"), ANYWHERE, OFF(delay),
	  .min = 1, .max = 864000 },
	{ "screen", 0, true, OPT_TEXT, HELP_REPORTS, "NAME", N_("what to show; see --list-screens"),
	  OFF(screen) },
	{ "why", 0, false, OPT_SECONDS, HELP_REPORTS, "[SECONDS]",
	  N_("look for so long (10), say what is wrong, and exit 3 when something is"),
	  .screens = "why", .reports = true, .formats = IN(TEXT) | IN(JSON) | IN(CSV), OFF(why),
	  .value = 10, .min = 30, .max = 864000 },
	{ "format", 0, false, OPT_CHOICE, HELP_REPORTS, "FORMAT",
	  N_("of reports: text, json, csv, openmetrics; folded: stacks for flame graphs; svg: "
	     "one; pprof: for pprof; hist: histograms"),
	  .reports = true, OFF(format),
	  .choices = out_format_names, .nchoices = OUT_FORMATS },
	{ "time", 't', false, OPT_FLAG, HELP_REPORTS, NULL,
	  N_("the time before every line of text"), .reports = true,
	  .formats = IN(TEXT) | IN(JSON) | IN(CSV) | IN(HIST), OFF(time) },
	{ "quiet", 'q', false, OPT_COUNT, HELP_REPORTS, NULL,
	  N_("column names once; twice: never; three times: no summary either"),
	  .reports = true, .screens = ROWS " events", .formats = IN(TEXT) | IN(CSV),
	  OFF(quiet) },
	{ "kilobytes", 'k', true, OPT_FLAG, HELP_REPORTS, NULL, N_("all sizes in kilobytes"),
	  .formats = IN(TEXT) | IN(SVG), OFF(kilobytes) },
	{ "si", 0, true, OPT_FLAG, HELP_REPORTS, NULL, N_("units of 1000 instead of 1024"),
	  .formats = IN(TEXT) | IN(SVG), OFF(si) },

	{ "only", 'o', true, OPT_FLAG, HELP_ROWS, NULL, N_("only rows that did I/O"),
	  .screens = ROWS, .formats = OF_ROWS & ~IN(HIST), OFF(only_active) },
	{ "idle", 0, true, OPT_FLAG, HELP_ROWS, NULL,
	  N_("also rows that did no I/O lately, which the screen hides at first"),
	  .interactive = true, OFF(idle) },
	{ "processes", 'P', true, OPT_SET, HELP_ROWS, NULL, N_("processes, not threads"),
	  .screens = GROUPED, .formats = OF_ROWS, OFF(group), .value = GROUP_PROCESS },
	{ "threads", 0, true, OPT_SET, HELP_ROWS, NULL, N_("threads, not processes"),
	  .screens = "tasks stacks offcpu", .formats = OF_ROWS, OFF(group),
	  .value = GROUP_NONE },
	{ "group", 0, true, OPT_CHOICE, HELP_ROWS, "BY",
	  N_("one row for each thread, process, comm, user or cgroup; of files: file, folder, "
	     "mount, fs, extension"),
	  .screens = GROUPED, .formats = OF_ROWS, OFF(group),
	  .choices = group_names, .nchoices = GROUP_COUNT },
	{ "pid", 'p', false, OPT_PIDS, HELP_ROWS, "PID",
	  N_("only these processes or threads (a list; may be repeated)"), .screens = OF_TASKS },
	{ "user", 'u', false, OPT_USERS, HELP_ROWS, "USER",
	  N_("only tasks of these users (a list; may be repeated)"), .screens = OF_TASKS },
	{ "tid", 0, false, OPT_NUMBER, HELP_ROWS, "TID", N_("only this thread"),
	  .screens = "tasks disks/process offcpu " LAYERS " events", OFF(tid), .min = 1,
	  .max = INT32_MAX },
	{ "cgroup", 0, false, OPT_TEXT, HELP_ROWS, "PATH",
	  N_("only tasks in this control group or below"), .screens = OF_TASKS, OFF(cgroup) },
	{ "io", 0, false, OPT_CHOICE, HELP_ROWS, "r|w|rw", N_("only reads, only writes, or all"),
	  .screens = BY_OPERATION, .formats = OF_ROWS, OFF(io), CHOICES(io_names) },
	{ "op", 0, false, OPT_CHOICE, HELP_ROWS, "NAME", N_("only this operation"),
	  .screens = BY_OPERATION, .formats = OF_ROWS, OFF(op), .choices = layer_op_names,
	  .nchoices = LAYER_OP_COUNT },
	{ "disk", 0, false, OPT_TEXT, HELP_ROWS, "NAME",
	  N_("only this disk and what is stacked on it"), .screens = OF_DISKS, SERVE_TOO,
	  OFF(disk) },
	{ "filter", 0, true, OPT_TEXT, HELP_ROWS, "EXPR",
	  N_("only rows for which this is true, such as \"write > 1M\""), .formats = OF_ROWS,
	  OFF(filter) },
	{ "rows", 'r', true, OPT_NUMBER, HELP_ROWS, "NUM", N_("at most NUM rows a report"),
	  .formats = OF_ROWS, OFF(rows), .min = 1, .max = UINT32_MAX },
	{ "hide-ended", 'e', true, OPT_FLAG, HELP_ROWS, NULL, N_("leave out tasks that have ended"),
	  .screens = "tasks disks disks/process", .formats = OF_ROWS, OFF(hide_ended) },

	{ "columns", 0, true, OPT_TEXT, HELP_COLUMNS, "KEY,...",
	  N_("these columns; +KEY and -KEY change the default ones"),
	  .formats = IN(TEXT) | IN(JSON) | IN(CSV), OFF(columns) },
	{ "sort", 0, true, OPT_TEXT, HELP_COLUMNS, "KEY[:asc|:desc]", N_("sort by this column"),
	  .formats = OF_ROWS, OFF(sort) },
	{ "accumulated", 'a', true, OPT_SET, HELP_COLUMNS, NULL,
	  N_("sums since the start instead of rates"), .screens = ROWS, .formats = OF_ROWS,
	  OFF(span),
	  .value = SPAN_SUM },
	{ "average", 'A', true, OPT_SET, HELP_COLUMNS, NULL,
	  N_("rates over the whole time since the start"), .screens = ROWS,
	  .formats = OF_ROWS & ~IN(HIST),
	  OFF(span),
	  .value = SPAN_MEAN },
	{ "full-command", 'c', true, OPT_FLAG, HELP_COLUMNS, NULL,
	  N_("full command lines where only names would be shown"),
	  .screens = "tasks", OFF(full_command) },

	{ "probes", 0, false, OPT_ACTION, HELP_SOURCES, NULL,
	  N_("say what would be attached where, and why; then exit"), OFF(action),
	  .value = ACTION_PROBES },
	{ "no-bpf", 0, true, OPT_FLAG, HELP_SOURCES, NULL, N_("taskstats and /proc only"),
	  .live = true, ANYWHERE, OFF(no_bpf) },
	{ "accounting", 0, true, OPT_CHOICE, HELP_SOURCES, "FROM",
	  N_("task accounting from auto, bpf or netlink"), .screens = "tasks", .live = true,
	  ANYWHERE, OFF(accounting),
	  CHOICES(accounting_names) },
	{ "attribute", 0, true, OPT_CHOICE, HELP_SOURCES, "TO",
	  N_("charge I/O to its cause (default) or its submitter"),
	  .screens = "tasks disks/process stacks", SERVE_TOO, OFF(attribute),
	  CHOICES(attribute_names) },
	{ "no-probing", 0, true, OPT_FLAG, HELP_SOURCES, NULL,
	  N_("findings look only at what is shown, not now and then at other sources"),
	  .live = true, SERVE_TOO, OFF(no_probing) },
	{ "ignore", 0, true, OPT_WORDS, HELP_SOURCES, "NAME,...",
	  N_("findings that are not looked for"), ANYWHERE, OFF(ignored),
	  CHOICES(finding_names) },
	{ "finding-share", 0, true, OPT_NUMBER, HELP_SOURCES, "PERCENT",
	  N_("of somebody's time that it takes to be a finding, 20 unless given"), ANYWHERE,
	  OFF(finding_share), .min = 5, .max = 100 },
	{ "history", 0, true, OPT_TIME, HELP_SOURCES, "TIME",
	  N_("how much of the past the screen keeps in memory, 10m unless given"),
	  .interactive = true, OFF(history) },
	{ "record", 0, false, OPT_TEXT, HELP_SOURCES, "FILE",
	  N_("keep all that was read in FILE, an SQLite database"), .live = true, OFF(record) },
	{ "replay", 0, false, OPT_TEXT, HELP_SOURCES, "FILE",
	  N_("show a recording instead of this machine"), OFF(replay) },
	{ "store", 0, false, OPT_TEXT, HELP_SOURCES, "[DIR]",
	  N_("show what iotop record keeps in DIR (/var/lib/iotop), or keep it there"),
	  ANYWHERE, OFF(store) },
	{ "begin", 0, false, OPT_TEXT, HELP_SOURCES, "TIME",
	  N_("of a recording only what is from TIME on: 03:12, -15m, \"yesterday 14:00\""),
	  .recorded = true, OFF(begin) },
	{ "end", 0, false, OPT_TEXT, HELP_SOURCES, "TIME",
	  N_("of a recording only what is until TIME"), .recorded = true, OFF(end) },
	{ "compare", 0, false, OPT_TEXT, HELP_SOURCES, "TIME,TIME",
	  N_("one report: what changed from the time between these to that of --begin and --end"),
	  .recorded = true, .reports = true, .formats = IN(TEXT) | IN(JSON) | IN(CSV),
	  OFF(compare) },
	{ "summary", 0, false, OPT_FLAG, HELP_SOURCES, NULL,
	  N_("one report at the end, with sums over all of the time"), .screens = ROWS,
	  .reports = true, .formats = OF_ROWS, OFF(summary) },
	{ "max-tasks", 0, true, OPT_NUMBER, HELP_SOURCES, "NUM",
	  N_("tasks with I/O that the kernel programs can count at a time"),
	  .screens = COUNTED, .live = true, ANYWHERE,
	  OFF(max_tasks), .min = 64, .max = 1u << 20 },
	{ "max-counters", 0, true, OPT_NUMBER, HELP_SOURCES, "NUM",
	  N_("combinations of task, disk and operation, likewise"),
	  .screens = COUNTED, .live = true, ANYWHERE,
	  OFF(max_counters), .min = 64, .max = 1u << 22 },
	{ "max-files", 0, true, OPT_NUMBER, HELP_SOURCES, "NUM",
	  N_("files whose dirty pages have a known owner, likewise"),
	  .screens = COUNTED, .live = true, ANYWHERE,
	  OFF(max_files), .min = 64, .max = 1u << 24 },
	{ "secure", 0, true, OPT_FLAG, HELP_SOURCES, NULL,
	  N_("nothing that changes the system: no ionice, signal, sysctl"),
	  ANYWHERE, OFF(secure) },

	{ "when", 0, true, OPT_TEXT, HELP_TRIGGER, "EXPR[ for TIME]",
	  N_("while this is true stacks, off-CPU, layers and files are on, too: "
	     "\"disk.util > 90 for 5s\", \"finding != ''\", \"task.io > 50\""),
	  .live = true, RECORD_TOO, OFF(when) },
	{ "keep", 0, true, OPT_TIME, HELP_TRIGGER, "TIME",
	  N_("how much longer they stay on, 30s unless given"), .live = true, RECORD_TOO,
	  OFF(keep) },
	{ "exec", 0, true, OPT_TEXT, HELP_TRIGGER, "COMMAND",
	  N_("start this when it becomes true, with the findings as JSON on its standard input"),
	  .live = true, RECORD_TOO, OFF(exec) },

	{ "kernel-stacks", 'K', false, OPT_FLAG, HELP_STACKS, NULL, N_("kernel stacks only"),
	  .screens = STACKS, OFF(kernel_stacks) },
	{ "user-stacks", 'U', false, OPT_FLAG, HELP_STACKS, NULL, N_("user stacks only"),
	  .screens = STACKS, OFF(user_stacks) },
	{ "stack-storage", 0, false, OPT_NUMBER, HELP_STACKS, "NUM",
	  N_("how many different stacks are kept"), .screens = STACKS,
	  .live = true, OFF(stack_storage), .min = 1, .max = 1u << 24 },
	{ "unwind-tables", 0, false, OPT_SIZE, HELP_STACKS, "SIZE",
	  N_("memory for the tables by which stacks of programs are unwound (32M); 0: frame "
	     "pointers only"), .screens = STACKS, .live = true, OFF(unwind_tables),
	  .max = 128u << 20 },
	{ "debuginfod", 0, false, OPT_FLAG, HELP_STACKS, NULL,
	  N_("names and lines from debug files that debuginfod-find(1) has fetched, too"),
	  .screens = STACKS, .live = true, OFF(debuginfod) },
	{ "delimited", 0, false, OPT_FLAG, HELP_STACKS, NULL,
	  N_("a delimiter between kernel and user frames"), .screens = STACKS,
	  .formats = IN(FOLDED) | IN(SVG), OFF(delimited) },
	{ "by", 0, false, OPT_CHOICE, HELP_STACKS, "WHAT",
	  N_("weigh stacks by bytes, ios or latency"), .screens = "stacks",
	  .formats = IN(FOLDED) | IN(SVG), OFF(by),
	  CHOICES(by_names) },
	{ "user-threads", 0, false, OPT_FLAG, HELP_STACKS, NULL, N_("only threads of programs"),
	  .screens = "offcpu", .live = true, OFF(user_threads) },
	{ "kernel-threads", 0, false, OPT_FLAG, HELP_STACKS, NULL, N_("only threads of the kernel"),
	  .screens = "offcpu", .live = true, OFF(kernel_threads) },
	{ "state", 0, false, OPT_TEXT, HELP_STACKS, "LETTERS",
	  N_("only tasks blocked in these states, as ps names them"), .screens = "offcpu",
	  .formats = OF_ROWS, OFF(state) },
	{ "min-block", 0, false, OPT_TIME, HELP_STACKS, "TIME",
	  N_("leave out what blocked for less"), .screens = "offcpu", .live = true,
	  OFF(min_block), .value = MICROSECOND },
	{ "max-block", 0, false, OPT_TIME, HELP_STACKS, "TIME",
	  N_("leave out what blocked for longer"), .screens = "offcpu", .live = true,
	  OFF(max_block), .value = MICROSECOND },
	{ "self", 0, false, OPT_FLAG, HELP_STACKS, NULL, N_("show this program itself as well"),
	  .screens = "offcpu", .live = true, OFF(self) },

	{ "layer", 0, false, OPT_CHOICE, HELP_LAYERS, "NAME",
	  N_("only this layer: syscall, vfs, fs, cache, limit, queue or device"),
	  .screens = LAYERS,
	  .formats = OF_ROWS, OFF(layer), .choices = layer_names, .nchoices = LAYER_COUNT },
	{ "fs", 0, false, OPT_TEXT, HELP_LAYERS, "NAME",
	  N_("only file systems of this kind: ext4, xfs, …"), .screens = LAYERS, OFF(fs) },
	{ "min-latency", 0, false, OPT_TIME, HELP_LAYERS, "TIME",
	  N_("leave out what took less; of events 10ms unless given"),
	  .screens = LAYERS " events", .live = true, OFF(min_latency), .value = MICROSECOND },
	{ "all", 0, false, OPT_FLAG, HELP_LAYERS, NULL, N_("every event, however short"),
	  .screens = "events", .live = true, OFF(all_events) },
	{ "errors", 0, false, OPT_FLAG, HELP_LAYERS, NULL, N_("only events that failed, however "
	  "short"), .screens = "events", .live = true, OFF(errors) },
	{ "max-rate", 0, false, OPT_NUMBER, HELP_LAYERS, "NUM",
	  N_("at most so many events a second; the others are counted"), .screens = "events",
	  .live = true, OFF(max_rate), .min = 1, .max = UINT32_MAX },
	{ "milliseconds", 0, false, OPT_FLAG, HELP_LAYERS, NULL,
	  N_("times in milliseconds, without a unit"), .formats = IN(TEXT) | IN(HIST),
	  OFF(milliseconds) },
	{ "hist-by", 0, false, OPT_WORDS, HELP_LAYERS, "LIST",
	  N_("histograms by disk, by op, by both (disk,op: the default), or all in one; by flag "
	     "and by task, of single requests; with size: of the sizes of requests"),
	  .screens = "disks", .reports = true, .formats = IN(HIST), OFF(hist_by),
	  CHOICES(out_hist_names) },

	{ "listen", 0, false, OPT_TEXT, HELP_SERVE, "ADDRESS",
	  N_("answer scrapers there: ADDRESS:PORT (127.0.0.1:9963), unix:/PATH"),
	  ONLY_SERVE, OFF(listen) },
	{ "textfile", 0, false, OPT_TEXT, HELP_SERVE, "FILE",
	  N_("write them to FILE; without --listen nothing listens"), ONLY_SERVE, OFF(textfile) },
	{ "web-config", 0, false, OPT_TEXT, HELP_SERVE, "FILE",
	  N_("TLS and users, in the layout of Prometheus' exporters"),
	  ONLY_SERVE, OFF(web_config) },
	{ "metrics", 0, false, OPT_WORDS, HELP_SERVE, "LIST",
	  N_("of: disks, cgroups, layers (the default), blocked, dirty and programs"), ONLY_SERVE,
	  OFF(metrics),
	  CHOICES(metrics_names) },
	{ "max-series", 0, false, OPT_NUMBER, HELP_SERVE, "NUM",
	  N_("series at most (5000); control groups that do least are added up"),
	  ONLY_SERVE, OFF(max_series), .min = 100, .max = 1u << 20 },

	{ "retain", 0, false, OPT_TIME, HELP_RECORD, "TIME",
	  N_("remove what is older (7d)"), STORE_OPTION, OFF(retain) },
	{ "max-size", 0, false, OPT_SIZE, HELP_RECORD, "SIZE",
	  N_("remove the oldest when all together is larger (2G)"), STORE_OPTION, OFF(max_size),
	  .min = 16 << 20, .max = 1ull << 50 },
	{ "fine", 0, false, OPT_TIME, HELP_RECORD, "TIME",
	  N_("keep all samples for so long (24h), then one of 10 seconds"), STORE_OPTION,
	  OFF(fine) },
	{ "coarse", 0, false, OPT_TIME, HELP_RECORD, "TIME",
	  N_("and these for so long (7d), then one of 60"), STORE_OPTION, OFF(coarse) },
	{ "settings", 0, false, OPT_TEXT, HELP_RECORD, "FILE",
	  N_("a file with retain=TIME, … and delay=SEC; SIGHUP reads it again"), STORE_OPTION,
	  OFF(settings) },
	{ "record-sources", 0, false, OPT_WORDS, HELP_RECORD, "LIST",
	  N_("also what is not shown; of: tasks, disks, files, memory, mounts (these by default of "
	     "iotop record), layers, blocked, stacks, events; all"), .live = true, ANYWHERE,
	  OFF(record_sources), CHOICES(record_names) },

	{ "ascii", 0, true, OPT_FLAG, HELP_TERMINAL, NULL, N_("draw with ASCII only"),
	  .formats = IN(TEXT) | IN(HIST), OFF(ascii) },
	{ "no-color", 0, true, OPT_FLAG, HELP_TERMINAL, NULL,
	  N_("no colours, as with NO_COLOR set"), OFF(no_color) },
	{ "theme", 0, true, OPT_CHOICE, HELP_TERMINAL, "NAME",
	  N_("colours: auto (as the terminal is), dark, light, safe (told apart by the "
	     "colour-blind) or mono"),
	  OFF(theme), .choices = theme_names, .nchoices = THEME_COUNT },
	{ "keys", 0, true, OPT_CHOICE, HELP_TERMINAL, "usual|vi",
	  N_("vi: h j k l g G move"), OFF(key_map.vi), CHOICES(key_map_names) },
	{ "write", 'W', false, OPT_ACTION, HELP_TERMINAL, NULL,
	  N_("save the options given for the full screen, then exit"), OFF(action),
	  .value = ACTION_WRITE_CONFIG },

	{ "list-screens", 0, false, OPT_ACTION, HELP_INFORMATION, NULL, N_("print the screens"),
	  OFF(action),
	  .value = ACTION_LIST_SCREENS },
	{ "list-columns", 0, false, OPT_ACTION, HELP_INFORMATION, "[SCREEN]",
	  N_("print the columns"), OFF(action),
	  .value = ACTION_LIST_COLUMNS },
	{ "list-keys", 0, false, OPT_ACTION, HELP_INFORMATION, NULL, N_("print the keys"),
	  OFF(action), .value = ACTION_LIST_KEYS },
	{ "list-options", 0, false, OPT_ACTION, HELP_INFORMATION, NULL,
	  N_("print on which screens each option acts"), OFF(action),
	  .value = ACTION_LIST_OPTIONS },
	{ "help", 'h', false, OPT_ACTION, HELP_INFORMATION, NULL, N_("print this"), OFF(action),
	  .value = ACTION_HELP },
	{ "version", 0, false, OPT_ACTION, HELP_INFORMATION, NULL, N_("print the version"),
	  OFF(action), .value = ACTION_VERSION },
};

const unsigned option_count = ARRAY_SIZE(option_table);

const struct option_info *option_find(const char *name)
{
	for (unsigned i = 0; i < option_count; i++)
		if (!strcmp(option_table[i].name, name))
			return &option_table[i];
	return NULL;
}
