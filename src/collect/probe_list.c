// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/probe_list.h"

#include <cap-ng.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"

#define INDENT 2	/* columns: lines of a collector, below its own */

void probe_list_init(struct probe_list *list)
{
	*list = (struct probe_list){ .n = 0 };
	arena_init(&list->arena);
}

void probe_list_release(struct probe_list *list)
{
	free(list->lines);
	arena_release(&list->arena);
}

void probe_add(struct probe_list *list, const char *what, bool ok, const char *fmt, ...)
{
	struct probe_line *line;
	char text[1024];
	va_list args;

	list->lines = mem_grow(list->lines, list->n, &list->cap, sizeof(*list->lines));
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	line = &list->lines[list->n++];
	line->what = utf8_clean(&list->arena, what, strlen(what));
	line->of = list->of;
	line->ok = ok;
	line->text = utf8_clean(&list->arena, text, strlen(text));
}

/* "all", "none", or "cap_bpf,cap_perfmon" of a line of /proc/PID/status. */
static void put_capabilities(struct buf *out, const char *status, const char *line)
{
	const char *p = strstr(status, line);
	uint64_t set = p ? strtoull(p + strlen(line), NULL, 16) : 0;
	const char *gap = "";

	if (!set)
		buf_puts(out, C_("capabilities", "none"));
	for (unsigned i = 0; i < 64 && set; i++) {
		const char *name = set & 1ULL << i ? capng_capability_to_name(i) : NULL;

		if (!(set & 1ULL << i))
			continue;
		if (name)
			buf_printf(out, "%s%s", gap, name);
		else
			buf_printf(out, "%s%u", gap, i);
		gap = ",";
	}
}

static unsigned long status_number(const char *status, const char *line)
{
	const char *p = strstr(status, line);

	return p ? strtoul(p + strlen(line), NULL, 10) : 0;
}

/* "Max address space  268435456  268435456  bytes" */
static void put_memory_limit(struct buf *out, const char *limits)
{
	static const char line[] = "Max address space";
	const char *p = limits ? strstr(limits, line) : NULL;
	unsigned long long bytes = p ? strtoull(p + strlen(line), NULL, 10) : 0;

	if (bytes)
		buf_printf(out, _(", at most %llu MiB"), bytes >> 20);
}

void probe_process(struct probe_list *list, const char *what, uint32_t pid)
{
	_cleanup_(buf_release) struct buf status = { 0 }, limits = { 0 }, text = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (buf_read_file(&status, -1, path, 65536) < 0 || !status.len) {
		probe_add(list, what, false, "%s", _("has ended"));
		return;
	}
	snprintf(path, sizeof(path), "/proc/%u/limits", pid);
	if (buf_read_file(&limits, -1, path, 65536) < 0)
		buf_reset(&limits);
	buf_puts(&text, _("effective: "));
	put_capabilities(&text, status.data, "\nCapEff:");
	buf_puts(&text, _("; permitted: "));
	put_capabilities(&text, status.data, "\nCapPrm:");
	buf_printf(&text, _("; no new privileges: %s"),
		   status_number(status.data, "\nNoNewPrivs:") ? _("yes") : _("no"));
	buf_printf(&text, _("; system calls: %s"),
		   status_number(status.data, "\nSeccomp:") == 2 ? _("filtered")
							       : C_("system calls", "all"));
	put_memory_limit(&text, limits.data);
	probe_add(list, what, true, "%s", text.data);
}

static void put_json_string(struct buf *out, const char *s)
{
	buf_putc(out, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *s);
	}
	buf_putc(out, '"');
}

void probe_list_json(const struct probe_list *list, struct buf *out)
{
	buf_puts(out, "{\"probes\":[");
	for (size_t i = 0; i < list->n; i++) {
		buf_puts(out, i ? ",{\"what\":" : "{\"what\":");
		put_json_string(out, list->lines[i].what);
		if (list->lines[i].of) {
			buf_puts(out, ",\"of\":");
			put_json_string(out, list->lines[i].of);
		}
		buf_printf(out, ",\"ok\":%s,\"text\":", list->lines[i].ok ? "true" : "false");
		put_json_string(out, list->lines[i].text);
		buf_putc(out, '}');
	}
	buf_puts(out, "]}\n");
}

static int what_width(const struct probe_line *line)
{
	return utf8_width(line->what) + (line->of ? INDENT : 0);
}

void probe_list_text(const struct probe_list *list, struct buf *out)
{
	int width = 0;

	for (size_t i = 0; i < list->n; i++)
		width = MAX(width, what_width(&list->lines[i]));
	for (size_t i = 0; i < list->n; i++) {
		const struct probe_line *line = &list->lines[i];

		buf_printf(out, "%s  %*s%s%*s  %s\n", line->ok ? "+" : "-", line->of ? INDENT : 0,
			   "", line->what, width - what_width(line), "", line->text);
	}
}
