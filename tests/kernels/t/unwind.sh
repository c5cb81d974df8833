#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Stacks of programs are unwound by tables here.
# screens: offcpu stacks
#
# On a file system of its own: those of the guest are a server's, and below an overlay older kernels
# tell of the file beneath.
here=$(mktemp -d) || exit 77
trap 'umount -l "$here"; rmdir "$here"' EXIT
mount -t tmpfs none "$here" && mkdir "$here/libraries" || exit 77
export IOTOP_TEST_DIR=$here UNWIND_SECONDS=${UNWIND_SECONDS:-20} UNWIND_LIBRARIES=$here/libraries
for library in libc.so.6 libm.so.6 libstdc++.so.6 libgcc_s.so.1; do
	cp -L "$(gcc -print-file-name=$library)" "$UNWIND_LIBRARIES/" || exit 77
done
python3 -u "$top_srcdir/tests/bpf/unwind"
