/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a helper process may still do: which system calls, how much memory, which capabilities. For
 * good.
 */
#ifndef IOTOP_COLLECT_HELPER_SANDBOX_H
#define IOTOP_COLLECT_HELPER_SANDBOX_H

enum sandbox {
	SANDBOX_OPEN,	/* opens and looks at files, reads /proc; makes nothing, starts nothing,
			 * sends nothing */
	SANDBOX_PARSE,	/* reads descriptors that it was given, and memory; opens nothing */
	SANDBOX_NSS,	/* name services load libraries and talk to servers: limits only */
	SANDBOX_SERVE,	/* talks to whoever connects to a socket that it was given; opens nothing */
	SANDBOX_LOG_PAGE, /* admin commands to NVMe disks that are open, behind the first descriptor
			   * that is its socket; opens nothing */
};

/*
 * Bytes of address space, and seconds of processor time a helper may use in its life, in which it
 * is replaced.
 */
#define SANDBOX_MEMORY (256u << 20)

/*
 * Called by a process about itself, before it reads its first message. What the kernel or the build
 * does not give is left out: --probes says what a process has.
 */
void sandbox_enter(enum sandbox kind);

#endif
