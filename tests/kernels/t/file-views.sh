#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Files below overlays, bind mounts and other roots; the structs of overlays differ before 6.0,
# before 6.5 and since.
# screens: files
. "$(dirname "$0")/../devices.sh"
need_command fio
need_module overlay
need_module loop
# The test makes its own file system on a loop device over this one.
work=$(mktemp -d) || exit 77
later rmdir "$work"
mount -t tmpfs none "$work" || exit 77
later umount -l "$work"
export IOTOP_TEST_DIR=$work

python3 "$top_srcdir/tests/bpf/file_views"
