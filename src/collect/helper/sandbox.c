// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#ifdef HAVE_SECCOMP
#include <seccomp.h>
#endif

#include "base/macro.h"
#include "collect/helper/descriptors.h"
#include "collect/privilege.h"

/*
 * The shadow memory of AddressSanitizer is larger than any limit, and its reports need more system
 * calls.
 */
#if defined(__SANITIZE_ADDRESS__)	/* of gcc; clang has a feature */
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

/* Connections, and the texts that they are sent. */
#define SERVE_FILES 512

static void limit(int resource, rlim_t value)
{
	struct rlimit l = { value, value };

	setrlimit(resource, &l);
}

static void set_limits(enum sandbox kind)
{
	struct rlimit files;

	if (!SANITIZED)
		limit(RLIMIT_AS, SANDBOX_MEMORY);
	limit(RLIMIT_CORE, 0);
	if (kind == SANDBOX_PARSE || kind == SANDBOX_SERVE || kind == SANDBOX_LOG_PAGE)
		limit(RLIMIT_FSIZE, 0);
	if (kind == SANDBOX_SERVE)
		limit(RLIMIT_NOFILE, SERVE_FILES);
	/* Each file whose names may be wanted is a descriptor. */
	if (kind == SANDBOX_OPEN && !getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

#ifdef HAVE_SECCOMP

/* Threads' bookkeeping and time: what the C library needs wherever it runs. */
static const int basic[] = {
	SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
	SCMP_SYS(futex), SCMP_SYS(futex_time64), SCMP_SYS(clock_gettime), SCMP_SYS(clock_gettime64),
		SCMP_SYS(gettimeofday),
	SCMP_SYS(getrandom), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(tgkill),
		SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn), SCMP_SYS(sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(exit),
		SCMP_SYS(exit_group),
	SCMP_SYS(restart_syscall), SCMP_SYS(sched_yield), SCMP_SYS(rseq), SCMP_SYS(set_robust_list),
	/* Descriptors that are there. */
	SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(lseek),
		SCMP_SYS(_llseek), SCMP_SYS(close),
	SCMP_SYS(fcntl), SCMP_SYS(fcntl64), SCMP_SYS(fstat), SCMP_SYS(fstat64), SCMP_SYS(poll),
		SCMP_SYS(ppoll), SCMP_SYS(ppoll_time64),
	SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(socketcall), SCMP_SYS(write),
		SCMP_SYS(writev),
};

/*
 * Where fstat() is fstatat() of an empty path. Of a path it tells no more than that there is
 * something.
 */
static const int stats[] = {
	SCMP_SYS(newfstatat), SCMP_SYS(fstatat64), SCMP_SYS(statx),
};

static const int opening[] = {
	SCMP_SYS(openat2),    SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(faccessat),
	SCMP_SYS(faccessat2), SCMP_SYS(access),	  SCMP_SYS(getcwd),	SCMP_SYS(fstatfs),
	SCMP_SYS(fstatfs64),  SCMP_SYS(dup),
};

/* Connections that others begin. */
static const int serving[] = {
	SCMP_SYS(accept4),    SCMP_SYS(recvfrom),   SCMP_SYS(recv),	  SCMP_SYS(sendto),
	SCMP_SYS(send),	      SCMP_SYS(sendfile),   SCMP_SYS(sendfile64), SCMP_SYS(shutdown),
	SCMP_SYS(setsockopt), SCMP_SYS(getsockopt), SCMP_SYS(getsockname), SCMP_SYS(epoll_ctl),
	SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
};

/*
 * Refused in a way that a library expects; of all others it is told that they are not there, and
 * takes another way.
 */
static const int refused[] = {
	SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(creat),
};

static void allow(scmp_filter_ctx ctx, const int *calls, size_t n)
{
	/* A call that this processor does not have is no failure. */
	for (size_t i = 0; i < n; i++)
		seccomp_rule_add(ctx, SCMP_ACT_ALLOW, calls[i], 0);
}

/* Memory, but no new code in it. */
static void allow_memory(scmp_filter_ctx ctx)
{
	static const int calls[] = { SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(mprotect) };

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		seccomp_rule_add(ctx, SCMP_ACT_ALLOW, calls[i], 1,
				 SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
}

static void allow_opening(scmp_filter_ctx ctx)
{
	const scmp_datum_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

	allow(ctx, opening, ARRAY_SIZE(opening));
	/* For reading only. */
	seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
			 SCMP_A2(SCMP_CMP_MASKED_EQ, writing, O_RDONLY));
	seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
			 SCMP_A1(SCMP_CMP_MASKED_EQ, writing, O_RDONLY));
}

/* Packets, memory, and to have a capability for one call. */
static const int asking[] = {
	SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(close), SCMP_SYS(capget), SCMP_SYS(capset),
	SCMP_SYS(clock_gettime), SCMP_SYS(clock_gettime64), SCMP_SYS(brk), SCMP_SYS(munmap),
	SCMP_SYS(futex), SCMP_SYS(futex_time64), SCMP_SYS(restart_syscall), SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

static void allow_asking(scmp_filter_ctx ctx)
{
	const scmp_datum_t request = NVME_IOCTL_ADMIN_CMD;

	allow(ctx, asking, ARRAY_SIZE(asking));
	/* A request is a number of 32 bits, which some C libraries extend by its sign. */
	seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 2,
			 SCMP_A0(SCMP_CMP_GT, DESCRIPTOR_FIRST),
			 SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, request));
}

static void allow_basic(scmp_filter_ctx ctx)
{
	allow(ctx, basic, ARRAY_SIZE(basic));
	allow(ctx, stats, ARRAY_SIZE(stats));
}

static void filter_calls(enum sandbox kind)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));

	if (!ctx)
		return;
	if (kind == SANDBOX_LOG_PAGE)
		allow_asking(ctx);
	else
		allow_basic(ctx);
	allow_memory(ctx);
	if (kind == SANDBOX_OPEN)
		allow_opening(ctx);
	if (kind == SANDBOX_SERVE)
		allow(ctx, serving, ARRAY_SIZE(serving));
	for (size_t i = 0; kind != SANDBOX_OPEN && i < ARRAY_SIZE(refused); i++)
		seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EACCES), refused[i], 0);
	seccomp_load(ctx);
	seccomp_release(ctx);
}

#else

static void filter_calls(enum sandbox kind)
{
}

#endif

void sandbox_enter(enum sandbox kind)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	/* No other process of this user can look into it or use its descriptors. */
	if (!SANITIZED)
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	set_limits(kind);
	if (kind == SANDBOX_OPEN) {
		privilege_limit(PRIV_TASKS | PRIV_FILES | PRIV_MAPPED);
		privilege_raise(PRIV_TASKS | PRIV_FILES | PRIV_MAPPED);
	} else {
		privilege_limit(kind == SANDBOX_LOG_PAGE ? PRIV_LOG_PAGE : 0);
	}
	if (kind != SANDBOX_NSS && !SANITIZED)
		filter_calls(kind);
}
