#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A file system writes data and metadata to a loop device at once, on many processors: data is of
# who wrote it, whatever lies in memory next to its bios.
# vm: --cpus 8 --memory 2048
# screens: tasks disks
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command mkfs.btrfs
need_module btrfs
loop_disk 256
disk=$made
mkdir "$work/on"
later eval "umount -q $work/on || :"

watch disks --screen=disks
watch processes --screen=disks --group=process
watch tasks --screen=tasks -P
watching "$disk"
for n in 1 2 3 4; do
	mkfs.btrfs -fq "$disk" > /dev/null 2>&1 || fail "mkfs.btrfs"
	mount "$disk" "$work/on" || fail "mount"
	act "w-$n" if=/dev/zero of="$work/on/$n" bs=1M count=64
	expect "w-$n" "$disk" write $((64 << 20))
	sync -f "$work/on"
	umount "$work/on"
done
judge "$disk"
