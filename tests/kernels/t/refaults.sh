#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A control group that reads back what it was made to give up: tests/truth/refaults.
# screens: tasks
. "$(dirname "$0")/../devices.sh"
need_command mkfs.ext4 python3
loop_disk 256
mkfs.ext4 -q "$made"
files=$(mktemp -d)
later rmdir "$files"
mount "$made" "$files"
later umount "$files"
# The kernel counts it as a stall that such reads are submitted, which nobody sees and takes an
# emulated processor long.
IOTOP_TEST_DIR=$files TRUTH_STALLS_WITHIN=0.6 "$top_srcdir/tests/truth/refaults"
