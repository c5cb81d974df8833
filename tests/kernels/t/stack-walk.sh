#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernel stacks are walked by us as by the kernel.
# screens: offcpu stacks
. "$(dirname "$0")/../devices.sh"
null_disk 64
export IOTOP_TEST_DISK=$made IOTOP_TEST_DIR=/tmp
python3 -u "$top_srcdir/tests/bpf/stack_walk"
