/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a frame to its caller, as this machine's calls are. Each machine has: UNWIND_LINKED, 1 where
 * calls leave the return address in a register; unwind_leaf() where user_leaf() knows it;
 * unwind_by_row() by a row and the CFA; unwind_switch() from a stack to the one that called. They
 * return 0 or why there is no caller. UCONTEXT_*: offsets of registers that a signal has left.
 */
#ifndef IOTOP_BPF_COMMON_USER_CALLER_H
#define IOTOP_BPF_COMMON_USER_CALLER_H

#ifdef __TARGET_ARCH_arm64
#include "bpf/common/user_caller_arm64.h"
#else
#include "bpf/common/user_caller_x86.h"
#endif

#endif
