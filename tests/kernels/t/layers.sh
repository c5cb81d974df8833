#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The layers of known calls, by whatever this kernel lets be probed.
# screens: layers
export IOTOP_TEST_DIR=/tmp
modprobe -a loop ext4 || exit 77
exec python3 -u "$top_srcdir/tests/bpf/layers"
