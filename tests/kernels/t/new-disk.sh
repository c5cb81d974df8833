#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Stacked disks that did not exist at the last sample: what their drivers' threads do below is for
# who used them, on many disks, too.
. "$(dirname "$0")/../devices.sh"

need_module dm_crypt loop
need_command mdadm
null_disk 64; below=$made
members=()
for i in {1..12}; do null_disk 16; members+=("$made"); done
# Before 5.15 a disk does not know what it lies on.
grep -q slave_bdevs /sys/kernel/btf/vmlinux || below='' members=()
python3 "$(dirname "$0")/../new_disk.py" "$below" "${members[@]}"
