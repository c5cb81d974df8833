#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Delays of null_blk, scsi_debug and a file system in user space, each in the right layer.
# screens: layers
export IOTOP_TEST_DIR=/tmp
exec python3 -u "$top_srcdir/tests/bpf/delays"
