#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernel stacks are walked by us as by the kernel.
# screens: offcpu
export IOTOP_TEST_DIR=/tmp
exec python3 -u "$top_srcdir/tests/bpf/frames"
