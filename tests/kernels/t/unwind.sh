#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Stacks of programs are unwound by tables here.
# screens: offcpu stacks
export IOTOP_TEST_DIR=/tmp UNWIND_SECONDS=${UNWIND_SECONDS:-20}
python3 -u "$top_srcdir/tests/bpf/unwind"
