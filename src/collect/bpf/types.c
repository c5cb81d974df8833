// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types are found by the names in the relocations of an object and copied with what they have in
 * them. Behind a pointer nothing is copied: what programs read there has a relocation of its own.
 */
#include "collect/bpf/types.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/capability.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/macro.h"
#include "collect/bpf/relocations.h"
#include "collect/privilege.h"

#define MODULES "/sys/kernel/btf"

struct wanted {
	char *name;	/* without the flavor, "___…" */
	bool found;
};

struct types {
	struct wanted *wanted;	/* sorted by name */
	size_t n;
	struct btf *from, *to;
	__u32 *copies;	/* by type of from: its copy, 0: none yet */
	int pointer;	/* the copy of all pointers, 0: none yet */
	int r;
};

const char *bpf_types_file(void)
{
	static char path[32];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("iotop-types", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	return fd < 0 || access(path, R_OK | W_OK) || truncate(path, 0) ? NULL : path;
}

static int wanted_order(const void *a, const void *b)
{
	return strcmp(((const struct wanted *)a)->name, ((const struct wanted *)b)->name);
}

static void want(void *arg, const char *name)
{
	struct types *t = arg;
	const char *flavor = strstr(name, "___");

	t->wanted = mem_realloc(t->wanted, (t->n + 1) * sizeof(*t->wanted));
	t->wanted[t->n++] = (struct wanted){
		.name = mem_strndup(name, flavor && flavor > name ? (size_t)(flavor - name)
								  : strlen(name)),
	};
}

/* Each name once. */
static void wanted_sort(struct types *t)
{
	size_t n = 0;

	qsort(t->wanted, t->n, sizeof(*t->wanted), wanted_order);
	for (size_t i = 0; i < t->n; i++) {
		if (n && !strcmp(t->wanted[n - 1].name, t->wanted[i].name))
			free(t->wanted[i].name);
		else
			t->wanted[n++] = t->wanted[i];
	}
	t->n = n;
}

static int copy(struct types *t, __u32 id);

/* The copies of all that a type has in it come first. Returns the type's own, without theirs. */
static int copy_parts(struct types *t, const struct btf_type *type)
{
	if (btf_is_composite(type)) {
		for (unsigned i = 0; i < btf_vlen(type) && t->r >= 0; i++)
			copy(t, btf_members(type)[i].type);
	} else if (btf_is_array(type)) {
		copy(t, btf_array(type)->type);
		copy(t, btf_array(type)->index_type);
	} else if (btf_is_mod(type) || btf_is_typedef(type)) {
		copy(t, type->type);
	}
	return t->r < 0 ? t->r : btf__add_type(t->to, t->from, type);
}

/* Makes a copy refer to copies. */
static void copy_refers(const struct types *t, struct btf_type *type)
{
	if (btf_is_composite(type)) {
		struct btf_member *members = (struct btf_member *)(type + 1);

		for (unsigned i = 0; i < btf_vlen(type); i++)
			members[i].type = t->copies[members[i].type];
	} else if (btf_is_array(type)) {
		struct btf_array *array = (struct btf_array *)(type + 1);

		array->type = t->copies[array->type];
		array->index_type = t->copies[array->index_type];
	} else if (btf_is_mod(type) || btf_is_typedef(type)) {
		type->type = t->copies[type->type];
	}
}

/* Returns the copy of a type, 0: of void, and of functions, which no member is. */
static int copy(struct types *t, __u32 id)
{
	const struct btf_type *type = btf__type_by_id(t->from, id);
	int is;

	if (!id || !type || t->r < 0 || t->copies[id])
		return id && type && t->r >= 0 ? (int)t->copies[id] : 0;
	if (btf_is_ptr(type)) {
		if (!t->pointer)
			t->r = t->pointer = btf__add_ptr(t->to, 0);
		return t->r < 0 ? t->r : (int)(t->copies[id] = (__u32)t->pointer);
	}
	if (btf_is_func(type) || btf_is_func_proto(type) || btf_is_var(type) ||
	    btf_is_datasec(type))
		return 0;
	is = copy_parts(t, type);
	if (is < 0)
		return t->r = is;
	t->copies[id] = (__u32)is;
	copy_refers(t, (struct btf_type *)(uintptr_t)btf__type_by_id(t->to, (__u32)is));
	return is;
}

static bool has_name(const struct btf_type *type)
{
	return type->name_off && (btf_is_composite(type) || btf_is_any_enum(type) ||
				  btf_is_typedef(type) || btf_is_int(type));
}

/* Copies the types from an id on that have a name which is wanted. */
static void copy_wanted(struct types *t, struct btf *from, __u32 first, bool missing_only)
{
	__u32 n = btf__type_cnt(from);

	t->from = from;
	t->copies = mem_zalloc(n * sizeof(*t->copies));
	t->pointer = 0;
	for (__u32 id = first; id < n && t->r >= 0; id++) {
		const struct btf_type *type = btf__type_by_id(from, id);
		struct wanted key = { 0 }, *is;

		if (!has_name(type))
			continue;
		key.name = (char *)(uintptr_t)btf__name_by_offset(from, type->name_off);
		is = bsearch(&key, t->wanted, t->n, sizeof(*t->wanted), wanted_order);
		if (!is || (missing_only && is->found))
			continue;
		copy(t, id);
		/* Several modules may have it. */
		is->found = !missing_only;
	}
	free(t->copies);
}

static bool is_missing(const struct types *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (!t->wanted[i].found)
			return true;
	return false;
}

/* What only modules have; without CAP_SYS_ADMIN the programs for it are refused anyway. */
static void copy_modules(struct types *t, struct btf *kernel)
{
	DIR *dir = is_missing(t) && privilege_has(CAP_SYS_ADMIN) ? opendir(MODULES) : NULL;
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		struct btf *module = entry->d_name[0] == '.' || !strcmp(entry->d_name, "vmlinux")
					     ? NULL : btf__load_module_btf(entry->d_name, kernel);

		if (module)
			copy_wanted(t, module, btf__type_cnt(kernel), true);
		btf__free(module);
	}
	if (dir)
		closedir(dir);
}

static int write_all(const char *path, const char *data, size_t size)
{
	FILE *f = fopen(path, "we");
	bool done = f && fwrite(data, 1, size, f) == size;

	if (f && fclose(f))
		done = false;
	return done ? 0 : -EIO;
}

int bpf_types_write(const struct bpf_object *obj, const void *elf, size_t size, struct btf *kernel)
{
	struct types t = { .to = btf__new_empty() };
	const void *data;
	__u32 length;

	if (!t.to)
		return -ENOMEM;
	t.r = relocations_each(elf, size, bpf_object__btf(obj), want, &t);
	wanted_sort(&t);
	if (t.r >= 0)
		copy_wanted(&t, kernel, 1, false);
	if (t.r >= 0)
		copy_modules(&t, kernel);
	data = t.r < 0 ? NULL : btf__raw_data(t.to, &length);
	if (data)
		t.r = write_all(bpf_types_file(), data, length);
	btf__free(t.to);
	for (size_t i = 0; i < t.n; i++)
		free(t.wanted[i].name);
	free(t.wanted);
	return t.r < 0 || data ? MIN(t.r, 0) : -ENOMEM;
}
