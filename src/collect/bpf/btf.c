// SPDX-License-Identifier: GPL-2.0-or-later
/* The types of the running kernel, read once and kept: several collectors ask. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <bpf/btf.h>

#include "base/clock.h"
#include "base/fd.h"
#include "collect/bpf/bpf.h"
#include "collect/bpf/types.h"

static struct btf *host_btf;
static uint64_t used;	/* last, CLOCK_MONOTONIC ns */

/*
 * The types, copied from the file as it is mapped, which kernels since 6.16 allow (a539e2a6d51d,
 * "btf: Allow mmap of vmlinux btf"): else it is read first. NULL: it cannot be mapped.
 */
static struct btf *btf_mapped(void)
{
	int fd = open(BPF_HOST_BTF, O_RDONLY | O_CLOEXEC);
	void *data = MAP_FAILED;
	struct btf *btf = NULL;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0 && st.st_size <= INT32_MAX)
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data != MAP_FAILED) {
		btf = btf__new(data, (__u32)st.st_size);
		munmap(data, (size_t)st.st_size);
	}
	fd_close(fd);
	return btf;
}

int bpf_host_read(void)
{
	used = clock_mono();
	if (!host_btf)
		host_btf = btf_mapped();
	if (!host_btf)
		host_btf = btf__load_vmlinux_btf();
	return host_btf ? 0 : -errno;
}

void bpf_host_release(uint64_t idle)
{
	if (!host_btf || clock_mono() - used < idle)
		return;
	btf__free(host_btf);
	host_btf = NULL;
}

/* The number of a type; or a negative errno. */
static int find(const char *name, __u32 kind)
{
	return bpf_host_read() < 0 ? -ENOENT : btf__find_by_name_kind(host_btf, name, kind);
}

int bpf_host_types(const struct bpf_object *obj, const void *elf, size_t size)
{
	int r = bpf_host_read();

	return r < 0 ? r : bpf_types_write(obj, elf, size, host_btf);
}

/* The name of the struct that a parameter points to, or NULL. */
static const char *pointed_struct(const struct btf_param *param)
{
	const struct btf_type *type = btf__type_by_id(host_btf, param->type);

	while (type && (btf_is_ptr(type) || btf_is_mod(type)))
		type = btf__type_by_id(host_btf, type->type);
	return type && btf_is_struct(type) ? btf__name_by_offset(host_btf, type->name_off) : NULL;
}

int bpf_host_args(const char *tracepoint, const char **ret_first)
{
	char name[96];
	const struct btf_type *type;
	int id;

	snprintf(name, sizeof(name), "btf_trace_%s", tracepoint);
	id = bpf_host_typedef(name);
	if (id < 0)
		return -ENOENT;
	type = btf__type_by_id(host_btf, id);
	type = type ? btf__type_by_id(host_btf, type->type) : NULL;
	type = type && btf_is_ptr(type) ? btf__type_by_id(host_btf, type->type) : NULL;
	if (!type || !btf_is_func_proto(type) || !btf_vlen(type))
		return -ENOENT;
	/* The very first one is the tracepoint's own. */
	*ret_first = btf_vlen(type) > 1 ? pointed_struct(&btf_params(type)[1]) : NULL;
	return btf_vlen(type) - 1;
}

uint32_t bpf_host_struct(const char *name)
{
	int id = find(name, BTF_KIND_STRUCT);

	return id < 0 ? 0 : (uint32_t)id;
}

bool bpf_host_member(const char *type, const char *name)
{
	int id = find(type, BTF_KIND_STRUCT);
	const struct btf_type *t = id < 0 ? NULL : btf__type_by_id(host_btf, id);

	for (unsigned i = 0; t && i < btf_vlen(t); i++) {
		if (!strcmp(btf__name_by_offset(host_btf, btf_members(t)[i].name_off), name))
			return true;
	}
	return false;
}

bool bpf_host_variable(const char *name)
{
	return find(name, BTF_KIND_VAR) >= 0;
}

int bpf_host_function(const char *name)
{
	return find(name, BTF_KIND_FUNC);
}

int bpf_host_typedef(const char *name)
{
	return find(name, BTF_KIND_TYPEDEF);
}

int bpf_host_enumerator(const char *name)
{
	unsigned n = bpf_host_read() < 0 ? 0 : btf__type_cnt(host_btf);

	for (unsigned id = 1; id < n; id++) {
		const struct btf_type *type = btf__type_by_id(host_btf, id);

		if (type->name_off || !btf_is_enum(type))
			continue;
		for (unsigned i = 0; i < btf_vlen(type); i++) {
			const struct btf_enum *value = &btf_enum(type)[i];

			if (!strcmp(btf__name_by_offset(host_btf, value->name_off), name))
				return value->val;
		}
	}
	return -ENOENT;
}
