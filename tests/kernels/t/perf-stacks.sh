#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens: stacks
#
# Stacks of programs without frame pointers, where they ask a disk, are those that perf finds there
# by the same tables: address by address, as far as perf's copy of the stack reaches.
. "$(dirname "$0")/../devices.sh"

need_command perf bpftool gcc sqlite3 python3 mkfs.ext4
null_disk 128
disk=$made
# Of files on a server no tables are read: what runs is here, with its libraries.
work=$(mktemp -d)
later rmdir "$work"
mount -t tmpfs none "$work"
later umount -l "$work"
mkdir "$work/libraries" "$work/data"
cp "$(command -v sqlite3)" "$(readlink -f /usr/bin/python3)" "$work/"
for file in "$work"/sqlite3 "$work"/python3*; do
	ldd "$file" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p'
done | sort -u | xargs -I '{}' cp -L '{}' "$work/libraries/"
mv "$work"/python3* "$work/python"
mkfs.ext4 -q "$disk"
mount "$disk" "$work/data"
later umount "$work/data"
python3 -u "$top_srcdir/tests/kernels/perf_stacks.py" "$work"
