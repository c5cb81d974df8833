/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the code of a program says about its stack, and the registers with which it got here. Each
 * machine has: user_registers() of the current task; user_return(), whether a function could return
 * to an address; user_leaf(), whether its return address is certain though it has no frame;
 * user_framed(), whether it has a frame pointer; user_signal_return(), whether a signal handler
 * returns there.
 */
#ifndef IOTOP_BPF_COMMON_USER_CODE_H
#define IOTOP_BPF_COMMON_USER_CODE_H

#ifdef __TARGET_ARCH_arm64
#include "bpf/common/user_code_arm64.h"
#else
#include "bpf/common/user_code_x86.h"
#endif

#endif
