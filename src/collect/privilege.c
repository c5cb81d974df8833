// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/privilege.h"

#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/macro.h"

#define BIT(capability) (1ULL << (capability))

/*
 * CAP_SYS_ADMIN stands for CAP_BPF and CAP_PERFMON before Linux 5.8, and for CAP_CHECKPOINT_RESTORE
 * before 5.9; the types of modules are listed with it only, and Debian's perf_event_paranoid 3 asks
 * for it. CAP_SYS_RESOURCE: maps count for RLIMIT_MEMLOCK before 5.11.
 */
static const uint64_t capabilities[] = {
	BIT(CAP_BPF) | BIT(CAP_PERFMON) | BIT(CAP_SYS_ADMIN) | BIT(CAP_SYS_RESOURCE), /* PRIV_BPF */
	BIT(CAP_NET_ADMIN), /* PRIV_ACCOUNTING */
	BIT(CAP_SYS_PTRACE), /* PRIV_TASKS */
	BIT(CAP_SYSLOG), /* PRIV_SYMBOLS */
	BIT(CAP_DAC_READ_SEARCH), /* PRIV_FILES */
	BIT(CAP_CHECKPOINT_RESTORE), /* PRIV_MAPPED */
	BIT(CAP_SYS_NICE), /* PRIV_PRIORITY */
	BIT(CAP_KILL), /* PRIV_SIGNAL */
	BIT(CAP_SYS_ADMIN), /* PRIV_SYSCTL */
	BIT(CAP_DAC_OVERRIDE), /* PRIV_RECORD */
	BIT(CAP_NET_BIND_SERVICE), /* PRIV_LISTEN */
	BIT(CAP_SETUID) | BIT(CAP_SETGID), /* PRIV_USER */
	BIT(CAP_SYS_ADMIN), /* PRIV_LOG_PAGE */
};

struct caps {
	uint64_t effective, permitted;
};

/* Of this thread; nothing where the kernel does not tell. */
static struct caps caps_get(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	memset(data, 0, sizeof(data));
	if (syscall(SYS_capget, &head, data))
		return (struct caps){ 0 };
	return (struct caps){
		.effective = data[0].effective | (uint64_t)data[1].effective << 32,
		.permitted = data[0].permitted | (uint64_t)data[1].permitted << 32,
	};
}

/* Nothing is inherited by programs that are started: none are. */
static void caps_set(struct caps c)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct data[2] = {
		{ .effective = (uint32_t)c.effective, .permitted = (uint32_t)c.permitted },
		{ .effective = (uint32_t)(c.effective >> 32),
		  .permitted = (uint32_t)(c.permitted >> 32) },
	};

	syscall(SYS_capset, &head, data);
}

static uint64_t caps_of(unsigned what)
{
	uint64_t caps = 0;

	for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++)
		if (what & 1u << i)
			caps |= capabilities[i];
	/* Before Linux 5.9 another one opens what is mapped. */
	if (what & PRIV_MAPPED && prctl(PR_CAPBSET_READ, CAP_CHECKPOINT_RESTORE) < 0)
		caps |= BIT(CAP_SYS_ADMIN);
	return caps;
}

bool privilege_of_file(void)
{
	return getauxval(AT_SECURE);
}

/* What the C library leaves alone in such a program, and libraries of ours read files by. */
static void forget_environment(void)
{
	static const char *const names[] = {
		"TERMINFO", "TERMINFO_DIRS", "TERMCAP", "TERMPATH", "SQLITE_TMPDIR", "LIBELF_DEBUG",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unsetenv(names[i]);
}

static void caps_effective(const struct caps *now, uint64_t wanted)
{
	wanted &= now->permitted;
	if (wanted != now->effective)
		caps_set((struct caps){ .effective = wanted, .permitted = now->permitted });
}

void privilege_begin(void)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	privilege_lower();
	if (privilege_of_file())
		forget_environment();
}

uint64_t privilege_raise(unsigned what)
{
	struct caps c = caps_get();

	caps_effective(&c, c.effective | caps_of(what));
	return c.effective;
}

void privilege_change(uint64_t before, unsigned what)
{
	struct caps c = caps_get();

	caps_effective(&c, before | caps_of(what));
}

uint64_t privilege_lower(void)
{
	struct caps c = caps_get();

	caps_effective(&c, 0);
	return c.effective;
}

void privilege_restore(uint64_t before)
{
	privilege_change(before, 0);
}

bool privilege_has(int capability)
{
	return caps_get().effective & BIT(capability);
}

bool privilege_permitted(unsigned what)
{
	uint64_t wanted = caps_of(what);

	return (caps_get().permitted & wanted) == wanted;
}

/*
 * The bounding set matters to programs that are started, of which there are none: where the kernel
 * lets us it becomes empty. The helpers begin with it, and could not cut it themselves, for
 * CAP_SETPCAP is given up as well.
 */
static void empty_bounding(void)
{
	struct caps c = caps_get(), with = c;

	with.effective |= BIT(CAP_SETPCAP) & c.permitted;
	caps_set(with);
	for (int i = 0; prctl(PR_CAPBSET_READ, i) >= 0; i++)
		prctl(PR_CAPBSET_DROP, i);
	caps_set(c);
}

void privilege_limit(unsigned what)
{
	uint64_t keep = caps_of(what);
	struct caps c = caps_get();

	empty_bounding();
	c.permitted &= keep;
	c.effective &= keep;
	caps_set(c);
}

void privilege_drop(unsigned what)
{
	struct caps c = caps_get();
	uint64_t gone = 0, kept = 0;

	for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++)
		*(what & 1u << i ? &gone : &kept) |= capabilities[i];
	c.permitted &= ~(gone & ~kept);
	c.effective &= c.permitted;
	caps_set(c);
}
