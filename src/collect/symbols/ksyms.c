// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/ksyms.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/sorted.h"
#include "collect/privilege.h"

#define READ_AGAIN (5 * NSEC_PER_SEC)
/* Behind the last function of a module there is no size to tell where it ends. */
#define FUNCTION_MAX (1u << 20)
#define NAME_MAX_LEN 512	/* the kernel's own limit */

struct ksym {
	uint64_t address;
	uint32_t name, module;	/* offsets in text; module 0: none */
};

struct ksyms {
	char path[256];
	struct ksym *syms;
	size_t n, cap;
	struct buf text;
	uint64_t read_at;	/* CLOCK_MONOTONIC */
};

static int by_address(const void *a, const void *b)
{
	const struct ksym *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	/* Of several names for one address the first in the list. */
	return ORDER(x->name, y->name);
}

static uint32_t text_add(struct ksyms *k, const char *s, size_t n)
{
	uint32_t at = (uint32_t)k->text.len;

	buf_putn(&k->text, s, n);
	buf_putc(&k->text, '\0');
	return at;
}

static const char *word_end(const char *s)
{
	while (*s && *s != ' ' && *s != '\t' && *s != '\n')
		s++;
	return s;
}

/* "address type name[\t[module]]" */
static void line_add(struct ksyms *k, const char *line, uint32_t *module)
{
	const char *p, *name, *end;
	unsigned long long address;
	char *after;

	address = strtoull(line, &after, 16);
	p = after;
	if (p == line || *p != ' ' || !p[1] || p[2] != ' ' || !strchr("tTwW", p[1]))
		return;
	name = p + 3;
	end = word_end(name);
	if (end == name || end - name > NAME_MAX_LEN)
		return;
	k->syms = mem_grow(k->syms, k->n, &k->cap, sizeof(*k->syms));
	k->syms[k->n] = (struct ksym){ .address = address,
				       .name = text_add(k, name, (size_t)(end - name)) };
	if (end[0] == '\t' && end[1] == '[') {
		size_t n;

		name = end + 2;
		n = strcspn(name, "]\n");
		/* All of a module stand together: its name is kept once. */
		if (!*module || strncmp(k->text.data + *module, name, n) != 0 ||
		    k->text.data[*module + n])
			*module = text_add(k, name, n);
		k->syms[k->n].module = *module;
	}
	k->n++;
}

/*
 * kallsyms_show_value() of the kernel: at kptr_restrict 2 nobody is shown addresses, else those
 * with CAP_SYSLOG.
 */
static int hidden(struct err *err)
{
	_cleanup_(buf_release) struct buf b = { 0 };

	if (buf_read_file(&b, -1, "/proc/sys/kernel/kptr_restrict", 16) >= 0 && b.len &&
	    b.data[0] == '2')
		return err_set(err, EPERM,
			N_("the kernel hides its symbols from everybody: kernel.kptr_restrict is "
			   "2"));
	if (!privilege_permitted(PRIV_SYMBOLS))
		return err_set(err, EPERM,
			       N_("the kernel hides its symbols: needs root, or CAP_SYSLOG"));
	return err_set(err, EPERM, N_("the kernel hides its symbols (kernel.kptr_restrict)"));
}

/* Line by line: the whole is 5 MB or more. */
static int read_list(struct ksyms *k)
{
	FILE *f = fopen(k->path, "re");
	uint32_t module = 0;
	char *line = NULL;
	size_t size = 0;
	int r = 0;

	if (!f)
		return -errno;
	while (getline(&line, &size, f) > 0)
		line_add(k, line, &module);
	if (ferror(f))
		r = -errno;
	free(line);
	fclose(f);
	return r;
}

static int ksyms_read(struct ksyms *k, struct err *err)
{
	uint64_t before = privilege_raise(PRIV_SYMBOLS);
	int r;

	k->n = 0;
	buf_reset(&k->text);
	buf_putc(&k->text, '\0');
	r = read_list(k);
	privilege_restore(before);
	if (r < 0)
		return err_set(err, -r, "%s: %m", k->path);
	k->read_at = clock_mono();
	qsort(k->syms, k->n, sizeof(*k->syms), by_address);
	if (!k->n || !k->syms[k->n - 1].address)
		return hidden(err);
	return 0;
}

int ksyms_open(const char *proc, struct ksyms **ret, struct err *err)
{
	struct ksyms *k = mem_zalloc(sizeof(*k));
	int r;

	snprintf(k->path, sizeof(k->path), "%s/kallsyms", proc ? proc : "/proc");
	r = ksyms_read(k, err);
	if (r < 0) {
		ksyms_close(k);
		return r;
	}
	*ret = k;
	return 0;
}

void ksyms_close(struct ksyms *k)
{
	if (!k)
		return;
	free(k->syms);
	buf_release(&k->text);
	free(k);
}

static void read_them(void *arg)
{
	struct ksyms_read *r = arg;

	ksyms_open(r->proc, &r->syms, &r->err);
}

void ksyms_read_begin(struct ksyms_read *r)
{
	if (!r->running && !r->done)
		r->running = offload_begin(&r->thread, read_them, r);
}

struct ksyms *ksyms_read_wait(struct ksyms_read *r)
{
	if (r->running)
		offload_end(&r->thread);
	else if (!r->done)
		read_them(r);
	r->running = false;
	r->done = true;
	return r->syms;
}

void ksyms_read_end(struct ksyms_read *r)
{
	if (r->running)
		ksyms_read_wait(r);
	ksyms_close(r->syms);
}

/* The last symbol not above the address. */
static const struct ksym *find(const struct ksyms *k, uint64_t address)
{
	size_t n = sorted_upto(k->syms, k->n, sizeof(*k->syms), address);

	if (!n || address - k->syms[n - 1].address >= FUNCTION_MAX)
		return NULL;
	n--;
	/* Few names share an address here: the list is the kernel's. */
	while (n && k->syms[n - 1].address == k->syms[n].address)
		n--;
	return &k->syms[n];
}

const char *ksyms_name(struct ksyms *k, uint64_t address, const char **ret_module)
{
	const struct ksym *sym = find(k, address);

	if (!sym && clock_mono() - k->read_at > READ_AGAIN) {
		struct err ignored;

		if (ksyms_read(k, &ignored) < 0)
			k->n = 0;
		sym = find(k, address);
	}
	if (!sym)
		return NULL;
	*ret_module = sym->module ? k->text.data + sym->module : NULL;
	return k->text.data + sym->name;
}

enum ksyms_tracing ksyms_tracing(const char *name)
{
	static const struct {
		const char *start;
		enum ksyms_tracing tracing;
	} names[] = {
		{ "bpf_prog_", KSYMS_PROGRAM },	    { "bpf_trace_run", KSYMS_PROGRAM },
		{ "__bpf_trace_", KSYMS_PROGRAM },  { "__traceiter_", KSYMS_PROGRAM },
		{ "__probestub_", KSYMS_PROGRAM },  { "bpf_get_stack", KSYMS_PROGRAM },
		{ "bpf_trampoline_", KSYMS_DETOUR }, { "__bpf_prog_", KSYMS_DETOUR },
		{ "ftrace_", KSYMS_DETOUR },	    { "arch_ftrace_", KSYMS_DETOUR },
		{ "fprobe_", KSYMS_DETOUR },	    { "kprobe_", KSYMS_DETOUR },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i].start, strlen(names[i].start)))
			return names[i].tracing;
	return KSYMS_TRACED;
}
