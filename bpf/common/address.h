/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places in the kernel's code, by name. */
#ifndef IOTOP_BPF_COMMON_ADDRESS_H
#define IOTOP_BPF_COMMON_ADDRESS_H

#include <linux/types.h>

#include "bpf/abi.h"

/* Fixed before the programs are loaded, by enum abi_address; 0: not in this kernel, or hidden. */
const volatile __u64 addresses[ABI_ADDRESS_COUNT];

#define AT(name) (addresses[ABI_AT_##name])

/*
 * Symbols that are not there have the address 0. Tests are joined by |, not ||: fewer ways for the
 * verifier.
 */
#define IN_FUNCTION(ip, name, size) ((__u32)((ip) - AT(name) < (size)))

#endif
