#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Stacks of programs are unwound by tables here.
# screens: offcpu stacks
export IOTOP_TEST_DIR=/tmp UNWIND_SECONDS=${UNWIND_SECONDS:-20} UNWIND_LIBRARIES=/tmp/libraries
trap 'rm -rf /tmp/libraries' EXIT
mkdir -p /tmp/libraries
for library in libc.so.6 libm.so.6 libstdc++.so.6 libgcc_s.so.1; do
	cp -L "$(gcc -print-file-name=$library)" /tmp/libraries/ || exit 77
done
python3 -u "$top_srcdir/tests/bpf/unwind"
