#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A stacked disk that did not exist at the last sample: what its driver's threads write below is for
# who used it.
. "$(dirname "$0")/../devices.sh"

need_module dm_crypt loop
null_disk 64; below=$made
# Before 5.15 a disk does not know what it lies on.
crypt=
if grep -q slave_bdevs /sys/kernel/btf/vmlinux; then
	crypt=$below
fi
python3 "$(dirname "$0")/../new_disk.py" "$crypt"
