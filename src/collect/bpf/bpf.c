// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/bpf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/capability.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/macro.h"
#include "collect/bpf/targets.h"
#include "collect/bpf/types.h"
#include "collect/privilege.h"

#define BTF_PATH "/sys/kernel/btf/vmlinux"

/* The types of the running kernel, read once and kept: several collectors ask. */
static struct btf *host_btf;
/* The program that libbpf's last warnings were about. */
static char failed_program[64];

/*
 * libbpf calls this for every message; what it is wanted for is the name of a program that did not
 * load.
 */
static int note_message(enum libbpf_print_level level, const char *fmt, va_list args)
{
	char text[256], name[64];

	if (level != LIBBPF_WARN)
		return 0;
	vsnprintf(text, sizeof(text), fmt, args);
	if (strstr(text, "failed to load") || strstr(text, "load failed") ||
	    strstr(text, "failed to find") || strstr(text, "failed to prepare")) {
		if (sscanf(text, "libbpf: prog '%63[^']'", name) == 1)
			snprintf(failed_program, sizeof(failed_program), "%s", name);
	}
	return 0;
}

const char *bpf_host_failed(void)
{
	return failed_program;
}

void bpf_host_failed_forget(void)
{
	failed_program[0] = '\0';
}

static bool allowed(void)
{
	return privilege_has(CAP_SYS_ADMIN) ||
	       (privilege_has(CAP_BPF) && privilege_has(CAP_PERFMON));
}

/*
 * The types, copied from the file as it is mapped, which kernels since 6.16 allow (a539e2a6d51d,
 * "btf: Allow mmap of vmlinux btf"): else it is read first. NULL: it cannot be mapped.
 */
static struct btf *btf_mapped(void)
{
	int fd = open(BTF_PATH, O_RDONLY | O_CLOEXEC);
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

/* Read for the time that sources are brought up only: it takes 6 MB. */
static int host_btf_read(void)
{
	if (!host_btf)
		host_btf = btf_mapped();
	if (!host_btf)
		host_btf = btf__load_vmlinux_btf();
	return host_btf ? 0 : -errno;
}

void bpf_host_release(void)
{
	btf__free(host_btf);
	host_btf = NULL;
}

/* The number of a type; or a negative errno. */
static int find(const char *name, __u32 kind)
{
	return host_btf_read() < 0 ? -ENOENT : btf__find_by_name_kind(host_btf, name, kind);
}

int bpf_host_check(struct err *err)
{
	int r;

	if (access(BTF_PATH, F_OK) != 0)
		return err_set(err, ENOENT, "the kernel has no BTF (%s is missing)", BTF_PATH);
	if (!allowed())
		return err_set(err, EPERM, "needs root, or CAP_BPF and CAP_PERFMON");
	libbpf_set_print(note_message);
	bpf_targets_register();
	r = host_btf_read();
	return r < 0 ? err_set(err, -r, "the kernel's BTF cannot be read: %m") : 0;
}

/*
 * A type that only other kernels have is looked for in the modules as well, and without
 * CAP_SYS_ADMIN the kernel does not list them: before 1.3 libbpf gives up then. Told where the
 * types are, it asks for no modules.
 */
const struct bpf_object_open_opts *bpf_host_open_opts(const char *types)
{
	static struct bpf_object_open_opts opts = { .sz = sizeof(opts) };

	opts.btf_custom_path = types ? types : privilege_has(CAP_SYS_ADMIN) ? NULL : BTF_PATH;
	return &opts;
}

int bpf_host_types(const struct bpf_object *obj, const void *elf, size_t size)
{
	int r = host_btf_read();

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
	unsigned n = host_btf_read() < 0 ? 0 : btf__type_cnt(host_btf);

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

bool bpf_host_fentry(const char *function)
{
	/* return 0 */
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	int id = bpf_host_function(function), prog, link = -1;

	if (id < 0)
		return false;
	opts.attach_btf_id = (unsigned)id;
	prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, "iotop_try", "GPL", insns, ARRAY_SIZE(insns),
			     &opts);
	if (prog >= 0) {
		link = bpf_raw_tracepoint_open(NULL, prog);
		close(prog);
	}
	fd_close(link);
	return link >= 0;
}

bool bpf_host_map_type(int type)
{
	return libbpf_probe_bpf_map_type(type, NULL) == 1;
}

unsigned bpf_host_cpus(void)
{
	int n = libbpf_num_possible_cpus();

	return n > 0 ? n : 1;
}

/* Programs may not read the kernel's memory; the verifier then knows no such function. */
static bool locked_down(void)
{
	_cleanup_(buf_release) struct buf b = { 0 };

	return buf_read_file(&b, -1, "/sys/kernel/security/lockdown", 256) >= 0 && b.len &&
	       strstr(b.data, "[confidentiality]");
}

/*
 * Do maps count for RLIMIT_MEMLOCK, and may we not raise it? They did until there was the helper
 * that is asked for, or shortly before.
 */
static bool memlock_limits(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	       !privilege_has(CAP_SYS_RESOURCE) &&
	       libbpf_probe_bpf_helper(BPF_PROG_TYPE_SOCKET_FILTER, BPF_FUNC_ktime_get_coarse_ns,
				       NULL) == 0;
}

/*
 * What loading, a program's link and what libbpf asks the kernel on the way take beside the maps
 * and programs.
 */
#define SPARE_DESCRIPTORS 12

/* How many descriptors this process may yet open. */
static size_t free_descriptors(void)
{
	struct rlimit limit;
	int next = dup(STDERR_FILENO);

	if (next < 0)
		return 0;
	close(next);
	return getrlimit(RLIMIT_NOFILE, &limit)
		       ? SIZE_MAX
		       : (size_t)MAX(limit.rlim_cur, (rlim_t)next) - (size_t)next;
}

int bpf_host_room(const struct bpf_object *obj, struct err *err)
{
	size_t needed = SPARE_DESCRIPTORS, left = free_descriptors();
	struct rlimit limit;
	struct bpf_program *prog;
	struct bpf_map *map;

	bpf_object__for_each_map(map, obj)
		needed += bpf_map__autocreate(map);
	bpf_object__for_each_program(prog, obj)
		needed += bpf_program__autoload(prog) ? 2 : 0;
	if (left < needed && !getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
		left = free_descriptors();
	}
	if (left < needed)
		return err_set(err, EMFILE,
			"the programs and maps need %zu file descriptors and %zu are left (ulimit "
			"-n)", needed, left);
	return 0;
}

int bpf_host_explain(int r, const char *program, struct err *err)
{
	const char *of = program[0] ? program : "the programs";

	if ((r == -EPERM || r == -ENOMEM) && memlock_limits())
		return err_set(err, EPERM,
			"RLIMIT_MEMLOCK is too small for the BPF maps: raise it, or add "
			"CAP_SYS_RESOURCE");
	if (r == -EPERM)
		return err_set(err, EPERM,
			"the kernel refuses BPF here (a user namespace, lockdown, or a security "
			"policy)");
	if (r == -ENOSYS)
		return err_set(err, ENOSYS, "this kernel has no BPF (CONFIG_BPF_SYSCALL)");
	if (r == -ENOMEM)
		return err_set(err, ENOMEM, "no memory for the BPF maps");
	if (r == -EINVAL && locked_down())
		return err_set(err, EPERM,
			"the kernel is locked down (confidentiality): no program may read its "
			"memory");
	if (r == -EINVAL || r == -EACCES)
		return err_set(err, -r, "the kernel's verifier refuses %s: %m", of);
	return err_set(err, -r, "loading %s failed: %m", of);
}

uint64_t bpf_program_misses(const struct bpf_program *prog)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);
	int fd = bpf_program__fd(prog);

	return fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &size) ? info.recursion_misses : 0;
}
