// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/addresses.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/macro.h"
#include "base/offload.h"

#define MODULES_MAX (1u << 20)

/*
 * What is looked for, in chains of names that are alike at first sight: there are hundreds of
 * thousands of others.
 */
#define CHAINS 256

struct wanted {
	const char *name;
	size_t len;
	uint64_t *to;
	bool function;
	struct wanted *next;
};

struct search {
	struct wanted wanted[ABI_ADDRESS_COUNT + LAYER_FUNCTIONS_MAX];
	size_t n;
	struct wanted *chain[CHAINS];
};

static size_t chain_of(const char *name, size_t len)
{
	return (len * 31 + (unsigned char)name[0] * 7 + (unsigned char)name[len / 2] +
		(unsigned char)name[len - 1]) %
	       CHAINS;
}

static void want(struct search *s, const char *name, uint64_t *to, bool function)
{
	struct wanted *w = &s->wanted[s->n++];
	struct wanted **chain = &s->chain[chain_of(name, strlen(name))];

	*w = (struct wanted){
		.name = name, .len = strlen(name), .to = to, .function = function, .next = *chain
	};
	*chain = w;
}

static void want_all(struct search *s, struct addresses *a)
{
#define NAME(name) #name,
	static const char *const names[ABI_ADDRESS_COUNT] = { ABI_ADDRESSES(NAME) };

	for (size_t i = 0; i < ABI_ADDRESS_COUNT; i++)
		want(s, names[i], &a->at[i], false);
	for (size_t i = 0; i < layer_functions_count; i++)
		want(s, layer_functions[i].name, &a->function[i], true);
}

/* "ffffffff81234567 T vfs_read", of a module "…<tab>[ext4]" */
static void look_at(const struct search *s, const char *line, const char *end)
{
	const char *type = memchr(line, ' ', (size_t)(end - line)), *name;
	size_t len;

	if (!type || end - type <= 3 || type[2] != ' ')
		return;
	name = type + 3;
	if (end[-1] == ']') {
		const char *tab = memchr(name, '\t', (size_t)(end - name));

		end = tab ? tab : end;
	}
	len = (size_t)(end - name);
	if (!len)
		return;
	for (const struct wanted *w = s->chain[chain_of(name, len)]; w; w = w->next)
		if (w->len == len && !memcmp(w->name, name, len) && !*w->to &&
		    (!w->function || type[1] == 't' || type[1] == 'T'))
			*w->to = strtoull(line, NULL, 16) | w->function;
}

void addresses_find(FILE *kallsyms, struct addresses *ret)
{
	struct search s = { 0 };
	char *line = NULL;
	size_t size = 0;
	ssize_t n;

	*ret = (struct addresses){ 0 };
	want_all(&s, ret);
	while ((n = getline(&line, &size, kallsyms)) > 0)
		look_at(&s, line, line + n - (line[n - 1] == '\n'));
	free(line);
}

uint64_t addresses_modules(const char *modules)
{
	uint64_t sum = 1;

	for (const char *line = modules; *line;) {
		size_t end = strcspn(line, "\n"), name = strcspn(line, " \n");
		const char *at = memmem(line, end, " 0x", 3);

		/* In any order: modules come and go at either end. */
		sum += hash_bytes(line, name) * (at ? strtoull(at, NULL, 16) | 1 : 1);
		line += end;
		line += *line == '\n';
	}
	return sum;
}

static void find_in(const char *path, struct addresses *ret)
{
	FILE *f = fopen(path, "re");

	*ret = (struct addresses){ 0 };
	if (!f)
		return;
	addresses_find(f, ret);
	fclose(f);
}

/* Those of this machine, and a thread that reads them. */
static struct {
	struct offload thread;
	bool running;
	struct addresses here;
} kernel;

static void read_kernel(void *proc)
{
	_cleanup_(buf_release) struct buf modules = { 0 };
	char path[128];
	uint64_t loaded;

	snprintf(path, sizeof(path), "%s/modules", (const char *)proc);
	buf_read_file(&modules, AT_FDCWD, path, MODULES_MAX);
	loaded = addresses_modules(modules.len ? modules.data : "");
	if (loaded == kernel.here.modules)
		return;
	snprintf(path, sizeof(path), "%s/kallsyms", (const char *)proc);
	find_in(path, &kernel.here);
	kernel.here.modules = loaded;
}

void addresses_begin(const char *proc)
{
	/* Modules may have come since. */
	if (kernel.running)
		offload_end(&kernel.thread);
	kernel.running = offload_begin(&kernel.thread, read_kernel, (void *)(uintptr_t)proc);
}

const struct addresses *addresses_of_kernel(const char *proc)
{
	if (kernel.running)
		offload_end(&kernel.thread);
	else
		read_kernel((void *)(uintptr_t)proc);
	kernel.running = false;
	return &kernel.here;
}

void addresses_set(const char *proc, const __u64 at[ABI_ADDRESS_COUNT])
{
	/* It is const to the programs only. */
	memcpy((void *)(uintptr_t)at, addresses_of_kernel(proc)->at,
	       ABI_ADDRESS_COUNT * sizeof(*at));
}
