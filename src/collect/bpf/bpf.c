// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/bpf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <linux/capability.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/macro.h"
#include "collect/bpf/addresses.h"
#include "collect/bpf/targets.h"
#include "collect/privilege.h"

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
			bpf_host_failed_note(name);
	}
	return 0;
}

const char *bpf_host_failed(void)
{
	return failed_program;
}

void bpf_host_failed_note(const char *program)
{
	snprintf(failed_program, sizeof(failed_program), "%s", program);
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

int bpf_host_check(const char *places, struct err *err)
{
	int r;

	if (access(BPF_HOST_BTF, F_OK) != 0)
		return err_set(err, ENOENT, "the kernel has no BTF (%s is missing)", BPF_HOST_BTF);
	if (!allowed())
		return err_set(err, EPERM, "needs root, or CAP_BPF and CAP_PERFMON");
	libbpf_set_print(note_message);
	bpf_targets_register();
	if (places)
		addresses_begin(places);
	r = bpf_host_read();
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

	opts.btf_custom_path = types ? types : privilege_has(CAP_SYS_ADMIN) ? NULL : BPF_HOST_BTF;
	return &opts;
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
