// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "collect/demangle.h"
#include "collect/ksyms.h"
#include "collect/space.h"
#include "collect/symfile.h"

#define TEXT_MAX 512	/* bytes of a frame; templates give names of many kilobytes */

struct symbols {
	char *proc;
	struct symfiles *files;
	struct spaces *spaces;
	struct ksyms *kernel;
	struct err kernel_err;
	bool kernel_tried;
};

struct symbols *symbols_new(const struct collect_options *opt)
{
	struct symbols *s = mem_zalloc(sizeof(*s));

	s->proc = mem_strdup(opt->proc ? opt->proc : "/proc");
	s->files = symfiles_new(s->proc);
	s->spaces = spaces_new(s->proc, s->files);
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	spaces_free(s->spaces);
	symfiles_free(s->files);
	ksyms_close(s->kernel);
	free(s->proc);
	free(s);
}

void symbols_round(struct symbols *s)
{
	symfiles_round(s->files);
	spaces_round(s->spaces);
}

void symbols_meet(struct symbols *s, uint32_t tgid, uint64_t start, uint64_t mm)
{
	space_get(s->spaces, tgid, start, mm);
}

void symbols_places(struct symbols *s, uint32_t tgid, uint64_t start, uint64_t mm, const uint64_t *addresses, size_t n,
		    struct place *ret)
{
	struct space *space = space_get(s->spaces, tgid, start, mm);

	for (size_t i = 0; i < n; i++)
		space_place(s->spaces, space, addresses[i], &ret[i]);
}

uint64_t symbols_place_id(const struct symbols *s, const struct place *p)
{
	uint64_t parts[2] = { p->file ? symfile_id(s->files, p->file) : p->space, p->offset };

	return hash_bytes(parts, sizeof(parts));
}

/* Line breaks separate frames, and no frame may be longer than a screen can show. */
static void put_clean(struct buf *out, const char *text)
{
	size_t n = strnlen(text, TEXT_MAX + 1), from = out->len;

	buf_putn(out, text, MIN(n, (size_t)TEXT_MAX));
	for (char *c = out->data + from; *c; c++)
		if (*c == '\n')
			*c = '?';
	if (n > TEXT_MAX)
		buf_puts(out, "…");
}

static void put_name(struct buf *out, const char *name)
{
	char readable[TEXT_MAX * 2];

	put_clean(out, demangle(readable, sizeof(readable), name) ? readable : name);
}

void symbols_user_text(struct symbols *s, const struct place *p, struct buf *out)
{
	/* Addresses are where a call returns to: the call itself is before. */
	uint64_t at = p->offset ? p->offset - 1 : 0;
	const char *name = p->file ? symfile_name(s->files, p->file, at) : space_name(s->spaces, p->space, at), *label;

	if (name) {
		put_name(out, name);
		return;
	}
	buf_puts(out, "[unknown]");
	label = p->file ? symfile_label(s->files, p->file) : NULL;
	if (label) {
		buf_putc(out, ' ');
		put_clean(out, label);
		buf_printf(out, "+0x%" PRIx64, p->offset);
	}
}

bool symbols_kernel_text(struct symbols *s, uint64_t address, struct buf *out)
{
	const char *module, *name;

	name = symbols_kernel_reason(s) ? NULL : ksyms_name(s->kernel, address - 1, &module);
	if (!name) {
		buf_printf(out, "0x%" PRIx64, address);
		return true;
	}
	if (ksyms_is_tracing(name))
		return false;
	put_clean(out, name);
	if (module) {
		buf_puts(out, " [");
		put_clean(out, module);
		buf_putc(out, ']');
	}
	return true;
}

const char *symbols_kernel_reason(struct symbols *s)
{
	if (!s->kernel_tried) {
		s->kernel_tried = true;
		ksyms_open(s->proc, &s->kernel, &s->kernel_err);
	}
	return s->kernel ? NULL : s->kernel_err.text;
}

uint64_t symbols_missed(const struct symbols *s)
{
	return spaces_missed(s->spaces);
}

uint64_t symbols_forgotten(const struct symbols *s)
{
	return symfiles_forgotten(s->files);
}
