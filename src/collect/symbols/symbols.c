// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/i18n.h"
#include "bpf/abi.h"
#include "collect/helper/process.h"
#include "collect/symbols/frame_text.h"
#include "collect/symbols/known.h"
#include "collect/symbols/ksyms.h"
#include "collect/symbols/place_names.h"

struct symbols {
	struct helper *helper;
	char *proc;
	struct known known;
	struct place_names names;
	uint64_t missed, forgotten;
	struct buf request;
	struct ksyms_read kernel;
};

struct symbols *symbols_new(const char *proc, struct helper *helper)
{
	struct symbols *s = mem_zalloc(sizeof(*s));

	s->helper = helper;
	s->proc = mem_strdup(proc);
	s->kernel.proc = s->proc;
	known_init(&s->known);
	place_names_init(&s->names);
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	helper_cancel(s->helper, s);
	known_release(&s->known);
	place_names_release(&s->names);
	buf_release(&s->request);
	ksyms_read_end(&s->kernel);
	free(s->proc);
	free(s);
}

void symbols_round(struct symbols *s)
{
	known_round(&s->known);
	place_names_round(&s->names);
}

/* What an address space is asked for. */
struct asking {
	struct symbols *symbols;
	struct space_key key;
	void (*done)(void *arg, const struct place *places);
	void *arg;
	uint32_t n;
};

static struct asking *asking_new(struct symbols *s, const struct space_key *key, uint32_t n)
{
	struct asking *a = mem_zalloc(sizeof(*a));

	*a = (struct asking){ .symbols = s, .key = *key, .n = n };
	return a;
}

/* Its helper hung, or ended: nobody is asked again for this process. */
static void give_up(struct asking *a)
{
	known_space(&a->symbols->known, &a->key)->bad = true;
	a->symbols->missed++;
}

static void met(void *arg, const void *data, size_t len)
{
	struct wire_reader r = wire_reader(data, len);
	struct asking *a = arg;

	if (!data)
		give_up(a);
	else
		a->symbols->missed += wire_u32(&r) == 1;
	free(a);
}

void symbols_register(struct symbols *s, const struct space_key *key)
{
	uint32_t before = s->known.numbers;
	struct known_space *space = known_space(&s->known, key);

	if (space->number <= before)
		return;
	buf_reset(&s->request);
	wire_put_space(&s->request, key);
	helper_ask(s->helper, HELPER_NAMES, MESSAGE_REGISTER, s->request.data, s->request.len, met,
		   asking_new(s, key, 0), s);
}

/* The places of an answer; false: it is not what was asked for. */
static bool read_places(struct asking *a, struct wire_reader *r, struct place *places)
{
	struct symbols *s = a->symbols;
	uint32_t missed = wire_u32(r), nfiles = wire_u32(r),
		 space = known_space(&s->known, &a->key)->number;
	uint32_t files[ABI_STACK_DEPTH];

	if (r->short_ || nfiles > a->n)
		return false;
	for (uint32_t i = 0; i < nfiles; i++) {
		struct helper_file f = wire_file(r);

		files[i] = r->short_ ? 0 : known_file(&s->known, &f)->number;
	}
	for (uint32_t i = 0; i < a->n; i++) {
		uint32_t what = wire_u32(r);

		places[i] = (struct place){ .offset = wire_u64(r) };
		if (what >= PLACE_FILE && what - PLACE_FILE < nfiles)
			places[i].file = files[what - PLACE_FILE];
		else if (what == PLACE_NO_FILE)
			places[i].space = space;
	}
	s->missed += missed == 1;
	return !r->short_;
}

static void placed(void *arg, const void *data, size_t len)
{
	struct wire_reader r = wire_reader(data, len);
	struct place places[ABI_STACK_DEPTH];
	struct asking *a = arg;
	bool told = data && read_places(a, &r, places);

	if (!told)
		give_up(a);
	a->done(a->arg, told ? places : NULL);
	free(a);
}

void symbols_places(struct symbols *s, const struct space_key *key, const uint64_t *addresses,
		    size_t n, void (*done)(void *arg, const struct place *places), void *arg)
{
	struct asking *a;

	if (known_space(&s->known, key)->bad || n > ABI_STACK_DEPTH) {
		done(arg, NULL);
		return;
	}
	a = asking_new(s, key, (uint32_t)n);
	a->done = done;
	a->arg = arg;
	buf_reset(&s->request);
	wire_put_space(&s->request, key);
	wire_put_u32(&s->request, (uint32_t)n);
	buf_putn(&s->request, (const char *)addresses, n * sizeof(*addresses));
	helper_ask(s->helper, HELPER_NAMES, MESSAGE_PLACES, s->request.data, s->request.len, placed,
		   a, s);
}

uint64_t symbols_place_id(struct symbols *s, const struct place *p)
{
	const struct known_file *f = p->file ? known_file_use(&s->known, p->file) : NULL;
	uint64_t file[3] = { p->file }, parts[3] = { p->space, p->offset, p->exact };

	if (f)
		memcpy(file, &f->key.path, sizeof(file));
	if (p->file)
		parts[0] = hash_bytes(file, sizeof(file));
	return hash_bytes(parts, sizeof(parts));
}

static struct place_name *name_of(struct symbols *s, const struct place *p)
{
	return place_names_get(&s->names, symbols_place_id(s, p));
}

/* Names of one file, or of one address space, that were asked for. */
struct naming {
	struct symbols *symbols;
	uint32_t file, space;
	uint32_t n;
	uint64_t ids[];
};

/* Why a file, or an address space, has no name for an address. */
static const char *why_unnamed(const struct naming *a, bool told, uint32_t error)
{
	if (!told)
		return NULL;
	if (!a->file)
		return N_("made at run time, and in no perf map");
	if (error == EACCES || error == EPERM)
		return N_("no permission to read the file");
	if (error)
		return N_("the file is gone, or was replaced");
	return N_("stripped: the file has no symbol here");
}

static void named(void *arg, const void *data, size_t len)
{
	struct wire_reader r = wire_reader(data, len);
	struct naming *a = arg;
	struct symbols *s = a->symbols;
	struct known_file *f = a->file ? known_file_use(&s->known, a->file) : NULL;
	struct known_space *space = a->file ? NULL : known_space_use(&s->known, a->space);
	uint32_t error;

	if (!data && f)
		known_file_bad(&s->known, f);
	else if (!data && space)
		space->bad = true;
	error = data && a->file ? wire_u32(&r) : 0;
	/* Of what was never opened nobody expects to be opened again. */
	s->forgotten += error && error != ENOEXEC && f && f->at.size;
	for (uint32_t i = 0; i < a->n; i++) {
		size_t size = 0;
		const char *text = data ? wire_text(&r, HELPER_NAME_MAX, &size) : "";

		place_names_set(&s->names, a->ids[i], text, size, why_unnamed(a, data, error));
	}
	free(a);
}

/* Most addresses are where a call returns to: the call itself is before. */
static uint64_t call_of(const struct place *p)
{
	return p->offset && !p->exact ? p->offset - 1 : p->offset;
}

/* Nobody is to be asked: it has no name at once. */
static bool is_hopeless(struct symbols *s, const struct place *p)
{
	const struct known_file *f = p->file ? known_file_use(&s->known, p->file) : NULL;
	const struct known_space *space = p->file ? NULL : known_space_use(&s->known, p->space);

	return p->file ? !f || f->bad || f->at.path[0] != '/' : !space || space->bad;
}

static bool same_source(const struct place *a, const struct place *b)
{
	return a->file == b->file && a->space == b->space;
}

/*
 * All names of `places` that lie in the same file as the first, in one request. Those that are
 * asked for are cleared.
 */
static void ask_source(struct symbols *s, struct place *places, size_t n)
{
	struct place of = places[0];
	struct naming *a =
		mem_zalloc(sizeof(*a) + MIN(n, (size_t)HELPER_NAMES_MAX) * sizeof(a->ids[0]));
	const struct known_file *f = of.file ? known_file_use(&s->known, of.file) : NULL;
	size_t count_at;

	*a = (struct naming){ .symbols = s, .file = of.file, .space = of.space };
	buf_reset(&s->request);
	if (f)
		wire_put_file(&s->request, &f->at);
	else
		wire_put_space(&s->request, &known_space_use(&s->known, of.space)->key);
	count_at = s->request.len;
	wire_put_u32(&s->request, 0);
	for (size_t i = 0; i < n && a->n < HELPER_NAMES_MAX; i++) {
		uint64_t id = symbols_place_id(s, &places[i]);

		if (!same_source(&places[i], &of))
			continue;
		if (place_names_ask(&s->names, id, !of.file)) {
			a->ids[a->n++] = id;
			wire_put_u64(&s->request, call_of(&places[i]));
		}
		places[i] = (struct place){ .file = 0 };
	}
	memcpy(s->request.data + count_at, &a->n, sizeof(a->n));
	if (a->n)
		helper_ask(s->helper, HELPER_NAMES,
			   of.file ? MESSAGE_FILE_NAMES : MESSAGE_SPACE_NAMES, s->request.data,
			   s->request.len, named, a, s);
	else
		free(a);
}

void symbols_ask(struct symbols *s, const struct place *places, size_t n)
{
	struct place *left = mem_alloc((n + 1) * sizeof(*left));
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		const struct place_name *known = name_of(s, &places[i]);

		if ((places[i].file || places[i].space) &&
		    (!known || (!known->text && !known->asked && !places[i].file)) &&
		    !is_hopeless(s, &places[i]))
			left[count++] = places[i];
	}
	for (int slow = 0; slow < 2; slow++)
		for (size_t i = 0; i < count; i++) {
			const struct known_file *f =
				left[i].file ? known_file_use(&s->known, left[i].file) : NULL;

			if ((left[i].file || left[i].space) && (slow || !f || !f->at.slow))
				ask_source(s, left + i, count - i);
		}
	free(left);
}

bool symbols_answered(struct symbols *s, const struct place *p)
{
	const struct place_name *n = p->file || p->space ? name_of(s, p) : NULL;

	return (!p->file && !p->space) || (n ? !n->asked : is_hopeless(s, p));
}

void symbols_wait(struct symbols *s, uint64_t until, bool (*done)(void *arg), void *arg)
{
	helper_wait(s->helper, HELPER_NAMES, until, done, arg);
}

void symbols_user_text(struct symbols *s, const struct place *p, struct buf *out)
{
	const struct place_name *n = p->file || p->space ? name_of(s, p) : NULL;
	const struct known_file *f = p->file ? known_file_use(&s->known, p->file) : NULL;
	const char *file = f ? frame_text_file(f->at.path) : p->space ? FRAMES_AT_RUN_TIME : "";

	if (n && n->text) {
		frame_text_put_all(out, n->text, file);
		return;
	}
	buf_puts(out, "[unknown]");
	if (p->file && !f)
		s->forgotten++;
	if (f) {
		buf_putc(out, ' ');
		frame_text_put(out, file);
		buf_printf(out, "+0x%" PRIx64, p->offset);
	}
	buf_printf(out, "\t%s\t", n && n->why ? n->why : "");
	frame_text_put(out, file);
}

enum ksyms_tracing symbols_kernel_text(struct symbols *s, uint64_t address, struct buf *out)
{
	enum ksyms_tracing tracing;
	const char *module, *name;

	name = symbols_kernel_reason(s) ? NULL : ksyms_name(s->kernel.syms, address - 1, &module);
	if (!name) {
		buf_printf(out, "0x%" PRIx64, address);
		return KSYMS_TRACED;
	}
	tracing = ksyms_tracing(name);
	if (tracing != KSYMS_TRACED)
		return tracing;
	frame_text_put(out, name);
	if (module) {
		buf_puts(out, " [");
		frame_text_put(out, module);
		buf_putc(out, ']');
	}
	return KSYMS_TRACED;
}

const char *symbols_kernel_reason(struct symbols *s)
{
	return ksyms_read_wait(&s->kernel) ? NULL : s->kernel.err.text;
}

void symbols_begin(struct symbols *s)
{
	ksyms_read_begin(&s->kernel);
}

const char *symbols_user_reason(const struct symbols *s)
{
	return helper_reason(s->helper);
}

uint64_t symbols_missed(const struct symbols *s)
{
	return s->missed;
}

uint64_t symbols_forgotten(const struct symbols *s)
{
	return s->forgotten;
}
